import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeProject, readOutput, runOutput } from '../esbuild/project.ts';
import { REAL_PROJECT, REAL_TITLES, realManifest, realOptions } from '../esbuild/real-icons.ts';

const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
const SCRIPT = fileURLToPath(new URL('run-real.ts', import.meta.url));

it('Bun ships and credits real icons, the same from a warm cache', async () => {
  const root = await makeProject(REAL_PROJECT);
  const options = JSON.stringify(realOptions(root));
  const run = async (...args: string[]): Promise<Record<string, string>> => {
    await promisify(execFile)(BUN, [SCRIPT, ...args], { cwd: root, timeout: 50_000 });
    return readOutput(join(root, 'dist'));
  };
  const output = await run(options);
  expect(realManifest(output)).toEqual({ titles: REAL_TITLES, missing: [], others: [] });
  const shown = await runOutput(join(root, 'dist/main.js'));
  expect(shown.markup[0]).toMatch(/^<svg [^]*#ff0000/);
  expect(shown.markup[1]).toBe(shown.markup[0]);
  expect(shown.credits).toHaveLength(REAL_TITLES.length);
  expect(shown.lazy[0]).toContain('currentColor');
  // Without options those of the project's own file hold.
  await writeFile(join(root, 'icon-catalog.config.ts'), `export default ${options} as object;`);
  expect(await run()).toEqual(output);
});
