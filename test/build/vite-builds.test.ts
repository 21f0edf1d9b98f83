import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  build,
  createBuilder,
  createLogger,
  preview,
  version,
  type InlineConfig,
  type Plugin,
} from 'vite';
import { printSummaries } from '../../src/build/finish-build.ts';
import { createSession } from '../../src/build/session.ts';
import { createVitePlugin } from '../../src/bundlers/vite/plugin.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const aliases = {
  home: embeddedIconId('tabler', 'home'),
  bus: embeddedIconId('maki', 'bus'),
  star: embeddedIconId('tabler', 'star'),
  lion: embeddedIconId('game-icons', 'lion'),
};

/** The Vite that Astro 5 brings along. */
const vite6 = (await import(
  pathToFileURL(createRequire(import.meta.resolve('astro/package.json')).resolve('vite')).href
)) as { version: string; build: typeof build };
const vite7 = (await import('vite7')) as unknown as typeof vite6;

async function manifestIn(folder: string): Promise<Manifest> {
  const file = (await readTree(folder)).get('icon-attribution.json');
  return parseManifest(file?.toString() ?? '');
}

/** Paths of the lists of credits, wherever they lie. */
async function listsIn(root: string): Promise<string[]> {
  const paths = [...(await readTree(root)).keys()];
  return paths.filter((path) => path.endsWith('icon-attribution.json'));
}

async function setUp(files: Record<string, string>) {
  const catalog = await startCountingCatalog();
  onTestFinished(() => catalog.close());
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const options: Options = {
    catalog: { baseUrl, key, secret },
    aliases,
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
  };
  const plugin = () => vitePlugin(options);
  const config: InlineConfig = { root, configFile: false, logLevel: 'silent', plugins: [plugin()] };
  return { catalog, root, plugin, options, config };
}

