import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rspack } from '@rspack/core';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../../src/icons.ts';
import type { Options } from '../../../src/options/options.ts';
import { embeddedIconId } from '../../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { unchecked } from '../../support/unchecked.ts';
import { BUNDLERS, writeFiles } from './bundle.ts';
import { age, buildProject, HOME, STAR, watchProject } from './real-project.ts';

const HEART = embeddedIconId('tabler', 'heart');
const CONFIG = 'icon-catalog.config.mjs';
const FILES = {
  'src/index.js': `import './home.js'; import './star.js'; import './red.js'; import './home.css'; import './star.css'; import './plain.css'`,
  'src/home.js': `import icon, { credit } from 'icon:house'; console.log(icon, credit)`,
  'src/star.js': `import icon, { credit } from 'icon:star'; console.log(icon, credit)`,
  'src/red.js': `import icon from 'icon:${STAR}?color=ff0000&size=7'; console.log(icon)`,
  'src/home.css': `b { background: url("icon:house?color=00ff00") }`,
  'src/star.css': `u { background: url("icon:star?color=00ff00") }`,
  'src/plain.css': `i { color: red }`,
};

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
});
afterAll(() => catalog.close());

interface Project {
  root: string;
  /** Writes the file of options. */
  configure(options?: Options): Promise<void>;
}

const ALIASES = { house: HOME, star: STAR };

/** With all that it may ever ask for in its lock file: that stays the same. */
async function project(files: Record<string, string> = FILES): Promise<Project> {
  const root = await temporaryFolder();
  const { url: baseUrl, key, secret } = catalog;
  const common = { catalog: { baseUrl, key, secret }, cacheDir: join(root, '.icons') };
  const icons = createIcons(common, { root, env: {} });
  await icons.sync([HOME, STAR, HEART].map((id) => `icon:${id}`));
  await icons.close();
  const configure = (more: Options = {}): Promise<void> => {
    const options = { ...common, aliases: ALIASES, ...more };
    return writeFiles(root, { [CONFIG]: `export default ${JSON.stringify(options)};` });
  };
  await writeFiles(root, files);
  await configure();
  await age(root, [...Object.keys(files), CONFIG, 'icons.lock']);
  return { root, configure };
}

