/** Runs in Bun: builds the project of the current folder, with the options of the command line or of its own file. */
import type { BunApi } from '../../../src/bundlers/bun/modules.ts';
import type { Options } from '../../../src/options/options.ts';
import iconCatalog from '../../../src/bun.ts';

const { Bun } = globalThis as unknown as { Bun: BunApi };
const [, , given] = process.argv;
const plugin = given === undefined ? iconCatalog() : iconCatalog(JSON.parse(given) as Options);
const config = { entrypoints: ['./src/main.js'], outdir: 'dist', minify: true, splitting: true };
await Bun.build({ ...config, plugins: [plugin] });
