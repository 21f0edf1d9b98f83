import { build } from '@farmfe/core';
import iconCatalog from 'unplugin-icon-catalog/farm';
import { client, options, server } from './options.js';

const run = (input, output) =>
  build({
    compilation: { progress: false, persistentCache: false, presetEnv: false, input, output },
    plugins: [iconCatalog(options)],
  });
await run(
  { index: './index.html' },
  { path: client, targetEnv: 'browser-esnext', publicPath: './', clean: true },
);
// Workers are bundles of their own, which Farm's core does not make by itself.
await run(
  { worker: './src/worker.js' },
  { path: client, targetEnv: 'library-browser', entryFilename: '[entryName].js', clean: false },
);
await run(
  { server: './src/server.js' },
  { path: server, targetEnv: 'node', entryFilename: '[entryName].js' },
);
