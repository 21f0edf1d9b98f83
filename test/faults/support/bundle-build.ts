import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inject } from 'vitest';
import { BUILD_SCRIPT } from './run-build.ts';

/**
 * `build.mjs` with all that it loads in a few files: a process of it starts in a third of the time, which counts where
 * a hundred are killed. Resolves to the script, which the first file that needs it leaves to the others.
 */
export async function bundleBuild(): Promise<string> {
  const bundled = join(inject('scratch'), 'bundled-build');
  const script = join(bundled, 'files/build.js');
  if (existsSync(bundled)) return script;
  const folder = await mkdtemp(`${bundled}-`);
  await build({
    entryPoints: [BUILD_SCRIPT],
    outdir: join(folder, 'files'),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    external: ['@resvg/resvg-js', 'ioredis', 'vite'],
    // Without it the package reads files of its own folder.
    alias: {
      'css-tree': createRequire(import.meta.url).resolve('css-tree/dist/csstree.esm'),
    },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  // svgo reads its version beside its own folder.
  await writeFile(join(folder, 'package.json'), '{"type":"module","version":"0.0.0"}');
  // Another worker may have been faster: its folder has the same files.
  await rename(folder, bundled).catch((error: unknown) => {
    if (!existsSync(bundled)) throw error;
  });
  return script;
}
