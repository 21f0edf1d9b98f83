import iconCatalog from 'unplugin-icon-catalog/rollup';
import { folder, options } from './options.js';

export default {
  input: 'src/main.js',
  output: { dir: folder, format: 'es', assetFileNames: 'assets/[name]-[hash][extname]' },
  plugins: [iconCatalog(options)],
};
