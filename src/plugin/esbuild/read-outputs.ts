import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { OutputFile as BuiltFile } from 'esbuild';
import type { EmittedFile } from '../search-outputs.ts';

/** Every file of a build: from memory, or as esbuild has written it. */
export async function readOutputs(
  outputs: Readonly<Record<string, unknown>>,
  {
    root,
    folder,
    built,
  }: { root: string; folder: string; built: readonly BuiltFile[] | undefined },
): Promise<EmittedFile[]> {
  const nameOf = (path: string): string => relative(folder, path).replaceAll('\\', '/');
  if (built !== undefined)
    return built.map(({ path, contents }) => ({ fileName: nameOf(path), content: contents }));
  const files: EmittedFile[] = [];
  for (const name of Object.keys(outputs)) {
    const path = resolve(root, name);
    const content = await readFile(path).catch(() => undefined);
    if (content !== undefined) files.push({ fileName: nameOf(path), content });
  }
  return files;
}
