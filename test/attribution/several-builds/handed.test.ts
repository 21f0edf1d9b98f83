import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readTree, writeProject } from '../../support/write-project.ts';
import { goneFiles, listed, listIn, optionsOf, scanSite, type Name } from './build-with.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const shows = (name: Name): string => `import icon from 'icon:${name}'; globalThis.shown = icon;`;

/** As tsup does: builds at the same time, whose files the tool writes. Those with the longest list come first. */
const TOOL = `import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import iconCatalog from './catalog/dist/esbuild.js';
const given = JSON.parse(process.argv[2]);
const builds = [['client.js', 'esm'], ['client.js', 'cjs'], ['server.js', 'esm']];
const results = await Promise.all(builds.map(([entry, format]) => build({
  entryPoints: [entry], format, bundle: true, outdir: 'dist', write: false, logLevel: 'silent',
  outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' }, plugins: [iconCatalog(given)],
})));
const listOf = ({ outputFiles }) => outputFiles.find(({ path }) => path.endsWith('.json')).text;
for (const { outputFiles } of results.sort((a, b) => listOf(b).length - listOf(a).length))
  for (const { path, contents } of process.env.KEEP ? [] : outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
`;

it('builds whose files a tool writes have one list, in whatever order it writes them', async () => {
  const root = await writeProject({
    'client.js': shows('home'),
    'server.js': shows('bus'),
    'build.mjs': TOOL,
  });
  await symlink(MODULES, join(root, 'node_modules'));
  await symlink(REPOSITORY, join(root, 'catalog'));
  const given = JSON.stringify(optionsOf(root));
  const run = (env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, ['build.mjs', given], {
      cwd: root,
      env: { ...process.env, ...env },
    });
  const dist = join(root, 'dist');
  await run({ KEEP: 'in memory' });
  expect((await readTree(dist)).size).toBe(0);
  for (let times = 0; times < 2; times += 1) {
    await run();
    const list = await listIn(dist);
    expect(listed(list)).toEqual(await scanSite(dist));
    expect(listed(list)).toEqual(['home', 'bus']);
    expect(await goneFiles(dist)).toEqual([]);
    expect(list.builds.map(({ id }) => id)).toEqual([
      'esbuild.cjs.client',
      'esbuild.client',
      'esbuild.server',
    ]);
  }
});
