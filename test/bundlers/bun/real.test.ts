import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeProject, readOutput } from '../esbuild/project.ts';
import { expectRealShipped, REAL_PROJECT, realOptions } from '../esbuild/real-icons.ts';
import { BUN } from '../../support/bun.ts';

const SCRIPT = fileURLToPath(new URL('run-real.ts', import.meta.url));

it('Bun ships and credits real icons, the same from a warm cache', async () => {
  const root = await makeProject(REAL_PROJECT);
  const options = JSON.stringify(realOptions(root));
  const run = async (...args: string[]): Promise<Record<string, string>> => {
    await promisify(execFile)(BUN, [SCRIPT, ...args], { cwd: root, timeout: 110_000 });
    return readOutput(join(root, 'dist'));
  };
  const output = await run(options);
  await expectRealShipped(root, output);
  // Without options those of the project's own file hold.
  await writeFile(join(root, 'icon-catalog.config.ts'), `export default ${options} as object;`);
  expect(await run()).toEqual(output);
});
