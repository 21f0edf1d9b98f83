import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from '@farmfe/core';
import { expect, it } from 'vitest';
import iconCatalog from '../../../src/farm.ts';
import type { Options } from '../../../src/options/options.ts';
import { makeProject, readOutput } from '../esbuild/project.ts';
import { expectRealShipped, REAL_PROJECT, realOptions } from '../esbuild/real-icons.ts';
import { TestLogger } from './test-logger.ts';

it('Farm ships and credits real icons, the same from warm caches', async () => {
  const root = await makeProject(REAL_PROJECT);
  const run = async (options?: Options): Promise<Record<string, string>> => {
    await build({
      root,
      logger: new TestLogger(),
      compilation: {
        progress: false,
        input: { main: './src/main.js' },
        output: { path: 'dist', targetEnv: 'node', entryFilename: '[entryName].js' },
        presetEnv: false,
      },
      plugins: [iconCatalog(options)],
    });
    return readOutput(join(root, 'dist'));
  };
  const output = await run(realOptions(root));
  await expectRealShipped(root, output);
  // Without options those of the project's own file hold.
  const text = `export default ${JSON.stringify(realOptions(root))}`;
  await writeFile(join(root, 'icon-catalog.config.js'), text);
  expect(await run()).toEqual(output);
});

it('wrong options are an error where they are written', () => {
  expect(() => iconCatalog({ alias: {} } as object)).toThrow(/OPTIONS_INVALID[^]*aliases/);
});
