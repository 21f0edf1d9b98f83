import { join } from 'node:path';
import { createRequire } from 'node:module';
import { rspack } from '@rspack/core';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import webpack from 'webpack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Options } from '../../../src/options/options.ts';
import rspackPlugin from '../../../src/rspack.ts';
import type { Manifest } from '../../../src/types.ts';
import webpackPlugin from '../../../src/webpack.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeProject } from '../../support/write-project.ts';
import { ALIASES, PLAIN_ICONS, PLAIN_STYLES, titleOf } from '../../build/style-project.ts';
import { BUNDLERS, type Bundler } from './bundle.ts';

const require = createRequire(import.meta.url);
const CSS_LOADER = require.resolve('css-loader');

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

/** How a project has its CSS bundled. */
type Way = 'extracted' | 'in scripts' | 'native';
const WAYS: Way[] = ['extracted', 'in scripts', 'native'];

function rulesOf(bundler: Bundler, way: Way): webpack.Configuration {
  const extract = (bundler === 'webpack'
    ? MiniCssExtractPlugin
    : rspack.CssExtractRspackPlugin) as unknown as typeof MiniCssExtractPlugin;
  if (way === 'native') {
    return {
      ...(bundler === 'webpack' && { experiments: { css: true } }),
      ...(bundler === 'rspack' && { module: { rules: [{ test: /\.css$/, type: 'css/auto' }] } }),
    };
  }
  const css = { loader: CSS_LOADER, options: { importLoaders: 0 } };
  const use = way === 'extracted' ? [extract.loader, css] : [css];
  return {
    module: { rules: [{ test: /\.css$/, use, type: 'javascript/auto' }] },
    plugins: way === 'extracted' ? [new extract({ filename: '[name].[contenthash].css' })] : [],
  };
}

interface Built {
  files: Map<string, string>;
  css: string;
  manifest: Manifest;
  messages: string[];
}

async function buildProject(
  root: string,
  {
    bundler,
    way,
    config = {},
    options = {},
    watches = false,
  }: {
    bundler: Bundler;
    way: Way;
    config?: webpack.Configuration;
    options?: Options;
    watches?: boolean;
  },
): Promise<Built> {
  const { url: baseUrl, key, secret } = catalog;
  const pluginOptions: Options = {
    catalog: { baseUrl, key, secret },
    aliases: ALIASES,
    cacheDir: join(root, '.icons'),
    logLevel: 'warn',
    ...options,
  };
  const { plugins = [], ...rules } = rulesOf(bundler, way);
  const merged = {
    mode: 'production' as const,
    context: root,
    entry: './main.js',
    output: { path: join(root, 'dist'), publicPath: '/sub/', clean: true },
    infrastructureLogging: { level: 'none' as const },
    ...rules,
    ...config,
  };
  const compiler =
    bundler === 'webpack'
      ? webpack({ ...merged, plugins: [...plugins, webpackPlugin(pluginOptions)] })
      : (rspack({
          ...merged,
          plugins: [...plugins, rspackPlugin(pluginOptions)],
        } as unknown as Parameters<typeof rspack>[0]) as unknown as webpack.Compiler);
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    const ended = (error: Error | null, result: webpack.Stats | undefined): void =>
      error || !result ? reject(error ?? new Error()) : resolve(result);
    if (watches) compiler.watch({}, ended);
    else compiler.run(ended);
  });
  await new Promise((resolve) => compiler.close(resolve));
  const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
  const tree = await readTree(join(root, 'dist'));
  const files = new Map([...tree].map(([name, bytes]) => [name, bytes.toString()]));
  const pick = (end: RegExp): string =>
    [...files].flatMap(([name, text]) => (end.test(name) ? [text] : [])).join('\n');
  return {
    files,
    css: way === 'in scripts' ? pick(/\.js$/) : pick(/\.css$/),
    manifest: JSON.parse(files.get('icon-attribution.json') ?? 'null') as Manifest,
    messages: [...errors, ...warnings].map(({ message }) => message),
  };
}

const STYLES: Record<string, string> = {
  ...PLAIN_STYLES,
  'main.js': `import './main.css'; import credits from 'icon:credits'; console.log(credits);`,
};
const ALL = PLAIN_ICONS.map(titleOf).toSorted();

const titlesOf = ({ icons }: Manifest): (string | null)[] => icons.map(({ title }) => title);

function persistent(bundler: Bundler, root: string): webpack.Configuration['cache'] {
  const directory = join(root, '.cache');
  return (
    bundler === 'webpack'
      ? { type: 'filesystem', cacheDirectory: directory }
      : { type: 'persistent', storage: { type: 'filesystem', directory } }
  ) as Exclude<webpack.Configuration['cache'], boolean | undefined>;
}

