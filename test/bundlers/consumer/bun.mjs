import iconCatalog from 'unplugin-icon-catalog/bun';
import { folder, options } from './options.js';

await Bun.build({
  entrypoints: ['./src/main.js'],
  outdir: folder,
  format: 'esm',
  minify: true,
  splitting: true,
  plugins: [iconCatalog(options)],
});
