import iconCatalog from 'unplugin-icon-catalog/bun';
import { folder, options } from './options.js';

await Bun.build({
  entrypoints: ['./src/first.js', './src/second.js'],
  outdir: folder,
  format: 'esm',
  minify: true,
  publicPath: '/sub/',
  splitting: true,
  plugins: [iconCatalog(options)],
});
