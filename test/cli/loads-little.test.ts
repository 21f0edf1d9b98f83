import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { RECORD_LOADS } from '../support/record-loads.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCli } from './support/run-cli.ts';
import { catalogOnPort } from './support/start-catalog.ts';

const catalog = catalogOnPort({ sets: ['maki'] });

it('loads for each command what it needs, and packages of CommonJS without reading them twice', async () => {
  const root = await temporaryFolder();
  const recorder = join(root, 'recorder.mjs');
  await writeFile(recorder, RECORD_LOADS);
  await writeFile(join(root, 'main.js'), "import star from 'icon:1';\n");
  const env = {
    ...catalog.env(),
    ICON_CATALOG_CACHE_DIR: join(root, 'cache'),
    NODE_OPTIONS: `--import=${pathToFileURL(recorder).href}`,
  };

  /** Packages by how they were loaded, and the number of files of this package. */
  async function loadedBy(
    ...args: string[]
  ): Promise<{ imported: string[]; required: string[]; own: number }> {
    const record = join(root, `loaded-${args.join('-')}.txt`);
    await writeFile(record, '');
    const { code, stderr } = await runCli(args, { cwd: root, env: { ...env, LOADED: record } });
    expect(code, stderr).toBe(0);
    const lines = (await readFile(record, 'utf8')).trim().split('\n');
    const packages = (how: string): string[] => [
      ...new Set(
        lines
          .filter((line) => line.startsWith(how))
          .flatMap((line) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1] ?? []),
      ),
    ];
    return {
      imported: packages('import').sort(),
      required: packages('require').sort(),
      own: lines.filter((line) => line.includes('/dist/') && !line.includes('node_modules')).length,
    };
  }

  for (const option of ['--version', '--help']) {
    const { imported, required, own } = await loadedBy(option);
    expect({ imported, required }).toEqual({ imported: [], required: [] });
    expect(own).toBeLessThan(4);
  }

  const synced = await loadedBy('sync', '--dry-run');
  expect(synced.imported).toEqual([]);
  expect(synced.required).toEqual(['@babel/parser', 'ignore']);
  const verified = await loadedBy('verify', '--help');
  expect(verified).toEqual({ imported: [], required: [], own: verified.own });
  for (const { own } of [synced, verified]) expect(own).toBeLessThan(18);

  const asked = await loadedBy('search', 'bus', '--json');
  expect(asked.imported).toContain('oauth-1.0a');
  // Only somebody behind a proxy needs its agent.
  expect([...asked.imported, ...asked.required]).not.toContain('hpagent');
  // The second answer is the first, which was kept: nothing is signed, sent or checked.
  const searched = await loadedBy('search', 'bus');
  expect(searched).toEqual({ imported: [], required: [], own: searched.own });
  expect(searched.own).toBeLessThan(14);
  expect(catalog.calls).toHaveLength(1);
});
