import iconCatalog from 'unplugin-icon-catalog/rolldown';
import { collectStyles } from './collect-styles.js';
import { client, options, server } from './options.js';

export default [
  {
    input: ['src/main.js', 'src/worker.js'],
    output: { dir: client, minify: true, chunkFileNames: 'parts/[name]-[hash].js' },
    plugins: [collectStyles(), iconCatalog(options)],
  },
  { input: 'src/server.js', output: { dir: server }, plugins: [iconCatalog(options)] },
];
