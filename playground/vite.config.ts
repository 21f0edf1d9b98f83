import { fileURLToPath } from 'node:url';
import iconCatalog from 'unplugin-icon-catalog/vite';
import { defineConfig, type UserConfig } from 'vite';
import { aliases } from './icons/aliases.ts';

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
  plugins: [iconCatalog({ catalog: 'embedded', aliases })],
});

export default config;
