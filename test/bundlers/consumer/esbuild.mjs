import { build } from 'esbuild';
import iconCatalog from 'unplugin-icon-catalog/esbuild';
import { folder, options } from './options.js';

await build({
  entryPoints: ['src/main.js'],
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  outdir: folder,
  plugins: [iconCatalog(options)],
});
