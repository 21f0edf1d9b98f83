import { build } from 'esbuild';
import iconCatalog from 'unplugin-icon-catalog/esbuild';
import { folder, options } from './options.js';

await build({
  entryPoints: ['src/first.js', 'src/second.js'],
  bundle: true,
  minify: true,
  chunkNames: 'parts/[name]-[hash]',
  assetNames: 'files/[name]-[hash]',
  publicPath: '/sub/',
  splitting: true,
  format: 'esm',
  outdir: folder,
  plugins: [iconCatalog(options)],
});
