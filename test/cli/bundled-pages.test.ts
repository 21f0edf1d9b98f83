import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HtmlRspackPlugin, rspack } from '@rspack/core';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { afterAll, beforeAll, expect, it } from 'vitest';
import webpack from 'webpack';
import { main } from '../../src/cli/main.ts';
import rspackPlugin from '../../src/rspack.ts';
import { embeddedIconId } from '../../src/server.ts';
import webpackPlugin from '../../src/webpack.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { writeProject } from '../support/write-project.ts';
import { createFakeHost } from './support/fake-host.ts';
import { parseManifest } from '../support/parse-manifest.ts';

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
});
afterAll(() => catalog.close());

const [BELL, HOME, MOON, STAR] = ['bell', 'home', 'moon', 'star'].map((name) =>
  embeddedIconId('tabler', name),
);
const PAGE = `<!doctype html><html lang="en"><head><title>x</title><link rel="icon" href="icon:${STAR}?color=f00"></head>
<body><img inline src="icon:${HOME}" alt="Home" class="logo"></body></html>`;
/** Templates are modules: what they import is drawn and credited by the build itself. */
const TEMPLATE = PAGE.replace('</body>', `<%= require('icon:${MOON}?raw').default %></body>`);

const CASES = [
  ['webpack', webpack, () => new HtmlWebpackPlugin({ template: 'src/template.ejs' }), 'Moon'],
  ['Rspack', rspack, () => new HtmlWebpackPlugin({ template: 'src/template.ejs' }), 'Moon'],
  ['Rspack’s own', rspack, () => new HtmlRspackPlugin({ template: 'src/page.html' }), undefined],
] as const;

it.each(CASES)(
  '`icon-catalog html` finishes pages that a plugin of %s made, and completes the credits',
  async (name, bundler, page, inTemplate) => {
    const root = await writeProject({
      'src/index.js': `import bell from 'icon:${BELL}'; document.body.append(bell);`,
      'src/template.ejs': TEMPLATE,
      'src/page.html': PAGE,
    });
    const { url: baseUrl, key, secret } = catalog;
    const ours = name === 'webpack' ? webpackPlugin : rspackPlugin;
    const plugin = ours({
      catalog: { baseUrl, key, secret },
      cacheDir: join(root, '.cache'),
      logLevel: 'silent',
    });
    const compiler = (bundler as typeof webpack)({
      mode: 'production',
      context: root,
      output: { path: join(root, 'dist') },
      plugins: [page(), plugin] as webpack.WebpackPluginInstance[],
    });
    const reported = await new Promise<string>((resolve, reject) => {
      compiler?.run((error, stats) => {
        if (error ?? !stats) return reject(error ?? new Error('no stats'));
        const text = stats.toString({ all: false, errors: true, warnings: true });
        compiler.close(() => resolve(text));
      });
    });
    expect(reported.trim()).toBe('');
    const credited = async (): Promise<(string | null)[]> => {
      const text = await readFile(join(root, 'dist/icon-attribution.json'), 'utf8');
      return parseManifest(text).icons.map(({ title }) => title);
    };
    const built = ['Bell', inTemplate].filter((title) => title !== undefined);
    expect(await credited()).toEqual(built);

    const host = createFakeHost({
      cwd: root,
      env: {
        ICON_CATALOG_URL: baseUrl,
        ICON_CATALOG_KEY: key,
        ICON_CATALOG_SECRET: secret,
        ICON_CATALOG_CACHE_DIR: join(root, '.cache'),
      },
    });
    expect([await main(['html', 'dist'], host), host.err()]).toEqual([
      0,
      expect.stringContaining('2'),
    ]);
    const finished = await readFile(join(root, 'dist/index.html'), 'utf8');
    expect(finished).not.toContain('icon:');
    expect(finished).toMatch(/<link rel="?icon"? href="?[^" ]+\.svg"? type="?image\/svg\+xml/);
    expect(finished).toMatch(/<svg [^>]*class="?logo[^]*<title>Home<\/title>/);
    expect(await credited()).toEqual([...built, 'Home', 'Star'].toSorted());
  },
);
