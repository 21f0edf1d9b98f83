import { build } from '@farmfe/core';
import iconCatalog from 'unplugin-icon-catalog/farm';
import { bundlerCache, folder, options } from './options.js';

await build({
  compilation: {
    progress: false,
    input: { main: './src/main.js' },
    output: { path: folder, targetEnv: 'node', entryFilename: '[entryName].js' },
    presetEnv: false,
    persistentCache: bundlerCache === undefined ? false : { cacheDir: bundlerCache },
  },
  plugins: [iconCatalog(options)],
});
