import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type webpack from 'webpack';
import type { Options } from '../../../src/options/options.ts';
import rspackPlugin from '../../../src/rspack.ts';
import { embeddedIconId } from '../../../src/server.ts';
import webpackPlugin from '../../../src/webpack.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  BUNDLERS,
  closeCompiler,
  compilerOf,
  readOutput,
  writeFiles,
  type Bundler,
} from './bundle.ts';
import { parseManifest } from '../../support/parse-manifest.ts';

const home = embeddedIconId('tabler', 'home');
const bus = embeddedIconId('maki', 'bus');
const lion = embeddedIconId('game-icons', 'lion');
const moon = embeddedIconId('tabler', 'moon');

const FILES = {
  'src/index.js': `import house from 'icon:house?color=f00&size=32'; import bus from 'icon:${bus}?url'
    import unused from 'icon:${moon}'; import credits from 'icon:credits'; globalThis.later = () => import('./lazy.js')
    globalThis.found = [house, bus, credits]`,
  'src/lazy.js': `import lion, { credit } from 'icon:${lion}'; console.log(lion, credit)`,
};

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

function settingsOf(root: string): Options {
  const { url: baseUrl, key, secret } = catalog;
  return {
    catalog: { baseUrl, key, secret },
    aliases: { house: home },
    cacheDir: join(root, '.icons'),
    logLevel: 'silent',
  };
}

async function build(
  bundler: Bundler,
  root: string,
  options: Options = {},
  entry: Bundler = bundler,
): Promise<{ output: Record<string, string>; report: string; calls: number }> {
  const settings: Options = { ...settingsOf(root), ...options };
  const cache =
    bundler === 'webpack'
      ? { type: 'filesystem', cacheDirectory: join(root, '.cache') }
      : { type: 'persistent', storage: { type: 'filesystem', directory: join(root, '.cache') } };
  const compiler = compilerOf(bundler)({
    mode: 'production',
    context: root,
    entry: './src/index.js',
    infrastructureLogging: { level: 'none' },
    output: { path: join(root, 'dist'), publicPath: '/', chunkFilename: 'lazy.js', clean: true },
    cache: cache as Exclude<webpack.Configuration['cache'], boolean | undefined>,
    plugins: [
      entry === 'webpack'
        ? webpackPlugin(settings)
        : (rspackPlugin(settings) as unknown as webpack.WebpackPluginInstance),
    ],
  });
  if (compiler === null) throw new Error('no compiler');
  catalog.reset();
  const report = await new Promise<string>((resolve, reject) => {
    compiler.run((error, stats) =>
      error || !stats
        ? reject(error ?? new Error('no stats'))
        : resolve(stats.toString({ colors: false, preset: 'errors-warnings' })),
    );
  });
  await closeCompiler(compiler);
  return { output: await readOutput(root), report, calls: catalog.calls.length };
}

describe.each(BUNDLERS)('the entry of %s, against a catalog on a port', (bundler) => {
  it('builds cold, and twice more without a call', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, FILES);
    const cold = await build(bundler, root);
    expect(cold.report).toMatch(/^\w+ compiled successfully$/);
    expect(cold.calls).toBeGreaterThan(0);
    const scope: { found?: [string, string, { id: string }[]]; self: object } = { self: {} };
    runInNewContext(cold.output['main.js'] ?? '', scope);
    expect(scope.found?.[0]).toMatch(/^<svg[^>]*width="32"[^>]*/);
    expect(scope.found?.[0]).toContain('#ff0000');
    expect(Object.keys(cold.output)).toContain(scope.found?.[1].slice(1));
    const manifest = parseManifest(cold.output['icon-attribution.json'] ?? '{}');
    const ids = [home, bus, lion].map(String).toSorted();
    expect(manifest.icons.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(scope.found?.[2].map(({ id }) => id).toSorted()).toEqual(ids);

    const second = await build(bundler, root);
    const third = await build(bundler, root);
    // Generators that build with either hand the same plugin to both.
    const other = bundler === 'webpack' ? 'rspack' : 'webpack';
    const ofOther = await build(bundler, root, {}, other);
    for (const warm of [second, third, ofOther]) {
      expect(warm.calls).toBe(0);
      expect(warm.output).toEqual(cold.output);
    }
  });

  it('rebuilds what an option changes', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, FILES);
    const before = await build(bundler, root);
    const after = await build(bundler, root, {
      defaults: { class: 'mine' },
      aliases: { house: moon },
    });
    expect(before.output['main.js']).not.toContain('mine');
    expect(after.output['main.js']).toContain('mine');
    const ids = parseManifest(after.output['icon-attribution.json'] ?? '{}').icons.map(
      ({ id }) => id,
    );
    expect(ids).toContain(String(moon));
    expect(ids).not.toContain(String(home));
  });

  it('says what is wrong with an import, and where', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, { 'src/index.js': `import a from 'icon:hause'; console.log(a)` });
    const { report, output } = await build(bundler, root);
    expect(report).toContain('SPECIFIER_INVALID');
    expect(report).toContain('house');
    expect(report).toContain(join(root, 'src/index.js'));
    expect(output).toEqual({});
  });

  it('keeps apart what compilers without names build into one folder, whichever ends first', async () => {
    const root = await temporaryFolder();
    await writeFiles(root, {
      'src/a.js': `import icon from 'icon:${home}'; globalThis.a = icon`,
      'src/b.js': `import icon from 'icon:${bus}'; globalThis.b = icon`,
    });
    for (const entries of ['ab', 'ba']) {
      const configs = Array.from(entries, (name): webpack.Configuration => {
        const plugin = bundler === 'webpack' ? webpackPlugin : rspackPlugin;
        return {
          mode: 'production',
          context: root,
          entry: `./src/${name}.js`,
          output: { path: join(root, 'dist'), filename: `${name}.js` },
          plugins: [plugin(settingsOf(root)) as webpack.WebpackPluginInstance],
        };
      });
      const compiler = compilerOf(bundler)(Object.assign(configs, { parallelism: 1 }));
      if (compiler === null) throw new Error('no compiler');
      await new Promise<void>((resolve, reject) => {
        compiler.run((error) => (error ? reject(error) : resolve()));
      });
      await closeCompiler(compiler);
      const { 'icon-attribution.json': list = '{}' } = await readOutput(root);
      const { builds, icons } = parseManifest(list);
      const ids = ['a', 'b'].map((name) => `${bundler}.${name}`);
      expect(builds.map(({ id, precision }) => [id, precision])).toEqual(
        ids.map((id) => [id, 'emitted']),
      );
      expect(icons.map(({ usedIn }) => String(usedIn[0]?.build)).toSorted()).toEqual(ids);
    }
  });
});
