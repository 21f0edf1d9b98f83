import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { client, options, server } from './options.js';

export default defineConfig({
  base: './',
  logLevel: 'warn',
  builder: {},
  environments: {
    client: { build: { outDir: client } },
    ssr: { build: { outDir: server, rollupOptions: { input: 'src/server.js' } } },
  },
  worker: { format: 'es' },
  plugins: [iconCatalog(options)],
});
