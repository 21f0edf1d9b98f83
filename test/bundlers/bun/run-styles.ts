/** Runs in Bun: builds the project of the current folder with the options on standard input. */
import type { BunApi } from '../../../src/bundlers/bun/modules.ts';
import type { Options } from '../../../src/options/options.ts';
import iconCatalog from '../../../src/bun.ts';

const { Bun } = globalThis as unknown as { Bun: BunApi };
const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const config = { entrypoints: ['./main.js'], outdir: 'dist', throw: true };
await Bun.build({ ...config, plugins: [iconCatalog(options)] });