describe.each(BUNDLERS)('options in a file of the project, with %s', (bundler) => {
  it('count from the next build on while watching, for what depends on them and nothing else', async () => {
    const { root, configure } = await project();
    // As Next.js has it: what an import led to is not looked for again.
    const unsafeCache = (module: object): boolean =>
      'resource' in module && String(module.resource).startsWith('icon:');
    const config = bundler === 'webpack' ? { module: { unsafeCache } } : {};
    const { next } = await watchProject(bundler, { root, config });
    const first = await next();
    expect(first.errors).toEqual([]);
    expect(first.made).toContain('home.js');

    const aliases = { ...ALIASES, house: HEART };
    await configure({ aliases });
    const moved = await next();
    expect(moved).toMatchObject({ errors: [], made: ['home.css', 'other icon'] });
    expect(moved.output).toContain('Heart');
    expect(moved.output).not.toContain('Home');

    // What says its colour does not care.
    const defaults = { color: '0000ff' };
    await configure({ aliases, defaults });
    const painted = await next();
    expect(painted).toMatchObject({ errors: [], made: ['icon of star', 'other icon'] });
    expect(painted.output).toContain('#0000ff');

    await configure({ aliases, defaults, svg: { optimize: false } });
    expect(await next()).toMatchObject({
      errors: [],
      made: ['home.css', 'icon of star', 'other icon', 'star.css'],
    });

    const assert = { [HEART]: { license: 'MIT', by: 'us', evidence: 'a letter' } };
    const svg = { optimize: false };
    await configure({ aliases, defaults, svg, licenses: { assert } });
    expect(await next()).toMatchObject({ errors: [], made: ['home.css', 'other icon'] });

    const attribution = { json: 'credits.json' };
    await configure({ aliases, defaults, svg, licenses: { assert }, attribution });
    expect(await next()).toMatchObject({ errors: [], made: [] });
    const credits = await readFile(join(root, 'dist/credits.json'), 'utf8');
    expect(credits).toContain('Heart');
    expect(credits).toContain('a letter');
  });

  it('leave everything as it is while they are broken, and recover', async () => {
    const { root, configure } = await project();
    await writeFiles(root, { [CONFIG]: 'export default { alias: {} };' });
    await age(root, [CONFIG]);
    const { next } = await watchProject(bundler, { root });
    const [unknown = ''] = (await next()).errors;
    expect(unknown).toContain('OPTIONS_INVALID');
    expect(unknown).toContain(`${CONFIG}: There is no option`);
    expect(unknown).toContain('Did you mean `aliases`?');
    await configure();
    const good = await next();
    expect(good.errors).toEqual([]);
    expect(good.output).toContain('Home');

    await writeFiles(root, { [CONFIG]: 'export default {' });
    const broken = await next();
    expect(broken).toMatchObject({ made: [], output: good.output });
    expect(broken.errors).toHaveLength(1);
    expect(broken.errors[0]).toContain(`${CONFIG} cannot be loaded`);
    await configure({ aliases: { ...ALIASES, house: HEART } });
    const repaired = await next();
    expect(repaired).toMatchObject({ errors: [], made: ['home.css', 'other icon'] });

    await rm(join(root, CONFIG));
    expect((await next()).errors.join('\n')).toContain('`house` is neither an id nor an alias');
    await configure();
    const back = await next();
    expect(back).toMatchObject({ errors: [], output: good.output });
  });

  it('are those of the next process with a persistent cache, also once they are restored', async () => {
    const { root, configure } = await project();
    const first = await buildProject(bundler, { root, persistent: true });
    expect(first.errors).toEqual([]);
    expect((await buildProject(bundler, { root, persistent: true })).made).toEqual([]);
    await configure({ aliases: { ...ALIASES, house: HEART } });
    const second = await buildProject(bundler, { root, persistent: true });
    expect(second.errors).toEqual([]);
    expect(second.output).toContain('Heart');
    expect(second.output).not.toContain('Home');
    expect(second.made).toContain('home.css');
    await configure();
    const third = await buildProject(bundler, { root, persistent: true });
    expect(third).toMatchObject({ errors: [], output: first.output });
  });

  it('fail a build that cannot read them, and are not read where the plugin has options', async () => {
    const { root } = await project();
    await writeFiles(root, { [CONFIG]: 'export default 7;' });
    await expect(buildProject(bundler, { root })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringContaining('its default export is a number'),
    });
    const options = { aliases: ALIASES, cacheDir: join(root, '.icons') };
    expect(await buildProject(bundler, { root, options })).toMatchObject({ errors: [] });
  });

  it('and the lock count where icons are run during the build: in pages, and in extracted styles', async () => {
    const extract = (bundler === 'webpack'
      ? MiniCssExtractPlugin
      : rspack.CssExtractRspackPlugin) as unknown as typeof MiniCssExtractPlugin;
    const css = fileURLToPath(import.meta.resolve('css-loader'));
    const files = {
      'src/index.js': `import './home.css'; import './plain.css'`,
      'src/home.css': `b { background: url("icon:house?color=00ff00&as=data") }`,
      'src/plain.css': `i { color: red }`,
      'src/page.ejs': `<p><%= require("icon:house").credit.title %></p>`,
    };
    const { root, configure } = await project(files);
    const { next } = await watchProject(bundler, {
      root,
      plugins: [new HtmlWebpackPlugin({ template: 'src/page.ejs' }), new extract()],
      config: {
        experiments: { css: false },
        module: {
          rules: [{ test: /\.css$/, type: 'javascript/auto', use: [extract.loader, css] }],
        },
      },
    });
    const read = (name: string): Promise<string> => readFile(join(root, 'dist', name), 'utf8');
    expect((await next()).errors).toEqual([]);
    expect(await read('index.html')).toContain('<p>Home</p>');
    const styled = await read('main.css');

    await configure({ aliases: { ...ALIASES, house: HEART } });
    expect(await next()).toMatchObject({ errors: [], made: ['home.css'] });
    expect(await read('index.html')).toContain('<p>Heart</p>');
    expect(await read('main.css')).not.toBe(styled);

    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const renamed = unchecked(lock).replace('"term":"Heart"', '"term":"Cuore"');
    await writeFiles(root, { 'icons.lock': renamed });
    expect((await next()).errors).toEqual([]);
    expect(await read('index.html')).toContain('<p>Cuore</p>');
  });
});
