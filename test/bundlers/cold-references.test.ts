import { join } from 'node:path';
import { rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Options } from '../../src/options/options.ts';
import rollupPlugin from '../../src/rollup.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import webpackPlugin from '../../src/webpack.ts';
import { createFakeHost } from '../cli/support/fake-host.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const NAMES = ['home', 'user', 'heart', 'star', 'moon', 'anchor', 'camera', 'settings'];
const IDS = NAMES.map((name) => embeddedIconId('tabler', name));
const STYLE = ['f00', '0f0']
  .flatMap((color) => IDS.map((id) => `.i${id}{background:url(icon:${id}?color=${color}&url)}`))
  .join('\n');
const PAGE = `<!doctype html><html lang="en"><title>x</title><body>${IDS.map((id) => `<img alt="" src="icon:${id}?color=f00&url">`).join('')}<p style="background:url(icon:${IDS[0]}?color=00f)">x</p></body></html>`;

let catalog: CountingCatalog;
beforeEach(async () => {
  catalog = await startCountingCatalog();
});
afterEach(() => catalog.close());

/** Answers once as many requests are open as there are icons, and the last one first. */
function answerBackwards(): void {
  let waiting: (() => void)[] = [];
  catalog.hold = () =>
    new Promise((answer) => {
      waiting.push(answer);
      // Whoever asks for one icon after the other is answered, too.
      const timer = setTimeout(release, 500);
      function release(): void {
        clearTimeout(timer);
        const now = waiting.toReversed();
        waiting = [];
        for (const [place, each] of now.entries()) setTimeout(each, 5 * place);
      }
      if (waiting.length === IDS.length) release();
    });
}

const BUILDS: Record<string, (root: string, options: Options) => Promise<void>> = {
  'a style sheet in Rollup': async (root, options) => {
    const css = {
      name: 'css',
      transform(this: { emitFile(file: object): string }, source: string, id: string) {
        if (!id.endsWith('.css')) return null;
        this.emitFile({ type: 'asset', fileName: 'style.css', source });
        return 'export default 1';
      },
    };
    const build = await rollup({
      input: join(root, 'main.js'),
      plugins: [rollupPlugin(options), css],
      onwarn: () => undefined,
    });
    await build.write({ dir: join(root, 'dist') });
    await build.close();
  },
  'a style sheet and a page in Vite': async (root, options) => {
    await viteBuild({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [vitePlugin(options)],
      build: { assetsInlineLimit: 0 },
    });
  },
  'a style sheet in webpack': (root, options) =>
    new Promise((resolve, reject) => {
      webpack(
        {
          mode: 'production',
          context: root,
          entry: join(root, 'main.js'),
          output: { path: join(root, 'dist') },
          experiments: { css: true },
          module: { rules: [{ test: /\.css$/, type: 'css/auto' }] },
          plugins: [webpackPlugin(options)],
        },
        (error, stats) => {
          if (error ?? stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
          else resolve();
        },
      );
    }),
};

it.each(Object.entries(BUILDS))(
  '%s ask for all their icons side by side, and are the same bytes in whatever order answers come',
  async (_, build) => {
    const root = await writeProject({
      'index.html': `${PAGE}<script type="module" src="/main.js"></script>`,
      'main.js': `import './style.css'; console.log(1);`,
      'style.css': STYLE,
    });
    const { url: baseUrl, key, secret } = catalog;
    const options: Options = {
      catalog: { baseUrl, key, secret },
      cacheDir: join(root, '.cache'),
      lockfile: join(root, 'icons.lock'),
      logLevel: 'silent',
    };
    answerBackwards();
    await build(root, options);
    const cold = await readTree(join(root, 'dist'));
    expect(catalog.peak).toBe(IDS.length);
    expect(catalog.calls.length).toBe(2 * IDS.length);
    expect(String(cold.get('icon-attribution.json'))).toContain('"complete": true');

    catalog.reset();
    await build(root, options);
    expect(catalog.calls).toEqual([]);
    const warm = await readTree(join(root, 'dist'));
    expect([...warm.keys()]).toEqual([...cold.keys()]);
    for (const [path, bytes] of cold) expect(warm.get(path)?.equals(bytes), path).toBe(true);
  },
);

it('finished pages ask for all their icons side by side', async () => {
  const pages = IDS.map((id) => [
    `dist/${id}.html`,
    `<!doctype html><html lang="en"><title>x</title><img alt="" src="icon:${id}"></html>`,
  ]);
  const { url, key, secret } = catalog;
  const root = await writeProject({
    ...Object.fromEntries(pages),
    'icon-catalog.config.json': JSON.stringify({ cacheDir: '.cache' }),
  });
  answerBackwards();
  const host = createFakeHost({
    cwd: root,
    env: { ICON_CATALOG_URL: url, ICON_CATALOG_KEY: key, ICON_CATALOG_SECRET: secret },
  });
  expect(await main(['html', 'dist'], host), host.err()).toBe(0);
  expect(catalog.peak).toBe(IDS.length);
});
