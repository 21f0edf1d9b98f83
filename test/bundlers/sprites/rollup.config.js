import iconCatalog from 'unplugin-icon-catalog/rollup';
import { folder, options } from './options.js';

export default {
  input: ['src/first.js', 'src/second.js'],
  output: { dir: folder, format: 'esm', chunkFileNames: 'parts/[name]-[hash].js' },
  plugins: [iconCatalog(options)],
};
