import { symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import type { AcceptedPlugin } from 'postcss';
import { presetMini } from '@unocss/preset-mini';
import unoCss from '@unocss/vite';
import { build, createLogger, type InlineConfig, resolveConfig } from 'vite';
import * as vite7 from 'vite7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from './style-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const VUE = fileURLToPath(
  new URL('../../node_modules/vue/dist/vue.runtime.esm-bundler.js', import.meta.url),
);
const PAGE = '<!doctype html><div id="app"></div><script type="module" src="/main.js"></script>';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

interface Watcher {
  on(name: 'event', listen: (event: { code: string; error?: unknown }) => void): void;
  close(): Promise<void>;
}

interface Built {
  files: Map<string, string>;
  /** All style sheets of the output, one after the other. */
  css: string;
  manifest: Manifest;
  warnings: string[];
}

async function buildProject(
  files: Record<string, string>,
  config: InlineConfig = {},
  options: Options = {},
  run: typeof build = build,
): Promise<Built & { root: string; again: (config?: InlineConfig) => Promise<Built> }> {
  const root = await writeProject({ 'index.html': PAGE, ...files });
  const again = async (more: InlineConfig = {}): Promise<Built> => {
    const warnings: string[] = [];
    const warn = (message: string): void => {
      // How long a busy machine took is no matter of ours.
      if (!message.includes('PLUGIN_TIMINGS')) warnings.push(message);
    };
    const { url: baseUrl, key, secret } = catalog;
    await run({
      root,
      configFile: false,
      resolve: { alias: { vue: VUE } },
      customLogger: {
        info: () => undefined,
        warn,
        warnOnce: warn,
        error: warn,
        clearScreen: () => undefined,
        hasErrorLogged: () => false,
        hasWarned: false,
      },
      ...config,
      ...more,
      plugins: [
        config.plugins,
        vue(),
        vitePlugin({
          catalog: { baseUrl, key, secret },
          aliases: ALIASES,
          cacheDir: join(root, '.cache'),
          ...options,
        }),
      ],
    });
    const tree = await readTree(join(root, 'dist'));
    const text = new Map([...tree].map(([name, bytes]) => [name, bytes.toString()]));
    const css = [...text].filter(([name]) => name.endsWith('.css')).map(([, source]) => source);
    const manifest = parseManifest(text.get('icon-attribution.json') ?? 'null');
    return { files: text, css: css.join('\n'), manifest, warnings };
  };
  return { root, again, ...(await again()) };
}

const titles = ({ icons }: Manifest): (string | null)[] => icons.map(({ title }) => title);

describe('style sheets in a build of Vite', () => {
  const STYLES = {
    ...PLAIN_STYLES,
    'main.js': `import './main.css'; import './sheet.scss'; import './sheet.less'; import './sheet.styl'; import './sheet.pcss'; import names from './names.module.css';
      import { createApp } from 'vue'; import App from './App.vue'; createApp(App).mount('#app'); console.log(names.sun);`,
    'sheet.scss': `@use 'parts/rules';
      // url(icon:nothing)
      $name: 'cloud';
      .sass { background: url("icon:#{$name}?color=0f0"); .inner { background: url(icon:flag?color=00f) } }`,
    'parts/_rules.scss': `.partial { background: url(icon:leaf?color=ff0); mask: url('icon:leaf') }`,
    'sheet.less': `@import './parts/rules.less'; @name: 'map'; .less { background: url("icon:@{name}?color=0ff") }`,
    'parts/rules.less': `.in-less { background: url(icon:key?color=%23f0f) }`,
    'sheet.styl': `@import './parts/rules.styl'\n// url(icon:nothing)\nname = 'cafe'\n.stylus\n  mask url('icon:' + name)`,
    'parts/rules.styl': `.in-stylus\n  background url(icon:airport?color=%23f0f)`,
    'sheet.pcss': '.post { background: url(icon:crown?color=f00); shape: castle }',
    'names.module.css': `.sun { background: image-set("icon:sun?color=f00" 1x, url(icon:sun?color=f00&size=2em) 2x) }`,
    'App.vue': `<template><p class="v">x</p></template>
      <style scoped>.v { background: url("icon:user?color=#f0f") }</style>
      <style lang="scss">.w { .v { background: url(icon:search?color=f0f) } }</style>`,
  };
  const ALL = [
    ...PLAIN_ICONS,
    'cloud',
    'flag',
    'leaf',
    'map',
    'key',
    'sun',
    'user',
    'search',
    'cafe',
    'airport',
    'crown',
  ].map(titleOf);
  /** What a project's own plugin of PostCSS writes is seen too. */
  const castles: AcceptedPlugin = {
    postcssPlugin: 'castles',
    Declaration: {
      shape: (found) =>
        void Object.assign(found, { prop: 'mask', value: `url(icon:${found.value})` }),
    },
  };

  it.each([
    ['with PostCSS', { css: { postcss: { plugins: [castles] } } }, ['Castle']],
    ['with Lightning CSS', { css: { transformer: 'lightningcss' } }, []],
  ] satisfies [string, InlineConfig, string[]][])(
    'hold the icons of every dialect, partials and components included, %s',
    async (_, config, made) => {
      const { css, manifest, warnings, files } = await buildProject(STYLES, config);
      expect(css.match(/icon:(?!nothing)/g)).toBeNull();
      expect(titles(manifest)).toEqual([...ALL, ...made].toSorted());
      expect(
        new Set(manifest.icons.flatMap(({ usedIn }) => usedIn.map(({ kind }) => kind))),
      ).toEqual(new Set(['inline-css']));
      for (const { usedIn } of manifest.icons)
        for (const { file } of usedIn) expect(files.has(file)).toBe(true);
      expect(warnings).toEqual([]);
    },
  );

  it('emit files from `assetsInlineLimit` on, be it a number or a function, and with `?url`', async () => {
    const styles = {
      'main.js': `import './main.css'`,
      'main.css':
        '.a { background: url(icon:home?color=f00) } .b { background: url(icon:lion?color=f00&inline) } .c { background: url(icon:bus?color=f00&url) }',
    };
    const { css, files, again } = await buildProject(styles, { base: '/sub/' });
    const names = (all: Map<string, unknown>): string[] =>
      [...all.keys()]
        .filter((name) => name.endsWith('.svg'))
        .map((name) => name.replace(/-[^/]*$/, ''));
    expect(names(files)).toEqual(['assets/bus']);
    expect(css).toMatch(/url\("?\/sub\/assets\/bus-[^)]*\.svg"?\)/);

    const none = await again({ build: { assetsInlineLimit: 0 } });
    expect(names(none.files)).toEqual(['assets/bus', 'assets/home']);
    expect(none.manifest.icons.map(({ title, usedIn }) => [title, usedIn[0]?.kind])).toEqual([
      ['Bus', 'asset'],
      ['Home', 'asset'],
      ['Lion', 'inline-css'],
    ]);
    const asked: string[] = [];
    const assetsInlineLimit = (file: string): boolean => {
      asked.push(file);
      return false;
    };
    expect(names((await again({ build: { assetsInlineLimit } })).files)).toEqual([
      'assets/bus',
      'assets/home',
    ]);
    expect(asked.filter((file) => file.startsWith('home-'))).toHaveLength(1);
  });

  it('cost nothing the second time, and are the same to the byte', async () => {
    const { files, again } = await buildProject(STYLES);
    catalog.reset();
    const { files: second } = await again();
    expect(catalog.calls).toEqual([]);
    expect([...second]).toEqual([...files]);
  });

  it('are credited where they are part of a script', async () => {
    const { manifest } = await buildProject(
      { ...PLAIN_STYLES, 'main.js': `import css from './main.css?inline'; console.log(css);` },
      { build: { cssCodeSplit: false } },
    );
    expect(titles(manifest)).toEqual(PLAIN_ICONS.map(titleOf).toSorted());
    expect(manifest.icons[0]?.usedIn[0]?.kind).toBe('inline-js');
  });

  it('are not credited once they were taken out, unless an unknown picture is left', async () => {
    const sheets = {
      'main.js': `import './main.css'; import './unused.css?inline';`,
      'main.css':
        '.a { background: url(icon:home?color=f00) } .gone { mask: url(icon:star) } .b { color: red }',
      'unused.css': '.c { mask: url(icon:bell) }',
    };
    const purge = (instead: string): InlineConfig => ({
      plugins: [
        {
          name: 'purge',
          enforce: 'post',
          generateBundle(_, bundle) {
            for (const file of Object.values(bundle))
              if (file.type === 'asset' && file.fileName.endsWith('.css'))
                file.source = String(file.source).replace(/\.gone\{[^}]*\}/, instead);
          },
        },
      ],
    });
    expect(titles((await buildProject(sheets, purge(''))).manifest)).toEqual(['Home']);
    // Drawn again by another optimiser, it may be any of them.
    const unknown = '.d{mask:url(data:image/svg+xml;base64,PHN2Zy8+)}';
    const { manifest: inDoubt } = await buildProject(sheets, purge(unknown));
    expect(titles(inDoubt)).toEqual(['Bell', 'Home', 'Star']);
  });

  it('are in the style blocks of Svelte', async () => {
    const root = await writeProject({
      'index.html': PAGE,
      'main.js': `import { mount } from 'svelte'; import App from './App.svelte'; mount(App, { target: document.body });`,
      'App.svelte': `<p class="v">x</p><style>.v { background: url(icon:home?color=f00); mask: url("icon:star") }</style>`,
    });
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const { url: baseUrl, key, secret } = catalog;
    const ours = vitePlugin({
      catalog: { baseUrl, key, secret },
      aliases: ALIASES,
      cacheDir: join(root, '.cache'),
      logLevel: 'silent',
    });
    await build({ root, configFile: false, logLevel: 'silent', plugins: [svelte(), ours] });
    const tree = await readTree(join(root, 'dist'));
    const css = String([...tree].find(([name]) => name.endsWith('.css'))?.[1]);
    expect(css).toContain('data:image/svg+xml');
    expect(css).not.toContain('icon:');
    const manifest = parseManifest(String(tree.get('icon-attribution.json')));
    expect(titles(manifest)).toEqual(['Home', 'Star']);
  });

  it('let no title and no alias out of the address', async () => {
    const title = encodeURIComponent(`</style>"'){}\\ <script>\u2028 }*{`);
    const { css, manifest } = await buildProject(
      {
        'main.js': `import './main.css'`,
        'main.css': `.a { background: url("icon:ho'me(x)/*?color=f00") } .b { mask: url("icon:bus?title=${title}") } .c { color: red }`,
      },
      { build: { cssMinify: false } },
      { aliases: { ...ALIASES, "ho'me(x)/*": ALIASES['home'] ?? 0 } },
    );
    const address = /url\("data:image\/svg\+xml,[\w!$*+,\-./:;=?@~%]+"\)/g;
    expect(css.match(address)).toHaveLength(2);
    expect(css.replace(address, 'X').replace(/\s/g, '')).toBe(
      '.a{background:X}.b{mask:X}.c{color:red}',
    );
    expect(titles(manifest)).toEqual(['Bus', 'Home']);
  });

  it('stay as they are where a script wants their text', async () => {
    const { files } = await buildProject({
      'main.js': `import css from './main.css?raw'; console.log(css);`,
      'main.css': '.a { background: url(icon:home) }',
    });
    const script = [...files].find(([name]) => name.endsWith('.js'))?.[1];
    expect(script).toContain('url(icon:home)');
  });

  it('warn once where an icon turns black for want of a colour, and not for masks', async () => {
    const { warnings } = await buildProject({
      'main.js': `import './main.css'`,
      'main.css':
        '.a { background: url(icon:home) } .b { background: url(icon:home) } .c { mask-image: url(icon:star) } .d { --icon: url(icon:star) }',
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/`icon:home` is drawn in black[\s\S]*\?color=/);
  });

  it('keep the warnings of Vite about other addresses', async () => {
    const { warnings } = await buildProject({
      'main.js': `import './main.css'`,
      'main.css': '.a { background: url(nowhere.png) } .b { mask: url(icon:home) }',
    });
    expect(warnings.join('\n')).toContain("nowhere.png referenced in nowhere.png didn't resolve");
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['url(icon:hoome)', /`icon:hoome`[\s\S]*icon:home/],
    // The option `framework` would not help.
    ['url(icon:home?component)', /`as=component` is not an image/],
    ['url(icon:home?as=svg)', /`as=svg` is not an image[\s\S]*as=url[\s\S]*as=data/],
    ['url("icon:home?component")', /`as=component`/],
    ['url(icon:home?colour=f00)', /`colour`[\s\S]*color/],
    ['url(icon:home?color=f00f)', /alpha/],
  ])('say what is wrong with %s, and where', async (value, message) => {
    const failed = buildProject({
      'main.js': `import './main.css'`,
      'main.css': `.a { background: ${value} }`,
    });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toThrow(/imported by .*main\.css/);
  });

  it.each([
    ['Vite 8', build],
    ['Vite 7', vite7.build as unknown as typeof build],
  ])(
    'have a placeholder for a class that was saved half typed, while a watcher of %s runs',
    async (_, run) => {
      const files = {
        'index.html': PAGE,
        'main.js': `import './main.css'`,
        // As Tailwind writes it, which keeps the class until it starts again.
        'main.css': String.raw`.bg-\[url\(icon\:ho\)\] { background: url(icon:ho) } .a { mask: url(icon:home) }`,
      };
      await expect(buildProject(files, {}, {}, run)).rejects.toThrow('icon:ho');
      const root = await writeProject(files);
      const { url: baseUrl, key, secret } = catalog;
      const options = { catalog: { baseUrl, key, secret }, aliases: ALIASES };
      const plugin = vitePlugin({ ...options, cacheDir: join(root, '.cache'), logLevel: 'warn' });
      const customLogger = createLogger('silent');
      const warnings: string[] = [];
      customLogger.warn = (message) => void warnings.push(message);
      const config = {
        root,
        configFile: false as const,
        customLogger,
        plugins: [plugin],
      } satisfies InlineConfig;
      const watcher = (await run({ ...config, build: { watch: {} } })) as unknown as Watcher;
      try {
        const ended = await new Promise<{ code: string; error?: unknown }>((resolve) => {
          watcher.on('event', (event) => {
            if (event.code === 'END' || event.code === 'ERROR') resolve(event);
          });
        });
        expect(ended).toMatchObject({ code: 'END' });
      } finally {
        await watcher.close();
      }
      const output = await readTree(join(root, 'dist'));
      const [, css] = [...output].find(([name]) => name.endsWith('.css')) ?? [];
      expect(String(css).match(/could%20not%20be%20fetched/g)).toHaveLength(1);
      expect(warnings.join('\n')).toMatch(/`icon:ho`[^]*main\.css[^]*A class asks for it/);
    },
  );

  it('do not take an icon for a style sheet', async () => {
    const failed = buildProject({
      'main.js': `import './main.scss'`,
      'main.scss': `@import url(icon:home);`,
    });
    await expect(failed).rejects.toThrow(/main\.scss[\s\S]*icon:home/);
  });
});

describe('style sheets of UnoCSS', () => {
  const FILES = {
    'index.html': `<b class="bg-[url(icon:home?color=f00)]"></b><i class="sign"></i><u class="bg-[url(icon:bus?url)]"></u>
      <script type="module" src="/main.js"></script>`,
    'main.js': `import './main.css'; import 'virtual:uno.css'; import text from 'virtual:uno.css?inline'; document.body.dataset.css = text;`,
    'main.css': '.moon { mask: url(icon:moon?url) }',
  };
  const config = (more: object = {}): InlineConfig => ({
    plugins: [
      unoCss({
        configFile: false,
        presets: [presetMini()],
        shortcuts: { sign: '[mask:url(icon:star)_center/1em_no-repeat]' },
        ...more,
      }),
    ],
  });

  it.each([
    ['', build, {}],
    [' that PostCSS does not see', build, { postcss: false }],
    [' in Vite 7', vite7.build as unknown as typeof build, {}],
  ])('show icons%s, as a sheet and as a text, and credit them', async (_, run, more) => {
    const { css, files, manifest, warnings } = await buildProject(
      FILES,
      { ...config(more), build: { minify: false } },
      {},
      run,
    );
    const script = [...files].find(([name]) => name.endsWith('.js'))?.[1] ?? '';
    const images = (text: string): string[] =>
      text.match(/url\([\\"']*(?:data:image\/svg\+xml|\/assets\/bus-[\w-]+\.svg)/g) ?? [];
    // Some write `-webkit-mask`, too.
    for (const text of [css, script]) expect(images(text).length).toBeGreaterThanOrEqual(3);
    expect(css).not.toContain('icon:');
    expect(titles(manifest)).toEqual(['Bus', 'Home', 'Moon', 'Star']);
    const uses = manifest.icons.map(({ usedIn }) => usedIn.map(({ kind }) => kind));
    const inBoth = ['inline-css', 'inline-js'];
    expect(uses.map((kinds) => kinds.toSorted())).toEqual([['asset'], inBoth, ['asset'], inBoth]);
    expect(warnings).toEqual([]);
  });

  it('leave the plugins of Vite alone where there are none', async () => {
    const { plugins } = await resolveConfig(
      { configFile: false, plugins: [vitePlugin()] },
      'build',
    );
    const { transform } = plugins.find(({ name }) => name === 'vite:css-post') ?? {};
    expect(String((transform as { handler: unknown }).handler)).not.toContain('takeStyles');
  });

  it('say what is wrong with an icon', async () => {
    const page =
      '<b class="bg-[url(icon:hoome)]"></b><script type="module" src="/main.js"></script>';
    await expect(buildProject({ ...FILES, 'index.html': page }, config())).rejects.toThrow(
      /`icon:hoome`[\s\S]*icon:home/,
    );
  });
});
