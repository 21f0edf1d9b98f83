// One build of components in a process of its own. Arguments: project, framework, variant. Result: one line of JSON.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const [, , root, framework, variant] = process.argv;

const pluginByVariant = {
  ours: async () =>
    (await import('unplugin-icon-catalog/vite')).default({
      ...JSON.parse(readFileSync(`${root}/options.json`, 'utf8')),
      framework,
    }),
  'unplugin-icons': async () =>
    (await import('unplugin-icons/vite')).default(
      framework === 'react' ? { compiler: 'jsx', jsx: 'react' } : { compiler: 'vue3' },
    ),
};

const startedAt = performance.now();
const { output } = await build({
  root,
  configFile: false,
  logLevel: 'silent',
  plugins: [await pluginByVariant[variant]()],
  build: {
    outDir: `out/${framework}/${variant}`,
    emptyOutDir: true,
    rollupOptions: {
      input: `${root}/${variant === 'ours' ? 'ours' : `${variant} components`}.js`,
      // The framework itself is the same for both.
      external: [/^react/, 'vue'],
    },
  },
});
const milliseconds = performance.now() - startedAt;
const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
const result = {
  milliseconds,
  bytes: code.length,
  gzipped: gzipSync(code).length,
  icons: new Set(code.match(/\bM[\d.]+ ?[-\d.][^"'`]{6,}/g)).size,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
