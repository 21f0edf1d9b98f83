import { build } from '@farmfe/core';
import iconCatalog from 'unplugin-icon-catalog/farm';
import { bundlerCache, folder, options } from './options.js';

await build({
  compilation: {
    progress: false,
    input: { first: './first.html', second: './second.html' },
    output: {
      path: folder,
      targetEnv: 'browser-esnext',
      publicPath: '/sub/',
    },
    presetEnv: false,
    persistentCache: bundlerCache === undefined ? false : { cacheDir: bundlerCache },
  },
  plugins: [iconCatalog(options)],
});
