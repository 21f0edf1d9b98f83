// One build in a process of its own, so that peak memory, caches and compiled code are those of a user's run.
// Arguments: project, variant, JSON of options that ours has besides. Result: one line of JSON on standard output.
import { readdirSync, readFileSync } from 'node:fs';
import { build } from 'vite';

const [, , root, variant, besides = '{}'] = process.argv;
const read = (name) => JSON.parse(readFileSync(`${root}/${name}`, 'utf8'));

/** The floor with a plugin: the same ids, each module a constant that was there before. */
function constants() {
  const codeById = new Map(read('constants.json'));
  const filter = { id: /^icon:/ };
  return {
    name: 'constants',
    enforce: 'pre',
    resolveId: { filter, handler: (id) => ({ id, moduleSideEffects: false }) },
    load: { filter, handler: (id) => ({ code: codeById.get(id), moduleSideEffects: false }) },
  };
}

const pluginByVariant = {
  files: async () => undefined,
  constants: async () => constants(),
  ours: async () =>
    (await import('unplugin-icon-catalog/vite')).default({
      ...read('options.json'),
      ...JSON.parse(besides),
    }),
  'ours without credits': async () =>
    (await import('unplugin-icon-catalog/vite')).default({
      ...read('options.json'),
      attribution: false,
    }),
  'unplugin-icons': async () => (await import('unplugin-icons/vite')).default({ compiler: 'raw' }),
};

// The clock runs from where builds begin to differ: Vite is loaded, no plugin is.
const startedAt = performance.now();
const before = process.cpuUsage();
const { output } = await build({
  root,
  configFile: false,
  logLevel: 'silent',
  plugins: [await pluginByVariant[variant]()],
  build: {
    outDir: `out/${variant}`,
    emptyOutDir: true,
    rollupOptions: { input: `${root}/${variant}.js` },
  },
});
const milliseconds = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);

const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
const result = {
  milliseconds,
  cpu: (user + system) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
  icons: code.split(/(?:<|\\u003c)svg/).length - 1,
  // Credits are written after the bundle.
  files: readdirSync(`${root}/out/${variant}`),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
