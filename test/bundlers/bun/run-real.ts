/**
 * Runs in Bun: builds the project of the current folder, with the options of the command line or of its own file. Prints
 * the modules of the first output.
 */
import type { BunApi } from '../../../src/bundlers/bun/modules.ts';
import type { Options } from '../../../src/options/options.ts';
import iconCatalog from '../../../src/bun.ts';

const { Bun } = globalThis as unknown as { Bun: BunApi };
const [, , given, entry = './src/main.js'] = process.argv;
const plugin = given === undefined ? iconCatalog() : iconCatalog(JSON.parse(given) as Options);
const config = { entrypoints: [entry], outdir: 'dist', minify: true, splitting: true };
const { metafile } = await Bun.build({ ...config, metafile: true, plugins: [plugin] });
const [first] = Object.values(metafile?.outputs ?? {});
process.stdout.write(JSON.stringify(Object.keys(first?.inputs ?? {})));
