import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { expect, it } from 'vitest';
import esbuildPlugin from '../../../src/esbuild.ts';
import rollupPlugin from '../../../src/rollup.ts';
import { parseManifest } from '../../support/parse-manifest.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { goneFiles, listed, listIn, optionsOf, scanSite, type Name } from './build-with.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const shows = (name: Name): string => `import icon from 'icon:${name}'; globalThis.shown = icon;`;

/** As tsup does: builds at the same time, whose files the tool writes. Those with the longest list come first. */
const TOOL = `import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { rollup } from 'rollup';
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

it('a build that runs again names no file that only its last run would have written', async () => {
  const root = await writeProject({ 'client.js': shows('home') });
  // Drawings that the project changes cannot be looked for in files.
  const svg = { optimize: false, transform: (text: string) => text };
  const run = async () => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: ['client.js'],
      entryNames: '[name]-[hash]',
      bundle: true,
      outdir: 'dist',
      write: false,
      logLevel: 'silent',
      plugins: [esbuildPlugin({ ...optionsOf(root), svg })],
    });
    const list = outputFiles.find(({ path }) => path.endsWith('.json'));
    const { icons } = parseManifest(list?.text ?? '');
    return icons.flatMap(({ usedIn }) => usedIn.map(({ file }) => join(root, 'dist', file)));
  };
  const [before] = await run();
  await writeFile(join(root, 'client.js'), `${shows('home')} console.log('more');`);
  const after = await run();
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
});

it('Rollup hands out lists and drawings as text, since Stencil writes nothing else', async () => {
  const root = await writeProject({
    'client.js':
      "export { default } from 'icon:home?url'; export { default as b } from 'icon:bus';",
  });
  const bundle = await rollup({
    input: join(root, 'client.js'),
    plugins: [rollupPlugin(optionsOf(root))],
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  const assets = output.flatMap((file) => (file.type === 'asset' ? [file] : []));
  expect(assets.map(({ source }) => typeof source)).toEqual(Array(4).fill('string'));
  const list = assets.find(({ fileName }) => fileName === 'icon-attribution.json');
  expect(listed(parseManifest(String(list?.source)))).toEqual(['home', 'bus']);
});
