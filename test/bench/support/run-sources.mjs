// `--import` for Node 20: runs the TypeScript of src/ as it is, a file a module, so that coverage knows the files.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { transformSync } = await import('esbuild');
  const file = fileURLToPath(url);
  const { code } = transformSync(await readFile(file, 'utf8'), { loader: 'ts', format: 'esm' });
  return { format: 'module', source: code, shortCircuit: true };
}
