import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BUILD_SCRIPT } from './run-build.ts';

/**
 * `build.mjs` with all that it loads in a few files: a process of it starts in a third of the time, which counts where
 * a hundred are killed. Resolves to the script.
 */
export async function bundleBuild(folder: string): Promise<string> {
  const outdir = join(folder, 'bundled');
  await build({
    entryPoints: [BUILD_SCRIPT],
    outdir,
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
  await mkdir(folder, { recursive: true });
  // svgo reads its version beside its own folder.
  await writeFile(join(folder, 'package.json'), '{"type":"module","version":"0.0.0"}');
  return join(outdir, 'build.js');
}