describe.each(BUNDLERS)('style sheets in a build of %s', (bundler) => {
  it.each(WAYS)('hold their icons, and are credited (%s)', async (way) => {
    const root = await writeProject(STYLES);
    const { css, manifest, messages, files } = await buildProject(root, { bundler, way });
    expect(messages).toEqual([]);
    expect(css.match(/icon:(?!nothing|credits)/g) ?? []).toEqual([]);
    expect(titlesOf(manifest)).toEqual(ALL);
    for (const { usedIn } of manifest.icons)
      expect(usedIn.map(({ kind }) => kind)).toEqual([
        way === 'in scripts' ? 'inline-js' : 'inline-css',
      ]);
    expect([...files.keys()].filter((name) => name.includes('mark'))).toEqual([]);
    const script = [...files].find(([name]) => name.endsWith('.js'))?.[1] ?? '';
    for (const title of ALL) expect(script).toContain(`%22title%22%3A%22${title}%22`);
  });

  it.each(WAYS)('have files if icons are large or files are asked for (%s)', async (way) => {
    const root = await writeProject({
      'main.js': `import './main.css'`,
      'main.css':
        '.a { background: url(icon:home?color=f00) } .b { background: url(icon:lion?color=f00&inline) } .c { background: url(icon:bus?color=f00&url) } .d { background: url(icon:castle?color=f00) }',
    });
    const parser = { asset: { dataUrlCondition: { maxSize: 1000 } } };
    const { module: rules } = rulesOf(bundler, way);
    const { files, css, manifest, messages } = await buildProject(root, {
      bundler,
      way,
      config: {
        module: { ...rules, parser },
        output: {
          path: join(root, 'dist'),
          publicPath: '/sub/',
          assetModuleFilename: 'media/[name].[hash:6][ext]',
        },
      },
    });
    expect(messages).toEqual([]);
    const names = [...files.keys()].filter((name) => name.endsWith('.svg'));
    expect(names.map((name) => name.replace(/-.*/, '')).toSorted()).toEqual([
      'media/bus',
      'media/castle',
    ]);
    for (const name of names) {
      expect(files.get(name)).toMatch(/^<svg/);
      expect(css.replaceAll('\\', '') + [...files.values()].join('')).toContain(name);
    }
    if (way === 'extracted') for (const name of names) expect(css).toContain(`/sub/${name}`);
    expect(
      manifest.icons.map(({ title, usedIn }) => [title, usedIn.map(({ kind }) => kind)]),
    ).toEqual([
      ['Bus', ['asset']],
      ['Castle', ['asset']],
      ['Home', [way === 'in scripts' ? 'inline-js' : 'inline-css']],
      ['Lion', [way === 'in scripts' ? 'inline-js' : 'inline-css']],
    ]);
  });

  it.each(WAYS)('are the same from a warm cache, without a call (%s)', async (way) => {
    const root = await writeProject(STYLES);
    const options = { bundler, way, config: { cache: persistent(bundler, root) } };
    const cold = await buildProject(root, options);
    catalog.reset();
    const warm = await buildProject(root, options);
    expect(catalog.calls).toEqual([]);
    expect([...warm.files]).toEqual([...cold.files]);
    const other = { ...options, options: { svg: { optimize: false } } };
    const changed = await buildProject(root, other);
    expect(changed.css).not.toBe(cold.css);
    expect(titlesOf(changed.manifest)).toEqual(ALL);
  });

  it.each(WAYS)('say what is wrong, and where (%s)', async (way) => {
    const root = await writeProject({
      'main.js': `import './main.css'`,
      'main.css': '.a { background: url(icon:hoome) }',
    });
    const { messages } = await buildProject(root, { bundler, way });
    expect(messages.join('\n')).toMatch(/`icon:hoome`[\s\S]*main\.css[\s\S]*icon:home/);
  });

  it.each([
    ['text', 'this.callback(null, css)'],
    // As postcss-loader does it: css-loader then takes the tree, and reads no text.
    ['text and its tree', 'this.callback(null, css, undefined, { ast: treeOf(css) })'],
  ])('come from preprocessors with their partials, as %s', async (_, hand) => {
    const root = await writeProject({
      'main.js': `import './main.pre.css'`,
      'main.pre.css': 'include part',
      'preprocessor.cjs': `const postcss = require(${JSON.stringify(require.resolve('postcss'))});
        const version = new postcss.Processor().version;
        const treeOf = (css) => ({ type: 'postcss', version, root: postcss.parse(css) });
        module.exports = function () { const css = ".a { background: url('icon:home?color=f00') }"; ${hand}; }`,
    });
    const { module: rules = {}, ...rest } = rulesOf(bundler, 'extracted');
    const [rule] = rules.rules as { use: string[] }[];
    const use = [...(rule?.use ?? []), join(root, 'preprocessor.cjs')];
    const { css, messages, manifest } = await buildProject(root, {
      bundler,
      way: 'extracted',
      config: { ...rest, module: { rules: [{ ...rule, use }] } },
    });
    expect(messages).toEqual([]);
    expect(css).toContain('data:image/svg+xml');
    expect(titlesOf(manifest)).toEqual(['Home']);
  });

  it('have a placeholder for a class that was saved half typed, while the bundler watches', async () => {
    const root = await writeProject({
      'main.js': `import './main.css'`,
      // As Tailwind writes it, which keeps the class until it starts again.
      'main.css': String.raw`.bg-\[url\(icon\:ho\)\] { background: url(icon:ho) } .a { mask: url(icon:home) }`,
    });
    const build = { bundler, way: 'extracted' as const };
    const { css, messages } = await buildProject(root, { ...build, watches: true });
    expect(messages.join('\n')).toMatch(/`icon:ho`[^]*main\.css[^]*A class asks for it/);
    expect(messages).toHaveLength(1);
    expect(css.match(/could%20not%20be%20fetched/g)).toHaveLength(1);
    expect(css).toMatch(/mask:\s*url\("?data:image\/svg\+xml/);
    const { messages: errors } = await buildProject(root, build);
    expect(errors.join('\n')).toMatch(/`icon:ho`/);
    expect(errors.join('\n')).not.toContain('A class asks for it');
  });
});
