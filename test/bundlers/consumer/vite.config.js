import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { folder, options } from './options.js';

export default defineConfig({
  base: './',
  logLevel: 'warn',
  // Node, which runs the output here, has no document to preload into; and small files stay files in all bundlers.
  build: { outDir: folder, modulePreload: false, assetsInlineLimit: 0, target: 'esnext' },
  plugins: [iconCatalog(options)],
});
