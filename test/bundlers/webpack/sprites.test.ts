import { describe, expect, it } from 'vitest';
import type webpack from 'webpack';
import { rspack } from '@rspack/core';
import webpackBundler from 'webpack';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { BUNDLERS, bundle, watch, writeFiles } from './bundle.ts';

const NAMES: webpack.Configuration['output'] = {
  assetModuleFilename: 'files/[name].[contenthash:8][ext]',
};
const FILES = {
  'src/index.js': `import './page.js'; import('./part.js')`,
  'src/page.js': `import one from 'icon:1?sprite'; console.log(one)`,
  'src/part.js': `import two from 'icon:2?sprite'; import three from 'icon:3?sprite'; console.log(two)`,
};

const spriteOf = (output: Record<string, string>): string =>
  Object.keys(output)
    .filter((path) => path.endsWith('.svg'))
    .join();
const open = (output: Record<string, string>): string[] =>
  Object.keys(output).filter((path) => output[path]?.includes('__ICON_CATALOG'));

describe.each(BUNDLERS)('the sprite file of %s', (bundler) => {
  it.each(['eval', 'source-map', false] as const)(
    'has the name in every script, with devtool %s',
    async (devtool) => {
      const { output, errors, session } = await bundle(bundler, {
        root: await temporaryFolder(),
        files: FILES,
        config: { mode: 'production', devtool, output: NAMES },
      });
      expect(errors).toEqual([]);
      const sprite = spriteOf(output);
      expect(sprite).toMatch(/^files\/sprite\.[\da-f]{8}\.svg$/);
      // The third is shaken away.
      expect(output[sprite]).toBe('<svg><path d="M1 f1 z"/></svg><svg><path d="M2 f1 z"/></svg>');
      const scripts = Object.values(output).filter((text) => text.includes(sprite));
      expect(scripts.length).toBeGreaterThanOrEqual(2);
      expect(open(output).filter((path) => !path.endsWith('.map'))).toEqual([]);
      expect(session.manifests[0]?.usages.map(({ id, file, kind }) => [id, file, kind])).toEqual([
        ['icon:1?as=sprite', sprite, 'sprite-symbol'],
        ['icon:2?as=sprite', sprite, 'sprite-symbol'],
      ]);
    },
  );

  it('changes the names of the scripts that show it with its own', async () => {
    const root = await temporaryFolder();
    const config = {
      mode: 'production' as const,
      optimization: { realContentHash: false },
      output: { ...NAMES, filename: '[name].[contenthash].js' },
    };
    const before = await bundle(bundler, { root, files: FILES, config });
    const after = await bundle(bundler, {
      root,
      files: {
        'src/part.js': FILES['src/part.js'].replace('console.log(two)', 'console.log(two, three)'),
      },
      config,
    });
    const names = ({ output }: typeof before): string[] =>
      Object.keys(output).filter((path) => /\.(?:js|svg)$/.test(path));
    expect(names(before)).toHaveLength(3);
    expect(names(after)).toHaveLength(3);
    expect(names(after).filter((name) => names(before).includes(name))).toEqual([]);
  });

  it('follows edits while watching, hot updates included', async () => {
    const root = await temporaryFolder();
    const { HotModuleReplacementPlugin } = bundler === 'webpack' ? webpackBundler : rspack;
    const plugins = [new HotModuleReplacementPlugin()] as webpack.Configuration['plugins'];
    const { next } = await watch(bundler, {
      root,
      files: {
        'src/index.js': `import './page.js'; module.hot.accept('./page.js')`,
        'src/page.js': FILES['src/page.js'],
      },
      config: { mode: 'none', output: NAMES, plugins: plugins ?? [] },
    });
    const first = await next();
    expect(first.errors).toEqual([]);
    expect(open(first.output)).toEqual([]);
    const [old] = spriteOf(first.output).split(',');
    await writeFiles(root, {
      'src/page.js': `import one from 'icon:1?sprite'; import two from 'icon:2?sprite'; console.log(one, two)`,
    });
    let second = await next();
    const added = ({ output }: typeof second): string | undefined =>
      Object.keys(output).find((path) => path.endsWith('.svg') && path !== old);
    // A watcher that is busy may build once more before it sees the edit.
    while (added(second) === undefined) second = await next();
    expect(second.errors).toEqual([]);
    expect(open(second.output)).toEqual([]);
    const now = added(second) ?? '';
    expect(second.output[now]).toContain('M2 f1');
    const update = Object.entries(second.output).find(([path]) => path.endsWith('hot-update.js'));
    expect(update?.[1]).toContain(now);
    expect(second.output['main.js']).toContain(now);
  });

  it('is a file a symbol in development, so that a server and a browser agree on each', async () => {
    const { next, session } = await watch(bundler, {
      root: await temporaryFolder(),
      files: FILES,
      config: { mode: 'development', output: NAMES },
    });
    const { errors, output } = await next();
    expect(errors).toEqual([]);
    const files = Object.keys(output).filter((path) => path.endsWith('.svg'));
    const drawn = files.map((file) => String(/M\d/.exec(output[file] ?? '')));
    expect(drawn.toSorted()).toEqual(['M1', 'M2']);
    expect(open(output)).toEqual([]);
    const usages = session.manifests[0]?.usages ?? [];
    expect(usages.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
    for (const { id, file } of usages) expect(output[file]).toContain(`M${id.charAt(5)} f1`);
  });
});
