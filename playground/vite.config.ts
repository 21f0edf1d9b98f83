import { fileURLToPath } from 'node:url';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { defineConfig, type UserConfig } from 'vite';
import { aliases } from './icons/aliases.ts';

const page = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rollupOptions: { input: [page('index.html'), page('forms.html')] },
  },
  plugins: [
    iconCatalog({
      catalog: 'embedded',
      aliases,
      // Strings, where an import asks for nothing else.
      framework: 'web-component',
      defaults: { as: 'svg' },
      // Visitors of the credits page see whose it is, and find the way back.
      attribution: { title: 'Ostervale High Route', home: './' },
    }),
  ],
});

export default config;
