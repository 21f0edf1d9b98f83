import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const house = embeddedIconId('tabler', 'home');
const OPTIONS = `{ aliases: { house: ${house} }, cacheDir: '.icons' }`;

let catalog: CountingCatalog;
let consumer: PackedConsumer;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
  consumer = await createPackedConsumer({
    packages: ['vite', 'rollup', 'webpack', 'astro', '@iconify-json/tabler'],
    files: {
      'src/main.ts': "import house from 'icon:house';\nexport default house;\n",
      'tsconfig.json': '{}',
    },
  });
});
afterAll(() => Promise.all([catalog.close(), consumer.remove()]));

/** Runs the installed command in the project, with these files in its root. */
async function icons(
  args: string,
  files: Record<string, string>,
  environment: Record<string, string> = {},
  folder = '.',
): Promise<{ code: number; out: string; err: string; lock: string; types: string }> {
  const { root } = consumer;
  const cli = join(root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: root, NO_COLOR: '1', ...environment };
  const ended = await run(process.execPath, [cli, ...args.split(' ')], {
    cwd: join(root, folder),
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
  const [lock = '', types = ''] = await Promise.all(
    ['icons.lock', 'src/icon-catalog.d.ts'].map((name) =>
      readFile(join(root, name), 'utf8').catch(() => ''),
    ),
  );
  for (const name of [...Object.keys(files), 'icons.lock', 'src/icon-catalog.d.ts', '.icons'])
    await rm(join(root, name), { recursive: true, force: true });
  return { ...ended, lock, types };
}

const credentials = (): string =>
  `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${catalog.key}\nICON_CATALOG_SECRET=${catalog.secret}\n`;

describe('a plain `icon-catalog sync`', () => {
  it('uses the plugin of the Vite configuration, and its .env files', async () => {
    const { code, err, lock } = await icons('sync', {
      '.env.local': credentials(),
      'vite.config.ts': `import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
const options: Parameters<typeof iconCatalog>[0] = ${OPTIONS};
export default defineConfig(() => ({ plugins: [[iconCatalog(options)]] }));`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toBe(
      '1 reference to 1 icon (2 files read); 1 line added to icons.lock; 2 calls.\n',
    );
    expect(lock).toContain(`"${house}:svg":`);
  });

  it.each([
    [
      'rollup.config.mjs',
      `import plugin from 'unplugin-icon-catalog/rollup';\nexport default [{ input: 'x', plugins: [plugin(options)] }];`,
    ],
    [
      'webpack.config.js',
      `import plugin from 'unplugin-icon-catalog/webpack';\nexport default () => ({ plugins: [plugin(options)] });`,
    ],
    ['icon-catalog.config.js', 'export default options;'],
    ['icon-catalog.config.ts', 'export default options satisfies object;'],
  ])('uses %s', async (name, text) => {
    const options = OPTIONS.replace('{', "{ catalog: 'embedded',");
    const { code, err, lock } = await icons('sync', {
      [name]: `const options = ${options};\n${text}`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(lock).toContain(`"${house}:svg":`);
  });

  it.each([
    [
      'rspack.config.js',
      `import plugin from 'unplugin-icon-catalog/rspack';
export default async () => [{ context: process.cwd() + '/src', plugins: [plugin(options)] }];`,
    ],
    [
      'farm.config.mjs',
      `import plugin from 'unplugin-icon-catalog/farm';
export default { root: './src', plugins: [plugin(options)] };`,
    ],
    [
      'vite.config.js',
      `import plugin from 'unplugin-icon-catalog/vite';
const rails = { name: 'vite-plugin-ruby', config: (_, { command }) => command === 'build' && { root: './src' } };
const other = { name: 'other', config() { process.exit(3); } };
export default { plugins: [plugin(options), other, [false, Promise.resolve([rails])]] };`,
    ],
  ])('keeps the lock where builds of %s do', async (name, text) => {
    const options = OPTIONS.replace('{', "{ catalog: 'embedded',");
    const files = { [name]: `const options = ${options};\n${text}` };
    const { code, err, lock } = await icons('sync', files);
    expect({ code, err, lock }).toMatchObject({ code: 0, lock: '' });
    const folder = join(consumer.root, 'src');
    expect(await readFile(join(folder, 'icons.lock'), 'utf8')).toContain(`"${house}:svg":`);
    for (const written of ['icons.lock', '.icons'])
      await rm(join(folder, written), { recursive: true });
  });

  it.each([
    [
      'astro.config.mjs',
      `import { defineConfig } from 'astro/config';
       import icons from 'unplugin-icon-catalog/astro';
       export default defineConfig({ site: 'https://site.example', integrations: [icons(options)] });`,
    ],
    [
      'astro.config.ts',
      `import icons from 'unplugin-icon-catalog/vite';
       export default { vite: { plugins: [icons(options satisfies object)] } };`,
    ],
    [
      'nuxt.config.ts',
      `export default defineNuxtConfig({ modules: ['other', ['unplugin-icon-catalog/nuxt', options satisfies object]] });`,
    ],
    [
      'nuxt.config.mjs',
      `export default defineNuxtConfig({ modules: ['unplugin-icon-catalog/nuxt', 'other'], iconCatalog: options });`,
    ],
    [
      'nuxt.config.mts',
      `export default defineNuxtConfig({
         modules: [['unplugin-icon-catalog/nuxt', { catalog: 'embedded', ...Object(options) }]],
         iconCatalog: { aliases: { house: 1 } },
       });`,
    ],
    [
      'eleventy.config.js',
      `import icons from 'unplugin-icon-catalog/eleventy';
       import other from 'node:path';
       export default async function (config) {
         config.addPassthroughCopy({ public: '/' });
         config.addPlugin(other, { unrelated: 1 });
         config.addPlugin(icons, options);
         config.setServerOptions({ port: 1 });
         for (const name of config.getFilters()) throw new Error(name);
         await config.ready;
         if (config.version > 2) throw new Error('newer');
         return { dir: { input: 'src' } };
       };`,
    ],
    [
      '.eleventy.js',
      `import icons from 'unplugin-icon-catalog/eleventy';
       export default (config) => config.addPlugin(icons, options);`,
    ],
    [
      'docusaurus.config.js',
      `import icons from 'unplugin-icon-catalog/webpack';
       const plugin = () => ({ name: 'icons', configureWebpack: () => ({ plugins: [icons(options)] }) });
       export default async () => ({ title: 'Docs', plugins: ['@docusaurus/plugin-sitemap', plugin] });`,
    ],
    [
      'rsbuild.config.mjs',
      `import icons from 'unplugin-icon-catalog/rspack';
       export default { tools: { rspack: { plugins: [icons(options)] } } };`,
    ],
    [
      'rsbuild.config.js',
      `import icons from 'unplugin-icon-catalog/rspack';
       export default () => ({ tools: { rspack: [(config, { appendPlugins }) => {
         config.resolve.alias['@'] = './src';
         appendPlugins([icons(options)]);
       }] } });`,
    ],
    [
      'next.config.mjs',
      `import icons from 'unplugin-icon-catalog/webpack';
       export default (phase, { defaultConfig }) => ({ ...defaultConfig, webpack(config, { isServer }) {
         config.module.rules.push({ test: /\\.md$/ });
         if (isServer) config.plugins.push(icons(options));
         return config;
       } });`,
    ],
    [
      '.storybook/main.ts',
      `import icons from 'unplugin-icon-catalog/vite';
       import { mergeConfig } from 'vite';
       export default { stories: [], async viteFinal(config: object) {
         return mergeConfig(config, { plugins: [icons(options)] });
       } };`,
    ],
  ])('uses what stands in %s', async (name, text) => {
    const options = OPTIONS.replace('{', "{ catalog: 'embedded',");
    const { code, err, lock } = await icons('sync', {
      [name]: `const options = ${options};\n${text}`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).not.toContain('warning');
    expect(lock).toContain(`"${house}:svg":`);
  });

  it.each([
    ['build.mjs', 'node serve.js'],
    ['tools/build.mjs', 'node ./tools/build.mjs --minify && node serve.js'],
    ['tsup.config.ts', 'tsup'],
    ['esbuild.config.mjs', 'node esbuild.config.mjs'],
  ])('reads the options in the text of %s, and does not run it', async (name, script) => {
    const manifest = await readFile(join(consumer.root, 'package.json'), 'utf8');
    const files = (options: string): Record<string, string> => ({
      'package.json': JSON.stringify({ type: 'module', scripts: { build: script } }),
      [name]: `const build = () => console.log('it ran');
const own = Object({}), decode = String;
import iconCatalog from 'unplugin-icon-catalog/esbuild';
const aliases = { house: 'tabler/home' } as const;
const watched = process.argv.includes('--watch');
await build({ watched, plugins: [iconCatalog(${options})] });
throw new Error('not me');`.replace(name.endsWith('.ts') ? '' : ' as const', ''),
    });
    const options = "{ catalog: process.env.CATALOG ?? 'embedded', aliases: { ...aliases } }";
    const { code, out, err } = await icons('sync --dry-run', files(options));
    expect({ code, out, err }).toMatchObject({ code: 0, out: `${house}:svg  tabler/home\n` });
    expect(err).not.toContain('warning');
    const own = {
      'icon-catalog.config.json': '{ "catalog": "embedded", "aliases": { "house": 7 } }',
    };
    // The plugin reads the file of the project only if it is given nothing.
    expect((await icons('sync --dry-run', { ...files(''), ...own })).out).toBe('7:svg\n');
    expect((await icons('sync --dry-run', { ...files(options), ...own })).out).toContain('home');
    const computed = await icons('sync --dry-run', files('{ ...own, locked: watched }'));
    const secret = await icons('usage', files("{ catalog: { secret: decode('abcdef') } }"));
    expect(secret.err).toContain('it computes `secret`.');
    expect(secret.err).not.toContain('abcdef');
    await writeFile(join(consumer.root, 'package.json'), manifest);
    expect(computed.out + secret.out).not.toContain('it ran');
    // No command runs with other options than the build.
    expect(computed.code).toBe(1);
    expect(computed.err).toContain(
      `The command line cannot read the options in ${name}: it computes options that it spreads.`,
    );
  });

  it('takes the file of options beside a script that passes the plugin on', async () => {
    const script = `import plugin from 'unplugin-icon-catalog/esbuild';\nawait build([plugin]);`;
    const files = { 'build.mjs': script };
    const alone = await icons('sync --dry-run', files);
    expect(alone.code).toBe(1);
    expect(alone.err).toContain(
      'The command line cannot read the options in build.mjs: it has the plugin, and nothing in it calls the plugin.',
    );
    // The error advises to write this file.
    expect(alone.err).toContain('Put the options into icon-catalog.config.ts (or .js, .json)');
    const own = {
      'icon-catalog.config.json': '{ "catalog": "embedded", "aliases": { "house": 7 } }',
    };
    expect((await icons('sync --dry-run', { ...files, ...own })).out).toBe('7:svg\n');
  });

  it.each([
    [
      'vite.config.js',
      `import plugin from 'unplugin-icon-catalog/vite';\nexport default { plugins: [plugin(options)] };`,
    ],
    [
      'astro.config.mjs',
      `import plugin from 'unplugin-icon-catalog/astro';\nexport default { integrations: [plugin(options)] };`,
    ],
    [
      'nuxt.config.mjs',
      `export default { modules: ['unplugin-icon-catalog/nuxt'], iconCatalog: options };`,
    ],
    [
      '.vitepress/config.mjs',
      `import plugin from 'unplugin-icon-catalog/vite';\nexport default { vite: { plugins: [plugin(options)] } };`,
    ],
  ])('uses the options that %s gives the plugin, which reads no file then', async (name, text) => {
    const options = OPTIONS.replace('{', "{ catalog: 'embedded',");
    const own = JSON.stringify({ catalog: 'embedded', aliases: { house: 1 }, cacheDir: '.icons' });
    const files = (given: string): Record<string, string> => ({
      'icon-catalog.config.json': own,
      [name]: `const options = ${given};\n${text}`,
    });
    const { code, err, lock } = await icons('sync', files(options));
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(lock).toContain(`"${house}:svg":`);
    // Without options both read the file.
    expect((await icons('sync --dry-run', files('{}'))).out).toBe('1:svg\n');
  });

  it('takes the options of tests only if no build has the plugin', async () => {
    const plugin = `import icons from 'unplugin-icon-catalog/vite';\n`;
    const tests = {
      'vitest.config.mjs': `${plugin}export default { plugins: [icons({ catalog: 'embedded', aliases: { house: 7 } })] };`,
    };
    const own = {
      'icon-catalog.config.json': '{ "catalog": "embedded", "aliases": { "house": 8 } }',
    };
    const build = {
      'z.config.mjs': `${plugin}export default { tool: icons({ catalog: 'embedded', aliases: { house: 9 } }) };`,
    };
    expect((await icons('sync --dry-run', tests)).out).toBe('7:svg\n');
    expect((await icons('sync --dry-run', { ...tests, ...own })).out).toBe('8:svg\n');
    expect((await icons('sync --dry-run', { ...tests, ...build })).out).toBe('9:svg\n');
  });

  it('reads the file of the package for a plugin without options, in whatever folder Vite works', async () => {
    const { code, err, lock } = await icons('sync --config vite.config.js', {
      '.env.local': credentials(),
      'icon-catalog.config.js': `export default ${OPTIONS};`,
      'vite.config.js': `import iconCatalog from 'unplugin-icon-catalog/vite';
export default { root: 'src', plugins: [iconCatalog()] };`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(lock).toContain(`"${house}:svg":`);
  });

  it('prefers a file of options, and takes the one that --config names', async () => {
    const files = {
      'vite.config.js': "throw new Error('not me');",
      'icon-catalog.config.json': JSON.stringify({ aliases: { house: 1 } }),
      'other.json': JSON.stringify({ catalog: 'embedded', aliases: { house } }),
    };
    const { code, lock } = await icons('sync --config other.json', files);
    expect(code).toBe(0);
    expect(lock).toContain(`"${house}:svg":`);
    expect((await icons('sync --dry-run', files)).out).toBe('1:svg\n');
    files['icon-catalog.config.json'] = JSON.stringify({
      catalog: 'embedded',
      aliases: { house: 'tabler/home' },
    });
    expect((await icons('sync --dry-run', files)).out).toBe(`${house}:svg  tabler/home\n`);
  });

  it('works in a folder of the project as in its root, and not in a package within it', async () => {
    const options = { catalog: 'embedded', aliases: { house: 'tabler/home' } };
    const files = {
      'icon-catalog.config.json': JSON.stringify(options),
      '.env': 'ICON_CATALOG_MODE=locked',
      'src/deep/index.ts': '',
    };
    const { out } = await icons('sync --dry-run', files, {}, 'src/deep');
    expect(out).toBe(`${house}:svg  tabler/home\n`);
    const added = await icons('add tabler/star --as fav', { ...files, '.env': '' }, {}, 'src/deep');
    expect([added.code, added.out]).toEqual([0, expect.stringContaining('"fav": "tabler/star"')]);
    expect(added.lock).toContain(String(embeddedIconId('tabler', 'star')));
    const doctor = await icons('doctor --offline', files, {}, 'src/deep');
    expect(doctor.out.replace(/\s+/g, ' ')).toContain(
      'read from ../../icon-catalog.config.json; the mode is locked',
    );
    expect(doctor.out).toContain('so TypeScript reports');
    const within = { ...files, 'src/package.json': '{}' };
    expect((await icons('sync --dry-run', within, {}, 'src/deep')).out).toBe('');
  });

  it('takes the options of the root in which the plugin has none of its own', async () => {
    const { code, out, err } = await icons('sync --dry-run', {
      'vite.config.js': `import plugin from 'unplugin-icon-catalog/vite';\nexport default { root: 'src', plugins: [plugin()] };`,
      'src/icon-catalog.config.json': JSON.stringify({ aliases: { house: 1 } }),
    });
    expect({ code, out, err }).toMatchObject({ code: 0, out: '1:svg\n' });
  });

  it.each([
    ['astro.config.mjs', 'unplugin-icon-catalog/astro', 'types/astro'],
    ['nuxt.config.ts', 'unplugin-icon-catalog/nuxt', 'types/vue'],
    ['nuxt.config.ts', 'unplugin-icon-catalog/vite', 'string'],
  ])('knows in which components imports end with %s and %s', async (config, entry, type) => {
    const { code, err, types } = await icons('sync', {
      [config]: `throw new Error('not me, ${entry}');`,
      'icon-catalog.config.json': JSON.stringify({ catalog: 'embedded', aliases: { house } }),
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(/const content: (.*);/.exec(types)?.[1]).toContain(type);
  });

  it.each(['.vitepress/config.mts', 'docs/.vitepress/config/index.ts'])(
    'takes the options and the pages of the VitePress site of %s',
    async (name) => {
      const folder = name.startsWith('docs/') ? 'docs/' : '';
      const { code, out, err } = await icons('sync --dry-run', {
        [name]: `import plugin from 'unplugin-icon-catalog/vite';
const srcDir: string = 'pages';
export default { srcDir, vite: { plugins: [plugin({ aliases: { flag: 2 } })] } };`,
        [`${folder}pages/index.md`]: '![Flag](icon:flag)\n',
      });
      expect({ code, out, err }).toMatchObject({ code: 0, out: '2:svg\n' });
      expect(err).not.toContain('warning');
    },
  );

  it('reads a VitePress site with the Vite of VitePress, which may be no package of the project', async () => {
    const vitepress = join(consumer.root, 'node_modules/vitepress');
    const vite = join(consumer.root, 'node_modules/vite');
    const nested = join(vitepress, 'node_modules/vite');
    await mkdir(dirname(nested), { recursive: true });
    await writeFile(join(vitepress, 'package.json'), '{ "name": "vitepress" }');
    await rename(vite, nested);
    const { code, out, err } = await icons('sync --dry-run', {
      'docs/.vitepress/config.mts': `import plugin from 'unplugin-icon-catalog/vite';
export default { vite: { plugins: [plugin({ aliases: { flag: 4 } })] } };`,
      'docs/index.md': '![Flag](icon:flag)\n',
    });
    await rename(nested, vite);
    await rm(vitepress, { recursive: true });
    expect({ code, out, err }).toMatchObject({ code: 0, out: '4:svg\n' });
  });

  it('takes the options and the renderer of electron-vite', async () => {
    const { code, out, err } = await icons('sync --dry-run', {
      'electron.vite.config.ts': `import plugin from 'unplugin-icon-catalog/vite';
export default { main: {}, renderer: { plugins: [plugin()] } };`,
      'src/renderer/icon-catalog.config.json': '{ "aliases": { "flag": 3 } }',
      'src/renderer/index.html': '<img src="icon:flag" alt=""><img src="icon:flagg" alt="">\n',
    });
    expect({ code, out, err }).toMatchObject({ code: 1, out: '3:svg\n' });
    expect(err).toContain(
      '(`flag`; the options were read from src/renderer/icon-catalog.config.json)',
    );
  });

  it('does not run the configuration of a site without the plugin', async () => {
    const { code, out } = await icons('sync --dry-run icon.html', {
      'docs/.vitepress/config.js': "throw new Error('not me');",
      'icon.html': '<img src="icon:1" alt="">\n',
    });
    expect({ code, out }).toEqual({ code: 0, out: '1:svg\n' });
  });

  it('says which configuration cannot be loaded, or has no options', async () => {
    const broken = await icons('sync', {
      'vite.config.js': "throw new Error('broken on purpose');",
    });
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('vite.config.js cannot be loaded: broken on purpose');
    const absent = await icons('sync', { 'rollup.config.js': "import 'not-installed';" });
    expect(absent.err).toContain('\n  Install not-installed in this project.\n');
    const without = await icons('verify --config vite.config.js', {
      'vite.config.js': 'export default {};',
    });
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('has no plugin') });
    expect(await icons('sync --config nowhere.js', {})).toMatchObject({ code: 2 });
    const wrong = await icons('sync', { 'icon-catalog.config.json': '{ "alias": {} }' });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('`aliases`') });
  });
});

describe('a command that asks the catalog', () => {
  const DRAWING =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 1h6v6z"/></svg>';
  const withFolder = `{ catalog: { embedded: { sets: [], folders: ['src'] } } }`;

  it('takes no other options than those of a configuration that is broken', async () => {
    const broken = {
      'vite.config.js': `import iconCatalog from 'unplugin-icon-catalog/vite';
export default { plugins: [iconCatalog({ aliases: { house: ${house} } }) };`,
    };
    const own = {
      'icon-catalog.config.json': OPTIONS.replaceAll(/(\w+):/g, '"$1":').replaceAll("'", '"'),
    };
    for (const files of [broken, { ...broken, ...own }]) {
      const { code, err } = await icons('sync --embedded', files);
      expect({ code, err }).toMatchObject({
        code: 1,
        err: expect.stringContaining('vite.config.js cannot be loaded'),
      });
      // The compiler draws the line in colours.
      expect(err).not.toMatch(/\[\d+m|\uFFFD/u);
    }
    const doctor = await icons('doctor', { ...broken, ...own });
    expect(doctor).toMatchObject({ code: 1 });
    expect(doctor.out + doctor.err).toContain('vite.config.js cannot be loaded');
  });

  it('gives a script the variables of .env files, as its tool does', async () => {
    const { code, err } = await icons('usage', {
      '.env': credentials().replaceAll('ICON_CATALOG_', 'MY_'),
      'next.config.mjs': `import icons from 'unplugin-icon-catalog/webpack';
const catalog = { baseUrl: process.env.MY_URL, key: process.env.MY_KEY, secret: process.env.MY_SECRET };
export default { webpack: (config) => (config.plugins.push(icons({ catalog })), config) };`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
  });

  it('reads the .env files and the configuration of the mode that --mode names', async () => {
    const files = {
      '.env.staging': credentials(),
      'vite.config.js': `import iconCatalog from 'unplugin-icon-catalog/vite';
export default ({ mode }) => ({ plugins: [iconCatalog({ aliases: mode === 'staging' ? { house: ${house} } : {}, cacheDir: '.icons' })] });`,
    };
    expect(await icons('sync', files)).toMatchObject({ code: 1, lock: '' });
    const { code, lock } = await icons('sync --mode staging', files);
    expect({ code, lock }).toEqual({ code: 0, lock: expect.stringContaining(`"${house}:svg":`) });
  });

  it('reads .env files in a folder that has no configuration', async () => {
    catalog.reset();
    const { code, out, err } = await icons('search home --limit 2', {
      '.env': 'ICON_CATALOG_URL=http://127.0.0.1:9',
      '.env.local': credentials(),
    });
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('2 of ') });
    expect(out).toContain(String(house));
    expect(catalog.calls).toEqual(['GET /v2/icon']);
    expect(out + err).not.toContain(catalog.secret);
  });

  it('takes the environment before .env files', async () => {
    const secret = 'a-secret-that-is-wrong';
    const files = { '.env.local': credentials() };
    const { code, out, err } = await icons('usage', files, { ICON_CATALOG_SECRET: secret });
    expect(code).toBe(1);
    expect(err).toContain('CATALOG_UNAUTHORIZED');
    for (const hidden of [secret, catalog.secret, catalog.key])
      expect(out + err).not.toContain(hidden);
  });

  it.each([
    ['icon-catalog.config.ts', `export default ${withFolder} satisfies object;`],
    [
      'icon-catalog.config.json',
      `{ "catalog": { "embedded": { "sets": [], "folders": ["src"] } } }`,
    ],
    [
      'vite.config.ts',
      `import plugin from 'unplugin-icon-catalog/vite';\nexport default { plugins: [plugin(${withFolder})] };`,
    ],
  ])('reads the catalog of %s', async (name, text) => {
    const files = { [name]: text, 'src/kiosk.svg': DRAWING };
    const { code, out, err } = await icons('search kiosk', files);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('1 of 1 icon.') });
    expect(out).toContain('icon:src/kiosk');
  });

  it.each([
    'show src/kiosk --json',
    'download src/kiosk -o -',
    'collections',
    'suggest kio',
    'usage',
  ])('asks the same catalog for `%s`, and keeps its folders with --embedded', async (line) => {
    const { code, err } = await icons(`${line} --embedded --config icons.json`, {
      'icons.json': `{ "catalog": { "embedded": { "sets": [], "folders": ["src"] } } }`,
      'src/kiosk.svg': DRAWING,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
  });

  it('uses the embedded catalog with --embedded, whatever the configuration names', async () => {
    const { code, out } = await icons('search home --embedded --limit 1', {
      '.env.local': credentials(),
      'icon-catalog.config.json': '{ "timeout": 1000 }',
    });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('icon:tabler/') });
  });

  it('reports a configuration that is broken, and no secret in it', async () => {
    const broken = await icons('search home', {
      'icon-catalog.config.json': '{ "catalog": { "secret": "a-written-secret"',
    });
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('icon-catalog.config.json cannot be loaded');
    expect(broken.err).not.toContain('a-written-secret');
    const wrong = await icons('usage', { 'icon-catalog.config.json': '{ "timeOut": 1 }' });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('The options were read from icon-catalog.config.json.');
  });
});
