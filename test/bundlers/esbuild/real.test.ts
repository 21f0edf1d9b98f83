import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import iconCatalog from '../../../src/esbuild.ts';
import { makeProject, readOutput } from './project.ts';
import { expectRealShipped, REAL_PROJECT, realOptions } from './real-icons.ts';

it('esbuild ships and credits real icons, the same from a warm cache', async () => {
  const root = await makeProject(REAL_PROJECT);
  const run = async (): Promise<Record<string, string>> => {
    await build({
      absWorkingDir: root,
      entryPoints: ['src/main.js'],
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      outdir: 'dist',
      plugins: [iconCatalog(realOptions(root))],
    });
    return readOutput(join(root, 'dist'));
  };
  const output = await run();
  await expectRealShipped(root, output);
  expect(await run()).toEqual(output);
});

it('wrong options are an error where they are written', () => {
  expect(() => iconCatalog({ alias: {} } as object)).toThrow(/OPTIONS_INVALID[^]*aliases/);
});