describe('builds of Vite', () => {
  it('put files of icons into the script of a library, as Vite does with its own', async () => {
    const { root, config } = await setUp({
      'index.js': `export { default as bus } from 'icon:bus?url';
        export { default as picture } from 'icon:lion?filetype=png&size=20';`,
    });
    const lib = { entry: join(root, 'index.js'), formats: ['es' as const], fileName: 'index' };
    await build({ ...config, build: { lib } });
    const files = await readTree(join(root, 'dist'));
    const scripts = [...files.keys()].filter((path) => !path.startsWith('icon-attribution'));
    expect(scripts).toEqual(['index.js']);
    const { bus, picture } = (await import(join(root, 'dist/index.js'))) as Record<string, string>;
    expect(decodeURIComponent(bus ?? '')).toMatch(/^data:image\/svg\+xml,<svg[^]*<path/);
    expect(picture).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    const { icons } = await manifestIn(join(root, 'dist'));
    expect(icons.map(({ title, usedIn }) => [title, usedIn[0]?.file])).toEqual([
      ['Bus', 'index.js'],
      ['Lion', 'index.js'],
    ]);
  });

  it('refuse a sprite in a library, whose users do not serve the file', async () => {
    const { root, config } = await setUp({
      'index.js': `export { default as bus } from 'icon:bus?sprite&size=24';`,
    });
    const lib = { entry: join(root, 'index.js'), formats: ['es' as const], fileName: 'index' };
    await expect(build({ ...config, build: { lib } })).rejects.toThrow(
      /SPECIFIER_INVALID[^]*icon:bus\?sprite&size=24[^]*`build\.lib`[^]*imported by [^\n]*index\.js[^]*as=svg/,
    );
  });

  it('of the server keep the addresses of the client and emit no files of their own', async () => {
    const { root, config } = await setUp({
      'client.js': `import bus from 'icon:bus?url'; console.log(bus);`,
      'server.js': `import bus from 'icon:bus?url'; import home from 'icon:home'; export default [bus, home];`,
    });
    await build({
      ...config,
      build: { outDir: 'dist/client', rollupOptions: { input: join(root, 'client.js') } },
    });
    await build({ ...config, build: { ssr: join(root, 'server.js'), outDir: 'dist/server' } });
    const client = await readTree(join(root, 'dist/client'));
    const address = [...client.keys()].find((path) => path.endsWith('.svg'));
    expect(address).toMatch(/^assets\/bus/);
    const server = await readTree(join(root, 'dist/server'));
    expect(server.get('server.js')?.toString()).toContain(`/${address}`);
    expect([...server.keys()].filter((path) => path.endsWith('.svg'))).toEqual([]);
    const { icons, builds } = await manifestIn(join(root, 'dist/server'));
    expect(icons.map(({ title, usedIn }) => [title, usedIn[0]?.build, usedIn[0]?.kind])).toEqual([
      ['Home', 'ssr.server', 'server-only'],
    ]);
    expect(builds.map(({ consumer }) => consumer)).toEqual(['server']);
  });

  it.each(['build/server', 'build/server/edge'])(
    'of React Router, one after the other under a builder that is not used, are one site: %s',
    async (outDir) => {
      const { root, plugin, config } = await setUp({
        'client.js': `import bus from 'icon:bus'; console.log(bus);`,
        'server.js': `import bus from 'icon:bus'; import home from 'icon:home'; export default [bus, home];`,
      });
      const both = {
        ...config,
        plugins: [plugin(), { name: 'react-router' }],
        builder: { buildApp: () => Promise.reject(new Error('is not called')) },
      };
      const side = { emptyOutDir: true, minify: false };
      await build({
        ...both,
        build: {
          ...side,
          outDir: 'build/client',
          rollupOptions: { input: join(root, 'client.js') },
        },
      });
      expect(await manifestIn(join(root, 'build/client'))).toMatchObject({ complete: true });
      await build({ ...both, build: { ...side, ssr: join(root, 'server.js'), outDir } });
      const files = [...(await readTree(join(root, 'build'))).keys()];
      expect(files.filter((path) => path.endsWith('icon-attribution.json'))).toEqual([
        'client/icon-attribution.json',
      ]);
      const { complete, builds, icons } = await manifestIn(join(root, 'build/client'));
      expect([complete, builds.map(({ id }) => id)]).toEqual([true, ['client', 'ssr']]);
      expect(icons.map(({ title }) => title)).toEqual(['Bus', 'Home']);
    },
  );

  it('of SvelteKit 3 are environments of one site, and none of its plugins changes a page', async () => {
    const { root, options, config } = await setUp({
      'client.js': `import bus from 'icon:bus'; console.log(bus);`,
      'server.js': `import bus from 'icon:bus'; import home from 'icon:home'; export default [bus, home];`,
    });
    const customLogger = createLogger('silent');
    const lines: string[] = [];
    customLogger.info = (line) => void lines.push(line);
    const changing: string[] = [];
    const side = (name: string, outDir: string) => ({
      consumer: name === 'client' ? ('client' as const) : ('server' as const),
      build: { outDir, rollupOptions: { input: join(root, `${name}.js`) } },
    });
    const kit: Plugin = {
      name: 'vite-plugin-sveltekit-setup',
      config: () => ({
        base: './',
        define: { __SVELTEKIT_PATHS_BASE__: '"/app"' },
        environments: {
          ssr: side('server', '.svelte-kit/output/server'),
          client: side('client', '.svelte-kit/output/client'),
        },
        builder: {
          async buildApp(builder) {
            for (const environment of Object.values(builder.environments))
              await builder.build(environment);
          },
        },
      }),
      // Its own check, which warns.
      configResolved({ plugins }) {
        for (const each of plugins)
          if (each.transformIndexHtml !== undefined) changing.push(each.name);
      },
    };
    const plugins = [vitePlugin({ ...options, logLevel: 'info' }), kit];
    const builder = await createBuilder({ ...config, customLogger, plugins });
    await builder.buildApp();
    // Preview prints what the process has built.
    const served = { port: 0, host: '127.0.0.1' };
    await (await preview({ ...config, customLogger, plugins, preview: served })).close();
    expect(lines).toContainEqual(
      expect.stringContaining('attribution: /app/icon-attribution.html'),
    );
    expect(changing.filter((name) => !name.startsWith('vite:'))).toEqual([]);
    expect(await listsIn(root)).toEqual(['.svelte-kit/output/client/icon-attribution.json']);
    const { complete, icons } = await manifestIn(join(root, '.svelte-kit/output/client'));
    expect([complete, icons.map(({ title }) => title)]).toEqual([true, ['Bus', 'Home']]);
  });

  it('of a server that renders pages and is deleted are credited with the pages', async () => {
    const { root, config, plugin } = await setUp({
      'index.html': '<script type="module" src="/client.js"></script>',
      'client.js': `import bus from 'icon:bus'; console.log(bus);`,
      'server.js': `import bus from 'icon:bus'; import home from 'icon:home'; export default [bus, home];`,
    });
    const made: string[] = [];
    // As vite-ssg and vite-react-ssg build, in one process, each time into another folder.
    for (const temporary of ['.vite-ssg-temp/9d4jf2', '.vite-react-ssg-temp/x3ghou']) {
      await build({ ...config, plugins: [plugin()], build: { outDir: 'site' } });
      const server = { ssr: join(root, 'server.js'), outDir: temporary };
      await build({ ...config, plugins: [plugin()], build: server });
      expect(await listsIn(root)).toEqual(['site/icon-attribution.json']);
      const { complete, builds, icons } = await manifestIn(join(root, 'site'));
      expect([complete, icons.map(({ title }) => title)]).toEqual([true, ['Bus', 'Home']]);
      const text = JSON.stringify(builds);
      expect(text).not.toMatch(/9d4jf2|x3ghou/);
      made.push(text.replace('-react', ''));
    }
    expect(made[1]).toBe(made[0]);
  });

  it.each([
    ['SvelteKit', { name: 'vite-plugin-sveltekit-setup' }, {}],
    ['Nuxt', { name: 'nuxt:paths' }, { site: () => '/site', base: () => '/app/' }],
  ])('of Storybook in a project of %s are a site of their own', async (_, framework, project) => {
    const { root, options, config } = await setUp({
      'index.html': '<img src="icon:bus"><script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home'; console.log(home);`,
    });
    const customLogger = createLogger('silent');
    const lines: string[] = [];
    customLogger.info = (line) => void lines.push(line);
    const session = createSession({ ...options, logLevel: 'info' }, 'vite');
    const ours = createVitePlugin(options, session, project);
    const outDir = 'storybook-static';
    const plugins = [ours, framework, { name: 'storybook:config-plugin' }];
    await build({ ...config, customLogger, plugins, base: './', build: { outDir } });
    expect(await listsIn(root)).toEqual(['storybook-static/icon-attribution.json']);
    const { complete, icons } = await manifestIn(join(root, outDir));
    expect([complete, icons.map(({ title }) => title)]).toEqual([true, ['Bus', 'Home']]);
    printSummaries();
    const said = lines.find((line) => line.includes('attribution: '));
    expect(said).toMatch(/attribution: \S+storybook-static.icon-attribution\.json/);
  });

  it.each<[6 | 7 | 8, typeof build]>([
    [8, build],
    [7, vite7.build],
    [6, vite6.build],
  ])(
    'credit icons of workers, whether or not the plugin is in `worker.plugins`, with Vite %s',
    async (major, buildWith) => {
      expect({ 6: vite6.version, 7: vite7.version, 8: version }[major]).toMatch(
        new RegExp(`^${major}\\.`),
      );
      const { root, config, plugin, catalog } = await setUp({
        'index.html': '<script type="module" src="/main.js"></script>',
        'main.js': `import home from 'icon:home'; import Inline from './inline.js?worker&inline'; console.log(home, new Inline(), new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));`,
        'worker.js': `import lion from 'icon:lion'; postMessage(lion);`,
        'inline.js': `import bus from 'icon:bus'; postMessage(bus);`,
      });
      const listed: string[][] = [];
      const lister: Plugin = {
        name: 'lister',
        configResolved: ({ plugins }) => void listed.push(plugins.map(({ name }) => name)),
      };
      const lists = [() => [lister], () => [lister, Promise.resolve([plugin()])]];
      for (const plugins of lists) {
        await buildWith({ ...config, worker: { format: 'es', plugins } });
        const { icons } = await manifestIn(join(root, 'dist'));
        expect(icons.map(({ title }) => title)).toEqual(['Bus', 'Home', 'Lion']);
        const files = await readTree(join(root, 'dist'));
        for (const { usedIn } of icons)
          for (const { file } of usedIn) expect([...files.keys()]).toContain(file);
      }
      // Two workers in each of two builds, each with the plugin once.
      const ours = listed.map((names) => names.filter((name) => name === 'unplugin-icon-catalog'));
      expect(ours.map((names) => names.length)).toEqual([1, 1, 1, 1]);
      // A record and a file for each of the three icons: the second build has them from the cache.
      expect(catalog.calls).toHaveLength(6);
    },
  );

  it.each([
    ['6', vite6],
    ['7', vite7],
    ['8', { build }],
  ])(
    'fail for what workers lack, and name it beside what the page lacks, with Vite %s',
    async (_, { build: buildWith }) => {
      const { root, options, config } = await setUp({
        'worker.html': '<script type="module" src="./worker-only.js"></script>',
        'worker-only.js': `import W from './worker.js?worker'; new W();`,
        'index.html': '<script type="module" src="./main.js"></script>',
        'main.js': `import home from 'icon:home'; import Inline from './inline.js?worker&inline'; console.log(home, new Inline(), new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }));`,
        'worker.js': `import lion from 'icon:lion'; import Inner from './inner.js?worker'; postMessage(lion); new Inner();`,
        'inner.js': `import bus from 'icon:bus'; postMessage(bus);`,
        'inline.js': `import star from 'icon:star'; postMessage(star);`,
      });
      const own = vitePlugin({ ...options, mode: 'locked' });
      const locked: InlineConfig = { ...config, plugins: [own], worker: { format: 'es' } };
      const failed = buildWith({ ...locked });
      await expect(failed).rejects.toThrow(/LOCK_MISSING\] 4 icons are not in icons\.lock/);
      await expect(failed).rejects.toThrow(
        /icon:bus, imported by [^]*inner\.js[^]*icon:home,[^]*icon:lion,[^]*icon:star,/,
      );
      const rollupOptions = { input: join(root, 'worker.html') };
      const worker = buildWith({ ...locked, build: { rollupOptions } });
      await expect(worker).rejects.toThrow(/LOCK_MISSING\] 2 icons are not in icons\.lock/);
      expect([...(await readTree(root)).keys()].filter((path) => path.startsWith('dist'))).toEqual(
        [],
      );
    },
  );

  it('name no file that does not exist where a worker is imported and never made', async () => {
    const { root, config, plugin } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home'; import Unused from './worker.js?worker'; import Inline from './inline.js?worker&inline'; console.log(home);`,
      'worker.js': `import lion from 'icon:lion'; postMessage(lion);`,
      'inline.js': `import bus from 'icon:bus?url'; postMessage(bus);`,
    });
    await build({ ...config, worker: { format: 'es', plugins: () => [plugin()] } });
    const files = await readTree(join(root, 'dist'));
    const { icons } = await manifestIn(join(root, 'dist'));
    expect(icons.map(({ title }) => title)).toEqual(['Bus', 'Home']);
    // Vite leaves out the script of such a worker, and writes the files that it has emitted.
    expect([...files.keys()].filter((path) => /worker|inline/.test(path))).toEqual([]);
    for (const { usedIn } of icons)
      for (const { file } of usedIn) expect([...files.keys()]).toContain(file);
  });

  it('have their line at once while they watch', async () => {
    const { root, catalog } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home'; console.log(home);`,
    });
    const { url: baseUrl, key, secret } = catalog;
    const customLogger = createLogger('info');
    const lines: string[] = [];
    customLogger.info = (line) => void lines.push(line);
    const watcher = await build({
      root,
      configFile: false,
      customLogger,
      plugins: [
        vitePlugin({ catalog: { baseUrl, key, secret }, aliases, cacheDir: join(root, '.cache') }),
      ],
      build: { watch: {} },
    });
    if (!('close' in watcher)) throw new TypeError('does not watch');
    await new Promise<void>((resolve) => {
      watcher.on('event', ({ code }) => {
        if (code === 'END') resolve();
      });
    });
    await watcher.close();
    expect(lines.join('\n')).toMatch(/1 icon in 1 variant .* attribution: [^ ]*dist\/icon-/);
  });

  it('have their line as soon as the same process serves what it has built', async () => {
    const { root, catalog } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home'; document.body.innerHTML = home;`,
    });
    const lines: string[] = [];
    const customLogger = createLogger('silent');
    customLogger.info = (line) => void lines.push(line);
    const { url: baseUrl, key, secret } = catalog;
    const options = { catalog: { baseUrl, key, secret }, aliases, cacheDir: join(root, '.cache') };
    const config = { root, configFile: false as const, customLogger };
    await build({ ...config, plugins: [vitePlugin(options)] });
    const isSummary = (line: string): boolean => line.includes('vite: 1 icon in 1 variant');
    expect(lines.filter(isSummary)).toEqual([]);
    const server = await preview({
      ...config,
      plugins: [vitePlugin(options)],
      preview: { port: 0, host: '127.0.0.1' },
    });
    await server.close();
    expect(lines.filter(isSummary)).toHaveLength(1);
  });

  it('warn once of an address that nothing replaces', async () => {
    const { root, options } = await setUp({
      'index.html': '<img src="icon:bus"><script type="module" src="/main.js"></script>',
      'main.js': `import './app.jsx'; import './app.css'; import App from './App.vue'; import Page from './Page.svelte'; console.log(App, Page);`,
      'app.jsx': `export const app = <img src="icon:bus?size=32" alt="Bus" />; console.log(app, 'icon:home');`,
      'app.css': `.a { background: url('icon:lion'); }`,
      'App.vue': `<template><img src="icon:star" alt="Star"></template>`,
      'Page.svelte': `<img src="icon:home" alt="Home">`,
      'server.js': `import { app } from './app.jsx'; export default app;`,
    });
    const customLogger = createLogger('silent');
    const lines: string[] = [];
    customLogger.warn = (line) => void lines.push(line);
    const plugins = [vitePlugin(options), vue(), svelte({ configFile: false })];
    const config = { root, configFile: false as const, customLogger, plugins };
    const rollupOptions = { external: [/^svelte/, /^vue/, /^react/] };
    await build({ ...config, build: { rollupOptions } });
    await build({ ...config, build: { rollupOptions, ssr: 'server.js', outDir: 'server' } });
    const warnings = lines.filter((line) => line.includes('no browser can load'));
    expect(warnings.toSorted()).toEqual([
      expect.stringMatching(
        /`icon:bus\?size=32` in .*app\.jsx is .*`import address from 'icon:bus\?size=32&url'`/,
      ),
      expect.stringMatching(/`icon:home` in .*Page\.svelte is/),
    ]);
  });

  it('read the `.env` files of a project of Quasar, which reads them in place of Vite', async () => {
    const { root, catalog } = await setUp({ 'index.js': `import 'icon:bus';` });
    await writeFiles(root, {
      '.env.local': `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${catalog.key}\nICON_CATALOG_SECRET=${catalog.secret}\n`,
    });
    const run = (...others: Plugin[]) =>
      build({
        root,
        envDir: false,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin({ aliases, cacheDir: join(root, '.cache') }), ...others],
        build: { rollupOptions: { input: join(root, 'index.js') } },
      });
    await expect(run()).rejects.toThrow('CATALOG_NOT_CONFIGURED');
    await run({ name: 'vite:quasar:vite-conf' });
    expect(catalog.calls).toHaveLength(2);
  });

  it('warn of addresses in pages of Astro that are rendered for each request, and of no others', async () => {
    const { root, options } = await setUp({
      'ahead.js': `export { default } from './Ahead.astro';`,
      'server.js': `export { default } from './Late.astro';`,
      'Ahead.astro': `export default '<img src="icon:bus">';`,
      'Late.astro': `export default '<img src="icon:home">';`,
    });
    const customLogger = createLogger('silent');
    const lines: string[] = [];
    customLogger.warn = (line) => void lines.push(line);
    const side = (input: string) => ({
      consumer: 'server' as const,
      build: { outDir: `dist/${input}`, rollupOptions: { input: join(root, `${input}.js`) } },
    });
    const builder = await createBuilder({
      root,
      configFile: false,
      customLogger,
      plugins: [vitePlugin(options)],
      environments: { prerender: side('ahead'), ssr: side('server') },
      builder: {
        async buildApp({ build: run, environments: { prerender, ssr } }) {
          for (const one of [prerender, ssr]) if (one !== undefined) await run(one);
        },
      },
    });
    await builder.buildApp();
    expect(lines.filter((line) => line.includes('no browser can load'))).toEqual([
      expect.stringMatching(/`icon:home` in .*Late\.astro is/),
    ]);
  });

  it('credit icons in the page into which a later step has put the scripts', async () => {
    const { root, config } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home'; import lion from 'icon:lion?filetype=png&as=data&size=20'; console.log(home, lion);`,
      'server.js': `import bus from 'icon:bus'; export default bus;`,
    });
    const single: Plugin = {
      name: 'single-file',
      enforce: 'post',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          for (const script of Object.values(bundle)) {
            if (script.type !== 'chunk') continue;
            for (const page of Object.values(bundle))
              if (page.type === 'asset' && page.fileName.endsWith('.html'))
                page.source = (page.source as string).replace(
                  /<script type="module" [^]*?<\/script>/,
                  () => `<script type="module">${script.code}</script>`,
                );
            Reflect.deleteProperty(bundle, script.fileName);
          }
        },
      },
    };
    await build({ ...config, plugins: [config.plugins, single] });
    const { icons } = await manifestIn(join(root, 'dist'));
    const place = { build: 'client', file: 'index.html', kind: 'inline-html' };
    expect(icons.map(({ title, usedIn }) => [title, usedIn])).toEqual([
      ['Home', [place]],
      ['Lion', [place]],
    ]);
  });

  it.each([
    ['8', build, undefined],
    ['8, drawings that the project changes', build, (svg: string) => svg],
    ['7', vite7.build, undefined],
    ['6', vite6.build, undefined],
  ])(
    'credit icons of files that a plugin has compressed and removed, Vite %s',
    async (_, run, transform) => {
      const { root, config, options } = await setUp({
        'index.html': '<script type="module" src="/main.js"></script>',
        'main.js': `import './style.css';
          import home from 'icon:home';
          import lion from 'icon:lion?as=url';
          import star from 'icon:star?as=sprite';
          console.log(home, lion, star);`,
        'style.css': '.bus { background: url("icon:bus?color=000&as=data") }',
      });
      const compress: Plugin = {
        name: 'compress',
        enforce: 'post',
        generateBundle(_output, bundle) {
          for (const file of Object.values(bundle)) {
            const content = file.type === 'chunk' ? file.code : file.source;
            const fileName = `${file.fileName}.gz`;
            this.emitFile({ type: 'asset', fileName, source: gzipSync(content) });
            Reflect.deleteProperty(bundle, file.fileName);
          }
        },
      };
      await run({
        ...config,
        plugins: [vitePlugin({ ...options, ...(transform && { svg: { transform } }) }), compress],
        build: { assetsInlineLimit: (file) => !file.endsWith('.svg') },
      });
      const { icons } = await manifestIn(join(root, 'dist'));
      const places = icons.flatMap(({ title, usedIn }) =>
        usedIn.map(({ file, kind }) => [title, kind, /\.\w+(?:\.gz)?$/.exec(file)?.[0]]),
      );
      expect(places).toEqual([
        ['Bus', 'inline-css', '.css.gz'],
        ['Home', 'inline-js', '.js.gz'],
        ['Lion', 'asset', '.svg.gz'],
        // A drawing that the project changes has no symbol.
        ['Star', ...(transform ? ['inline-js', '.js.gz'] : ['sprite-symbol', '.svg.gz'])],
      ]);
    },
  );

  it('of two environments fetch an icon once', async () => {
    const { catalog, root, config } = await setUp({
      'client.js': `import home from 'icon:home?color=f00'; console.log(home);`,
      'server.js': `import home from 'icon:home'; export default home;`,
    });
    const builder = await createBuilder({
      ...config,
      environments: {
        client: {
          build: { outDir: 'dist/client', rollupOptions: { input: join(root, 'client.js') } },
        },
        ssr: {
          build: {
            ssr: true,
            outDir: 'dist/server',
            rollupOptions: { input: join(root, 'server.js') },
          },
        },
      },
      builder: {
        sharedConfigBuild: true,
        buildApp: async (app) => {
          await Promise.all(
            Object.values(app.environments).map((environment) => app.build(environment)),
          );
        },
      },
    });
    await builder.buildApp();
    expect(catalog.calls).toHaveLength(2);
    const { icons, builds } = await manifestIn(join(root, 'dist/client'));
    expect(icons.map(({ title }) => title)).toEqual(['Home']);
    expect(builds.map(({ id }) => id)).toEqual(['client', 'ssr']);
  });

  it('follow base and take options from .env files', async () => {
    const { catalog, root } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import bus from 'icon:bus?url'; console.log(bus);`,
    });
    await writeFiles(root, {
      '.env': `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${catalog.key}\nICON_CATALOG_SECRET=${catalog.secret}\n`,
    });
    const plugins = [vitePlugin({ aliases, cacheDir: join(root, '.cache'), logLevel: 'silent' })];
    await build({ root, configFile: false, logLevel: 'silent', base: '/sub/', plugins });
    const files = await readTree(join(root, 'dist'));
    const code = [...files].find(([path]) => path.endsWith('.js'))?.[1].toString();
    expect(code).toMatch(/"\/sub\/assets\/bus[^"]*\.svg"|`\/sub\/assets\/bus[^`]*\.svg`/);
  });

  it('say how to configure a catalog if none is configured', async () => {
    const { root } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import bus from 'icon:bus'; console.log(bus);`,
    });
    const plugins = [vitePlugin({ aliases, cacheDir: join(root, '.cache'), logLevel: 'silent' })];
    const failed = build({ root, configFile: false, logLevel: 'silent', plugins });
    await expect(failed).rejects.toThrow(
      /CATALOG_NOT_CONFIGURED[\s\S]*ICON_CATALOG_URL[\s\S]*catalog: 'embedded'/,
    );
  });
});
