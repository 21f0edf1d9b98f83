/** Runs in Bun: builds the project of the current folder with the options on standard input. */
import { readFile } from 'node:fs/promises';
import type { BunApi, BunPlugin } from '../../../src/bundlers/bun/modules.ts';
import type { Options } from '../../../src/options/options.ts';
import iconCatalog from '../../../src/bun.ts';

/** As Tailwind's plugin does, it compiles whole style sheets. */
const compiler: BunPlugin = {
  name: 'compiler',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await readFile(path, 'utf8');
      const contents = css.replaceAll(/@apply \[([^\]]+)\];/g, 'background: $1;');
      return { contents, loader: 'css' };
    });
  },
};

const { Bun } = globalThis as unknown as { Bun: BunApi };
const [, , given = '{}', order = ''] = process.argv;
const options = JSON.parse(given) as Options;
const config = { entrypoints: ['./main.js'], outdir: 'dist', throw: true };
const plugins = { compiler, icons: iconCatalog(options) };
const names = order === '' ? ['icons'] : order.split(',');
await Bun.build({ ...config, plugins: names.map((name) => plugins[name as keyof typeof plugins]) });
