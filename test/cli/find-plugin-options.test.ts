import { describe, expect, it } from 'vitest';
import { findPluginOptions } from '../../src/cli/plugin-options.ts';
import farm from '../../src/farm.ts';
import rolldown from '../../src/rolldown.ts';
import rollup from '../../src/rollup.ts';
import rspack from '../../src/rspack.ts';
import vite from '../../src/vite.ts';
import webpack from '../../src/webpack.ts';

const options = { aliases: { house: 123 } };

describe('the options of a bundler’s configuration', () => {
  it.each(Object.entries({ vite, rollup, rolldown, webpack, rspack, farm }))(
    'are found in the plugin of %s',
    async (_, plugin) => {
      expect(await findPluginOptions({ plugins: [plugin(options)] })).toEqual([options]);
    },
  );

  it('are found in lists, functions and promises', async () => {
    const other = { name: 'other', api: { options: { aliases: {} } } };
    const plugins = [null, false, other, [Promise.resolve([rollup(options)])]];
    expect(await findPluginOptions(() => Promise.resolve({ plugins }))).toEqual([options]);
    expect(await findPluginOptions([{ plugins: [other] }, { plugins }])).toEqual([options]);
    expect(
      await findPluginOptions((_: unknown, { mode }: { mode: string }) =>
        mode === 'production' ? { plugins } : {},
      ),
    ).toEqual([options]);
  });

  it('are not made up', async () => {
    for (const config of [undefined, null, 'text', {}, { plugins: 'none' }, [[]]])
      expect(await findPluginOptions(config)).toEqual([]);
  });
});
