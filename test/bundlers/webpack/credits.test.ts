import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { CREDITS_SLOT } from '../../../src/build/session-types.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BUNDLERS, bundle, type Bundler } from './bundle.ts';

const PAGE = `import one from 'icon:1'; import unused from 'icon:2'; import(/* webpackChunkName: "page" */ './page.js')
  console.log(one)`;

function project(lazyIcons: number[]): Record<string, string> {
  return {
    'src/index.js': `${PAGE}; import(/* webpackChunkName: "lazy" */ './lazy.js')`,
    'src/page.js': `import credits from 'icon:credits'; globalThis.credits = credits`,
    'src/lazy.js': lazyIcons
      .map((n) => `import i${n} from 'icon:${n}'; console.log(i${n})`)
      .join('\n'),
  };
}

const NAMES = { filename: '[name].[contenthash].js', chunkFilename: '[name].[contenthash].js' };

describe.each(BUNDLERS)('icon:credits with %s', (bundler) => {
  it.each([
    false,
    'source-map',
    'inline-source-map',
    'eval',
    'eval-source-map',
    'cheap-module-source-map',
  ])('holds the shipped icons, devtool %s', async (devtool) => {
    const { output, errors } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: {
        'src/index.js': `import c from 'icon:credits'; import one from 'icon:1'; globalThis.credits = [c, one]`,
      },
      config: { devtool: devtool as 'eval' },
    });
    expect(errors).toEqual([]);
    expect(output['main.js']).not.toContain(CREDITS_SLOT);
    const scope: { credits?: unknown[] } = {};
    runInNewContext(output['main.js'] ?? '', scope);
    expect(scope.credits?.[0]).toEqual([1]);
  });

  it('keeps source maps in place behind the credits', async () => {
    const { output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: {
        'src/index.js': `import c from 'icon:credits'; import one from 'icon:1'; console.log(c, one, "after")`,
      },
      config: { devtool: 'source-map', optimization: { minimize: false } },
    });
    const map = JSON.parse(output['main.js.map'] ?? '{}') as {
      sources: string[];
      mappings: string;
    };
    expect(map.sources.some((source) => source.includes('index.js'))).toBe(true);
    expect(map.mappings).not.toBe('');
  });

  it('names another file when an icon is added in another chunk, and the same one when not', async () => {
    const root = await temporaryFolder();
    const first = await bundle(bundler, { root, files: project([3]), config: { output: NAMES } });
    const again = await bundle(bundler, { root, files: project([3]), config: { output: NAMES } });
    const more = await bundle(bundler, { root, files: project([3, 4]), config: { output: NAMES } });
    expect(again.output).toEqual(first.output);
    expect(textOf(first.output)).toContain('[1,3]');
    expect(textOf(more.output)).toContain('[1,3,4]');
    expect(nameOf(more.output)).not.toBe(nameOf(first.output));
  });

  it.each([
    ['chunkhash', '[name].[chunkhash].js'],
    ['contenthash without realContentHash', '[name].[contenthash].js'],
  ])('names another file by %s too', async (_, chunkFilename) => {
    const config = { output: { chunkFilename }, optimization: { realContentHash: false } };
    const root = await temporaryFolder();
    const first = await bundle(bundler, { root, files: project([3]), config });
    const more = await bundle(bundler, { root, files: project([3, 4]), config });
    expect(textOf(more.output)).toContain('[1,3,4]');
    expect(nameOf(more.output)).not.toBe(nameOf(first.output));
  });

  it('is not in the output, and costs nothing, if it is not read', async () => {
    const { output } = await bundle(bundler, {
      root: await temporaryFolder(),
      files: {
        'src/index.js': `import credits from 'icon:credits'; import one from 'icon:1'; console.log(one)`,
      },
    });
    expect(output['main.js']).not.toMatch(/JSON\.parse|CREDITS/);
    expect(output['icon-attribution.json']).toContain('icon:1');
  });

  it('is complete on warm builds', async () => {
    const root = await temporaryFolder();
    const files = project([3]);
    await build(bundler, root, files);
    const second = await build(bundler, root, {});
    const third = await build(bundler, root, {
      'src/lazy.js': `import i from 'icon:5'; console.log(i)`,
    });
    expect(second.session.loaded).toEqual([]);
    expect(textOf(second.output)).toContain('[1,3]');
    expect(third.session.loaded).toEqual(['icon:5?as=svg']);
    expect(textOf(third.output)).toContain('[1,5]');
    expect(nameOf(third.output)).not.toBe(nameOf(second.output));
  });
});

const build = (bundler: Bundler, root: string, files: Record<string, string>) =>
  bundle(bundler, { root, files, persistent: true, config: { output: NAMES } });

function nameOf(output: Record<string, string>): string | undefined {
  return Object.keys(output).find((name) => name.startsWith('page'));
}

function textOf(output: Record<string, string>): string | undefined {
  return output[nameOf(output) ?? ''];
}
