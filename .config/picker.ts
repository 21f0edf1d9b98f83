import { defineConfig, type UserConfig } from 'vite';

/** The page of the icon browser, bundled ahead: its libraries are development dependencies only. */
const config: UserConfig = defineConfig({
  root: 'src/picker/page',
  // The handler may serve it below any path.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../dist/picker',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: false,
    // An address of data is refused by the content security policy of the page.
    assetsInlineLimit: 0,
    // What the licences of the bundled libraries ask for.
    license: { fileName: 'NOTICES' },
    reportCompressedSize: false,
  },
});

export default config;
