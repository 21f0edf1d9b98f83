import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'vite';
import { describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { BUN } from '../support/bun.ts';

const REPOSITORY = new URL('../../', import.meta.url);
const inRepository = (path: string): string => fileURLToPath(new URL(path, REPOSITORY));
const plugin = (bundler: string): string =>
  JSON.stringify(pathToFileURL(inRepository(`dist/${bundler}.js`)).href);

const OPTIONS = {
  catalog: { embedded: { sets: ['tabler', 'maki'], root: inRepository('.') } },
  aliases: {
    home: embeddedIconId('tabler', 'home'),
    star: embeddedIconId('tabler', 'star'),
    bus: embeddedIconId('maki', 'bus'),
  },
  cacheDir: '.cache',
};
const SITE = JSON.stringify({ ...OPTIONS, attribution: { site: 'dist/client' } });

const FILES = {
  'client.js': `import home from 'icon:home'; globalThis.shown = home;`,
  'server.js': `import bus from 'icon:bus'; export default bus;`,
  'vite.config.js': `
    import iconCatalog from ${plugin('vite')};
    export default ({ isSsrBuild }) => ({
      logLevel: 'silent',
      plugins: [iconCatalog(${SITE})],
      build: isSsrBuild
        ? { outDir: 'dist/server' }
        : { outDir: 'dist/client', rollupOptions: { input: 'client.js' } },
    });`,
  'farm.mjs': `
    import { build } from ${JSON.stringify(pathToFileURL(inRepository('node_modules/@farmfe/core/dist/index.js')).href)};
    import iconCatalog from ${plugin('farm')};
    const name = process.argv[2];
    await build({
      compilation: {
        progress: false,
        persistentCache: false,
        presetEnv: false,
        input: { [name]: './' + name + '.js' },
        output: { path: 'dist/' + name, targetEnv: name === 'server' ? 'node' : 'browser', entryFilename: '[entryName].js' },
      },
      plugins: [iconCatalog(${SITE})],
    });`,
  'bun.mjs': `
    import iconCatalog from ${plugin('bun')};
    const name = process.argv[2];
    await Bun.build({
      entrypoints: ['./' + name + '.js'],
      outdir: 'dist',
      target: name === 'server' ? 'bun' : 'browser',
      plugins: [iconCatalog(${JSON.stringify(OPTIONS)})],
    });`,
};

const NODE = process.execPath;
const VITE = [NODE, inRepository('node_modules/vite/bin/vite.js'), 'build'];
const SSR = [...VITE, '--ssr', 'server.js'];

/** What `npm run` would do: a process of its own. */
async function run(root: string, command: readonly string[]): Promise<void> {
  const [file = '', ...args] = command;
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  const env = { PATH, TMPDIR, HOME: root, NO_COLOR: '1' };
  await promisify(execFile)(file, args, { cwd: root, env, timeout: 110_000 });
}

async function manifestIn(folder: string): Promise<Manifest> {
  const file = (await readTree(folder)).get('icon-attribution.json');
  return parseManifest(String(file));
}

/** Titles, builds, and whether that is all. */
async function reported(folder: string): Promise<unknown> {
  const { icons, builds, complete } = await manifestIn(folder);
  return [icons.map(({ title }) => title), builds.map(({ id }) => id), complete];
}

const PAGES = ['icon-attribution.html', 'icon-attribution.json', 'icon-attribution.md'];

describe('client and server, built by two processes', () => {
  it('share one list, which follows each of their builds, until one is gone', async () => {
    const root = await writeProject(FILES);
    const [client, server] = [join(root, 'dist/client'), join(root, 'dist/server')];
    await run(root, VITE);
    expect(await reported(client)).toEqual([['Home'], ['client.client'], true]);
    await run(root, SSR);
    expect(await reported(client)).toEqual([
      ['Bus', 'Home'],
      ['client.client', 'server.ssr.server'],
      true,
    ]);
    expect([...(await readTree(server)).keys()]).toEqual(['server.js']);
    expect(
      [...(await readTree(client)).keys()].filter((name) => !name.startsWith('assets')),
    ).toEqual(PAGES);
    await writeFiles(root, {
      'client.js': `import star from 'icon:star'; globalThis.shown = star;`,
    });
    await run(root, VITE);
    expect(await reported(client)).toEqual([
      ['Bus', 'Star'],
      ['client.client', 'server.ssr.server'],
      true,
    ]);
    await rm(server, { recursive: true });
    await run(root, VITE);
    expect(await reported(client)).toEqual([['Star'], ['client.client'], true]);
  });

  it('share it when the server is built before the client empties the folder', async () => {
    const root = await writeProject(FILES);
    let built: Promise<void> | undefined;
    const meanwhile: Plugin = {
      name: 'meanwhile',
      // Modules are transformed at the same time, and Vite 8.4 refuses a second command like the one that runs.
      transform: () => (built ??= run(root, SSR)),
    };
    await build({ root, plugins: [meanwhile] });
    expect(await reported(join(root, 'dist/client'))).toEqual([
      ['Bus', 'Home'],
      ['client.client', 'server.ssr.server'],
      true,
    ]);
  });

  it('share it when they run at the same time', async () => {
    const root = await writeProject(FILES);
    // Vite 8.4 refuses a second command like the one that runs; older ones do not know `--bypass-lock`.
    await Promise.all([run(root, VITE), run(root, [...SSR, '--mode', 'server'])]);
    const list = join(root, 'dist/client');
    expect(await reported(list)).toEqual([
      ['Bus', 'Home'],
      ['client.client', 'server.ssr.server'],
      true,
    ]);
    const page = String((await readTree(list)).get('icon-attribution.html'));
    expect([page.includes('Home'), page.includes('Bus')]).toEqual([true, true]);
  });
});

describe('builds of one bundler by two processes', () => {
  it('of Farm report both', async () => {
    const root = await writeProject(FILES);
    await run(root, [NODE, 'farm.mjs', 'client']);
    await run(root, [NODE, 'farm.mjs', 'server']);
    const { icons, complete, builds } = await manifestIn(join(root, 'dist/client'));
    expect(icons.map(({ title, usedIn }) => [title, usedIn[0]?.file])).toEqual([
      ['Bus', 'server.js'],
      ['Home', 'client.js'],
    ]);
    expect([complete, builds.map(({ id, folder }) => [id, folder])]).toEqual([
      true,
      [
        ['farm.client', undefined],
        ['server.farm.server', '../server'],
      ],
    ]);
  });

  it('of Bun do not overwrite what the other said of the folder', async () => {
    const root = await writeProject(FILES);
    for (const name of ['client', 'server', 'client']) await run(root, [BUN, 'bun.mjs', name]);
    expect(await reported(join(root, 'dist'))).toEqual([
      ['Bus', 'Home'],
      ['bun.client', 'bun.server'],
      true,
    ]);
  });
});

it('of a tool whose root is in its own package belong to the project in which it runs', async () => {
  const root = await writeProject({
    'client.js': FILES['client.js'],
    // As Ladle does.
    'node_modules/tool/app/index.html':
      '<script type="module">import "../../../client.js"</script>',
    'node_modules/tool/run.mjs': `
      import { join } from 'node:path';
      import { build } from ${JSON.stringify(pathToFileURL(inRepository('node_modules/vite/dist/node/index.js')).href)};
      import iconCatalog from ${plugin('vite')};
      await build({
        root: join(import.meta.dirname, 'app'),
        configFile: false,
        logLevel: 'silent',
        plugins: [iconCatalog(${JSON.stringify(OPTIONS)})],
        build: { outDir: join(process.cwd(), 'build') },
      });`,
  });
  await run(root, [NODE, 'node_modules/tool/run.mjs']);
  const files = [...(await readTree(root)).keys()];
  expect(files.filter((path) => path.endsWith('icons.lock'))).toEqual(['icons.lock']);
  expect(files.filter((path) => path.includes('.cache/')).length).toBeGreaterThan(0);
  expect(files.filter((path) => /^node_modules\/tool\/app\/./.test(path))).toEqual([
    'node_modules/tool/app/index.html',
  ]);
  expect(await reported(join(root, 'build'))).toEqual([['Home'], ['client'], true]);
});
