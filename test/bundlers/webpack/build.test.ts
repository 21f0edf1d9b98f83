import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type webpack from 'webpack';
import iconCatalog from '../../../src/webpack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createWebpackPlugin } from '../../../src/bundlers/webpack/plugin.ts';
import { EVERY_BUNDLER, LOADER, STYLE_LOADER, bundle } from './bundle.ts';
import { drawing } from './fake-session.ts';

describe.each(EVERY_BUNDLER)('%s', (bundler) => {
  const name = bundler === 'webpack' ? 'webpack' : 'rspack';

  it('builds a project of twenty icons, and credits each', async () => {
    const root = await temporaryFolder();
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const { output, errors, session } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `${numbers.map((n) => `import i${n} from 'icon:${n}'`).join('\n')}
          document.body.innerHTML = ${numbers.map((n) => `i${n}`).join(' + ')}`,
      },
    });
    expect(errors).toEqual([]);
    for (const n of numbers) {
      expect(output['main.js']).toContain(
        JSON.stringify(drawing(`icon:${n}`))
          .slice(1, -1)
          .replaceAll('\\', ''),
      );
    }
    expect(shipped(output)).toEqual(
      numbers.map((n) => `icon:${n}?as=svg main.js inline-js`).toSorted(),
    );
    expect(session.manifests).toHaveLength(1);
    expect(session.manifests[0]).toMatchObject({
      complete: true,
      build: { id: name, bundler: name, consumer: 'client', precision: 'module-graph' },
    });
  });

  it('credits what is shipped: a lazy chunk yes, an unused import no', async () => {
    const root = await temporaryFolder();
    const { output } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import used from 'icon:1'; import unused from 'icon:2'; import { three } from './library.js'
          import { credit, icon } from 'icon:6'; console.log(used, credit, icon); import('./lazy.js')`,
        'src/library.js': `export { default as three } from 'icon:3'
          export { default as four } from 'icon:4'`,
        'src/lazy.js': `import lazy from 'icon:5'; import { four } from './library.js'; console.log(lazy, four)`,
      },
      config: { output: { chunkFilename: 'lazy.js' } },
    });
    expect(shipped(output)).toEqual([
      'icon:1?as=svg main.js inline-js',
      'icon:4?as=svg lazy.js inline-js',
      'icon:5?as=svg lazy.js inline-js',
    ]);
    expect(Object.values(output).join()).not.toMatch(/M[23] f1/);
  });

  it('ships the artwork alone if the credit is not asked for', async () => {
    const root = await temporaryFolder();
    const { output } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import one from 'icon:1'; import { credit } from 'icon:2'; console.log(one, credit)`,
      },
    });
    expect(output['main.js']).not.toContain('credit of 1');
    expect(output['main.js']).toContain('credit of 2');
    expect(output['main.js']).not.toContain('M2 f1');
  });

  it('finds icons in modules that stand alone, in development and production', async () => {
    const files = {
      'src/index.js': `import one from 'icon:1'; console.log(one, require('icon:2'))`,
    };
    const all = ['icon:1?as=svg main.js inline-js', 'icon:2?as=svg main.js inline-js'];
    const development = await bundle(bundler, {
      root: await temporaryFolder(),
      files,
      config: { mode: 'development', devtool: 'eval' },
    });
    expect(shipped(development.output)).toEqual(all);
    const scattered = await bundle(bundler, {
      root: await temporaryFolder(),
      files,
      config: { optimization: { concatenateModules: false } },
    });
    expect(shipped(scattered.output)).toEqual(all);
  });

  it("emits `as=url` as a file by the project's own names, and none for an unused one", async () => {
    const root = await temporaryFolder();
    const { output } = await bundle(bundler, {
      root,
      files: {
        'src/index.js': `import url from 'icon:7?url'; import unused from 'icon:8?url'; import * as all from './all.js'
          globalThis.address = [url, all.nine]`,
        'src/all.js': `export { default as nine } from 'icon:9?url'; export { default as ten } from 'icon:10?url'`,
      },
      config: {
        output: { assetModuleFilename: 'img/[name].[contenthash:8][ext]', publicPath: '/p/' },
      },
    });
    const files = Object.keys(output).filter((name) => name.endsWith('.svg'));
    expect(files).toEqual([
      expect.stringMatching(/^img\/star-7\.[0-9a-f]{8}\.svg$/),
      expect.stringMatching(/^img\/star-9\.[0-9a-f]{8}\.svg$/),
    ]);
    expect(output[files[0] ?? '']).toBe(drawing('icon:7'));
    expect(shipped(output)).toEqual([
      `icon:7?as=url ${files[0]} asset`,
      `icon:9?as=url ${files[1]} asset`,
    ]);
    const scope: { address?: string[] } = {};
    runInNewContext(output['main.js'] ?? '', scope);
    expect(scope.address).toEqual(files.map((file) => `/p/${file}`));
  });

  it('names emitted files as webpack does without a setting, also in a development build', async () => {
    const { output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import url from 'icon:7?url'; console.log(url)` },
      config: { mode: 'development' },
    });
    expect(Object.keys(output)).toEqual([
      expect.stringMatching(/^[0-9a-f]{20}\.svg$/),
      'icon-attribution.json',
      'main.js',
    ]);
  });

  it('takes a function for the names of emitted files', async () => {
    const { output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import url from 'icon:7?url'; console.log(url)` },
      config: { output: { assetModuleFilename: ({ filename }) => `own/[hash:6]-${filename}` } },
    });
    expect(Object.keys(output)).toContainEqual(
      expect.stringMatching(/^own\/[0-9a-f]{6}-star-7\.svg$/),
    );
  });

  it("is not reached by the project's own rules for queries", async () => {
    const { output, errors } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import svg from 'icon:7?svg'; console.log(svg)` },
      config: { module: { rules: [{ resourceQuery: /svg/, type: 'asset/resource' }] } },
    });
    expect(errors).toEqual([]);
    expect(shipped(output)).toEqual(['icon:7?as=svg main.js inline-js']);
  });

  it('names the build and distinguishes server and client', async () => {
    const { session, output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `import one from 'icon:1'; console.log(one)` },
      config: { target: 'node', name: 'My Server', output: { filename: '[name].cjs' } },
    });
    expect(session.manifests[0]?.build).toMatchObject({ id: 'my-server', consumer: 'server' });
    expect(shipped(output)).toEqual(['icon:1?as=svg main.cjs server-only']);
  });

  it('begins, ends with the written files, and closes', async () => {
    const { session } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: { 'src/index.js': `console.log(1)` },
    });
    expect(session.events).toEqual(['begin', 'end dist/icon-attribution.json', 'close']);
  });
});

/** The credited places, one line each. */
function shipped(output: Record<string, string>): string[] {
  const usages = JSON.parse(output['icon-attribution.json'] ?? '[]') as {
    id: string;
    file: string;
    kind: string;
  }[];
  return usages.map(({ id, file, kind }) => `${id} ${file} ${kind}`).toSorted();
}

it('counts icons as used where Rspack shows plugins no module graph', async () => {
  const hideGraph: webpack.WebpackPluginInstance = {
    apply: (compiler) =>
      compiler.hooks.thisCompilation.tap('hide', (compilation) => {
        Object.defineProperty(compilation, 'moduleGraph', { value: undefined });
      }),
  };
  const { output, errors } = await bundle('rspack1', {
    root: await temporaryFolder(),
    files: { 'src/index.js': `import one from 'icon:1'; console.log(one)` },
    config: { plugins: [hideGraph] },
  });
  expect(errors).toEqual([]);
  expect(shipped(output)).toEqual(['icon:1?as=svg main.js inline-js']);
});

it.each(EVERY_BUNDLER)(
  '%s: a module that is not there leaves the list complete, and one that fails does not',
  async (bundler) => {
    const files = (more: string) => ({
      'src/index.js': `import one from 'icon:1'; console.log(one); ${more}`,
      'src/broken.js': 'const = 1;',
    });
    const completeWith = async (more: string): Promise<boolean[]> => {
      const { session, errors } = await bundle(bundler, {
        root: await temporaryFolder(),
        files: files(more),
        config: { optimization: { emitOnErrors: true } },
      });
      expect(errors).toHaveLength(1);
      return session.manifests.map(({ complete }) => complete);
    };
    expect(await completeWith("import('./optional.js')")).toEqual([true]);
    expect(await completeWith("import('./broken.js')")).toEqual([false]);
  },
);

it('webpack warns of an address in a template of Vue, which vue-loader does not replace', async () => {
  const { warnings } = await bundle('webpack', {
    root: await temporaryFolder(),
    files: {
      'src/index.js': "import './App.vue'; import one from 'icon:1'; console.log(one);",
      'src/App.vue': "globalThis.vnode = { src: 'icon:2?url' };",
    },
  });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('`icon:2?url` in ');
  expect(warnings[0]).toContain("import address from 'icon:2?url'`");
});

it.each([
  ['4', undefined],
  ['5.50.0', { version: '5.50.0' }],
])('webpack %s is refused, as it cannot read a resource by its scheme', (version, webpack) => {
  const compiler = { webpack } as unknown as webpack.Compiler;
  expect(() => iconCatalog({ catalog: 'embedded' }).apply(compiler)).toThrow(
    `needs webpack 5.90 or newer, and this is ${version}`,
  );
});

it.each([
  ['1.0.14', true],
  ['1.1.6', true],
  ['1.2.0', false],
  ['1.10.0', false],
])('Rspack %s is refused, as it would leave credits empty: %s', (rspackVersion, isRefused) => {
  const plugin = createWebpackPlugin({
    createSession: () => {
      throw new Error('accepted');
    },
    loader: LOADER,
    styleLoader: STYLE_LOADER,
  });
  const compiler = { webpack: { rspackVersion } } as unknown as webpack.Compiler;
  expect(() => plugin.apply(compiler)).toThrow(
    isRefused ? `needs Rspack 1.2 or newer, and this is ${rspackVersion}` : 'accepted',
  );
});
