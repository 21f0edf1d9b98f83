import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type webpack from 'webpack';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  BUNDLERS,
  bundle,
  closeCompiler,
  compilerOf,
  createConfig,
  readOutput,
  writeFiles,
} from './bundle.ts';
import { createFakeSession, type FakeSession } from './fake-session.ts';

/** Builds a template in a child compiler, throws its script away and writes a page, as plugins for HTML do. */
const pagePlugin = (discard: boolean): webpack.WebpackPluginInstance => ({
  apply(compiler) {
    const { EntryPlugin, Compilation, sources } = compiler.webpack;
    compiler.hooks.make.tapAsync('page', (compilation, callback) => {
      const child = compilation.createChildCompiler('page', { filename: 'child.js' }, []);
      new EntryPlugin(compiler.context, './src/page.js', { name: 'page' }).apply(child);
      child.runAsChild((error) => callback(error));
    });
    compiler.hooks.thisCompilation.tap('page', (compilation) => {
      compilation.hooks.processAssets.tap(
        { name: 'page', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE },
        () => {
          compilation.emitAsset('index.html', new sources.RawSource('<p>'));
          if (discard) compilation.deleteAsset('child.js');
        },
      );
    });
  },
});

describe.each(BUNDLERS)('compilers within compilers with %s', (bundler) => {
  it.each([
    ['thrown away', true, { file: 'index.html', kind: 'inline-html' }],
    ['kept', false, { file: 'child.js', kind: 'inline-js' }],
  ])('credits what a child compiler ships, its script %s', async (_, discard, place) => {
    const { session, errors, output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: {
        'src/index.js': `import one from 'icon:1'; console.log(one)`,
        'src/page.js': `import two from 'icon:2'; import three from 'icon:3?url'; globalThis.page = two + three`,
      },
      config: { plugins: [pagePlugin(discard)], output: { assetModuleFilename: '[name][ext]' } },
    });
    expect(errors).toEqual([]);
    expect(output).toHaveProperty(['star-3.svg']);
    expect(session.manifests).toHaveLength(1);
    expect(session.manifests[0]?.usages).toEqual([
      { id: 'icon:1?as=svg', file: 'main.js', kind: 'inline-js' },
      { id: 'icon:2?as=svg', ...place },
      { id: 'icon:3?as=url', file: 'star-3.svg', kind: 'asset' },
    ]);
    expect(session.events).toEqual(['begin', 'end dist/icon-attribution.json', 'close']);
  });

  it('credits and keeps files of modules that ran during the build, also from a warm cache', async () => {
    const root = await temporaryFolder();
    const options = {
      root,
      files: {
        'src/index.js': `import text from './sheet.js'; import unused from 'icon:4?url'
          import credits from 'icon:credits'; console.log(text, credits)`,
        'src/sheet.js': ``,
        'src/inner.js': `import url from 'icon:3?url'; export default 'background: url(' + url + ')'`,
        // Runs a module and keeps what came of it, as extraction of style sheets does.
        'extract.cjs': `module.exports = function () { return 'export default 0' }
          module.exports.pitch = async function () {
            const { default: text } = await this.importModule('./inner.js', { publicPath: '/' })
            return 'export default ' + JSON.stringify(text)
          }`,
      },
      config: {
        module: { rules: [{ test: /sheet\.js$/, use: join(root, 'extract.cjs') }] },
        output: { assetModuleFilename: '[name][ext]' },
      },
      persistent: true,
    };
    const cold = await bundle(bundler, options);
    const warm = await bundle(bundler, options);
    expect(cold.errors).toEqual([]);
    expect(cold.output['main.js']).toContain('url(/star-3.svg)');
    expect(Object.keys(cold.output)).toEqual(['icon-attribution.json', 'main.js', 'star-3.svg']);
    expect(cold.session.manifests[0]?.usages).toEqual([
      { id: 'icon:3?as=url', file: 'star-3.svg', kind: 'asset' },
    ]);
    expect(cold.output['main.js']).toContain('[3]');
    expect(warm.session.loaded).toEqual([]);
    expect(warm.output).toEqual(cold.output);
  });

  it('keeps the compilers of a multi-compiler apart', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'src/client.js': `import one from 'icon:1'; console.log(one)`,
      'src/server.js': `import two from 'icon:2'; console.log(two)`,
    });
    const sessions: FakeSession[] = [];
    const createSession = (): FakeSession => {
      const session = createFakeSession();
      sessions.push(session);
      return session;
    };
    const compiler = compilerOf(bundler)(
      ['client', 'server'].map((name) => {
        const config = {
          name,
          entry: `./src/${name}.js`,
          target: name === 'server' ? 'node' : 'web',
          output: { path: join(root, 'dist', name) },
        };
        return createConfig(bundler, { root, config }, createSession);
      }),
    );
    if (compiler === null) throw new Error('no compiler');
    await new Promise<void>((resolve, reject) => {
      compiler.run((error) => (error ? reject(error) : resolve()));
    });
    await closeCompiler(compiler);
    const found = sessions.flatMap(({ manifests }) =>
      manifests.map(({ build, usages }) => ({ build, usages })),
    );
    expect(found).toEqual([
      {
        build: expect.objectContaining({ id: 'client', consumer: 'client' }),
        usages: [{ id: 'icon:1?as=svg', file: 'main.js', kind: 'inline-js' }],
      },
      {
        build: expect.objectContaining({ id: 'server', consumer: 'server' }),
        usages: [{ id: 'icon:2?as=svg', file: 'main.js', kind: 'server-only' }],
      },
    ]);
    expect(Object.keys(await readOutput(root))).toContain('server/icon-attribution.json');
  });
});
