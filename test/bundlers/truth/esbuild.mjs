import { build } from 'esbuild';
import iconCatalog from 'unplugin-icon-catalog/esbuild';
import { client, options, server } from './options.js';

const shared = { bundle: true, format: 'esm', plugins: [iconCatalog(options)] };
await build({
  ...shared,
  entryPoints: ['src/main.js', 'src/worker.js'],
  outdir: client,
  minify: true,
  splitting: true,
});
await build({ ...shared, entryPoints: ['src/server.js'], outdir: server, platform: 'node' });
