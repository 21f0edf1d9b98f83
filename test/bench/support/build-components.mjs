// One build of components in a process of its own. Arguments: project, framework, variant. Result: one line of JSON.
import { readFileSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const [, , root, framework, variant] = process.argv;
const isOurs = variant.startsWith('ours');
const COMPILERS = {
  react: { compiler: 'jsx', jsx: 'react' },
  vue: { compiler: 'vue3' },
  svelte: { compiler: 'svelte' },
};

// What an earlier build has prepared, or all of it: the lock and what was downloaded too.
if (variant === 'ours, nothing prepared')
  rmSync(`${root}/cache/packs`, { recursive: true, force: true });
if (variant === 'ours, nothing there')
  for (const path of ['cache', 'icons.lock'])
    rmSync(`${root}/${path}`, { recursive: true, force: true });

async function plugins() {
  if (isOurs) {
    const options = JSON.parse(readFileSync(`${root}/options.json`, 'utf8'));
    return [(await import('unplugin-icon-catalog/vite')).default({ ...options, framework })];
  }
  const icons = (await import('unplugin-icons/vite')).default(COMPILERS[framework]);
  if (framework !== 'svelte') return [icons];
  const { svelte } = await import('@sveltejs/vite-plugin-svelte');
  return [icons, svelte({ configFile: false })];
}

const startedAt = performance.now();
const before = process.cpuUsage();
const { output } = await build({
  root,
  configFile: false,
  logLevel: 'silent',
  plugins: await plugins(),
  build: {
    outDir: `out/${framework}/${variant}`,
    emptyOutDir: true,
    rollupOptions: {
      input: `${root}/${isOurs ? 'ours' : `${variant} components`}.js`,
      // The framework itself is the same for both.
      external: [/^react/, 'vue', /^svelte/],
    },
  },
});
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
const result = {
  milliseconds,
  cpu: (user + system) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
  bytes: code.length,
  gzipped: gzipSync(code).length,
  icons: new Set(code.match(/\bM[\d.]+ ?[-\d.][^"'`]{6,}/g)).size,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
