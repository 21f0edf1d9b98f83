import iconCatalog from 'unplugin-icon-catalog/rolldown';
import { folder, options } from './options.js';

export default {
  input: 'src/main.js',
  output: { dir: folder, format: 'esm', minify: true },
  plugins: [iconCatalog(options)],
};
