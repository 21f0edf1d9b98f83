import iconCatalog from 'unplugin-icon-catalog/bun';
import { client, options, server } from './options.js';

const plugins = [iconCatalog(options)];
await Bun.build({
  entrypoints: ['./src/main.js', './src/worker.js'],
  outdir: client,
  minify: true,
  splitting: true,
  plugins,
});
await Bun.build({ entrypoints: ['./src/server.js'], outdir: server, target: 'bun', plugins });
