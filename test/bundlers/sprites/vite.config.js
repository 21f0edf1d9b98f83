import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { folder, options } from './options.js';

export default defineConfig({
  base: './',
  logLevel: 'warn',
  build: {
    outDir: folder,
    target: 'esnext',
    rollupOptions: { input: ['first.html', 'second.html'] },
  },
  plugins: [iconCatalog(options)],
});
