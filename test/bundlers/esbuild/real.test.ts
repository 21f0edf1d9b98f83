import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import iconCatalog from '../../../src/esbuild.ts';
import { makeProject, readOutput, runOutput } from './project.ts';
import { REAL_PROJECT, REAL_TITLES, realManifest, realOptions } from './real-icons.ts';

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
  expect(realManifest(output)).toEqual({ titles: REAL_TITLES, missing: [], others: [] });
  const shown = await runOutput(join(root, 'dist/main.js'));
  expect(shown.markup[0]).toMatch(/^<svg [^]*#ff0000/);
  expect(shown.markup[1]).toBe(shown.markup[0]);
  expect(shown.credits).toHaveLength(REAL_TITLES.length);
  expect(shown.lazy[0]).toContain('currentColor');
  expect(await run()).toEqual(output);
});

it('wrong options are an error where they are written', () => {
  expect(() => iconCatalog({ alias: {} } as object)).toThrow(/OPTIONS_INVALID[^]*aliases/);
});
