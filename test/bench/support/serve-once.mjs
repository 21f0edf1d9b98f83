// A dev server of Vite in a process of its own. Arguments: project, variant. Standard output: one line of JSON { url },
// then, for each line on standard input, one with { cpu, megabytes } since the start. It ends with standard input.
import { readFileSync } from 'node:fs';
import { createServer } from 'vite';

const [, , root, variant] = process.argv;
const filter = { id: /^icon:/ };
const plugins = {
  // The floor: each module a constant that was there before. The one that is imported late is not among them.
  constants() {
    const codes = new Map(JSON.parse(readFileSync(`${root}/constants.json`, 'utf8')));
    const load = (id) => ({ code: codes.get(id) ?? 'export default "";', map: { mappings: '' } });
    return {
      name: 'constants',
      enforce: 'pre',
      resolveId: { filter, handler: (id) => id },
      load: { filter, handler: load },
    };
  },
  ours: async () =>
    (await import('unplugin-icon-catalog/vite')).default({
      ...JSON.parse(readFileSync(`${root}/options.json`, 'utf8')),
      logLevel: 'silent',
    }),
  'unplugin-icons': async () => (await import('unplugin-icons/vite')).default({ compiler: 'raw' }),
};
const tell = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'silent',
  cacheDir: `${root}/.vite-${variant}`,
  server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
  plugins: [await plugins[variant]()],
});
await server.listen();
process.stdin.on('data', () => {
  const { user, system } = process.cpuUsage();
  tell({ cpu: (user + system) / 1000, megabytes: process.resourceUsage().maxRSS / 1024 });
});
process.stdin.on('end', () => process.exit());
tell({ url: server.resolvedUrls.local[0] });
