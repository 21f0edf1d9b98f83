import { mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type * as Vite from 'vite';
import vitePlugin from '../../src/vite.ts';
import type { Options } from '../../src/options/options.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { readTree, writeProject } from '../support/write-project.ts';

let vite: typeof Vite;
/** The Vite that VitePress 1 brings along. */
beforeAll(async () => {
  const vitepress = fileURLToPath(
    new URL('../../node_modules/vitepress/package.json', import.meta.url),
  );
  const manifest = createRequire(vitepress).resolve('vite/package.json');
  const entry = pathToFileURL(join(dirname(manifest), 'dist/node/index.js'));
  vite = (await import(entry.href)) as typeof Vite;
  expect(vite.version).toMatch(/^5\./);
});

async function project(
  options: Options = {},
  files: Record<string, string> = {},
): Promise<Vite.InlineConfig & { root: string }> {
  const root = await writeProject({
    'index.html':
      '<!doctype html><html lang="en"><title>x</title><img id="heart" src="icon:tabler/heart?url" alt=""><a href="icon-attribution.html">Credits</a><script type="module" src="/main.js"></script></html>',
    'main.js':
      "import './main.css'; import home from 'icon:tabler/home'; import bell from 'icon:tabler/bell?url'; document.body.append(home, bell); import('./lazy.js');",
    'main.css': 'body { background: url("icon:tabler/sun?color=ff0000") }',
    'lazy.js': "import star from 'icon:tabler/star'; console.log(star);",
    ...files,
  });
  const sets = fileURLToPath(new URL('../../node_modules/@iconify-json', import.meta.url));
  await mkdir(join(root, 'node_modules'), { recursive: true });
  await symlink(sets, join(root, 'node_modules/@iconify-json'), 'junction');
  const plugin = vitePlugin({
    catalog: 'embedded',
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
    ...options,
  });
  return {
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
  };
}

it('builds with Vite 5, credits included', async () => {
  const config = await project();
  await vite.build(config);
  const files = await readTree(join(config.root, 'dist'));
  const { icons } = parseManifest(String(files.get('icon-attribution.json')));
  expect(icons.map(({ title }) => String(title)).toSorted()).toEqual([
    'Bell',
    'Heart',
    'Home',
    'Star',
    'Sun',
  ]);
  const scripts = [...files].filter(([name]) => name.endsWith('.js')).map(([, text]) => text);
  expect(scripts.join('\n')).toContain('currentColor');
  expect([...files].filter(([, text]) => /["'(]icon:/.test(String(text)))).toEqual([]);
});

it('serves modules, files and the icon browser with the dev server of Vite 5', async () => {
  const server = await vite.createServer({ ...(await project()), server: { port: 0 } });
  onTestFinished(() => server.close());
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  const read = async (path: string): Promise<string> => (await fetch(new URL(path, url))).text();
  const main = await read('/main.js');
  const [, home = ''] = /import home from "([^"]+)"/.exec(main) ?? [];
  expect(await read(home)).toContain('currentColor');
  const [, bell = ''] = /import bell from "([^"]+)"/.exec(main) ?? [];
  const [, address = ''] = /export default "([^"]+)"/.exec(await read(bell)) ?? [];
  expect(await read(address)).toContain('<svg');
  expect(await read('/main.css')).toContain('data:image/svg+xml');
  const addresses: string[] = [];
  server.config.logger.info = (message) => void addresses.push(message);
  server.printUrls();
  expect(addresses.join('\n')).toContain('/__icon-catalog/#t=');
});

it('starts in a dev server that has no shortcuts, as that of Vite 4', async () => {
  const { plugins = [], ...config } = await project();
  const vite4: Vite.Plugin = {
    name: 'vite-4',
    configureServer(server) {
      Reflect.deleteProperty(server, 'bindCLIShortcuts');
    },
  };
  const server = await vite.createServer({ ...config, plugins: [vite4, ...plugins] });
  onTestFinished(() => server.close());
  expect(server).not.toHaveProperty('bindCLIShortcuts');
});

it.each([
  ['vue', '2.7.16', 'they need vue 3, and 2.7.16 is installed'],
  ['svelte', '4.2.20', 'they need svelte 5, and 4.2.20 is installed'],
  ['vue', '3.0.0', undefined],
] as const)('components of %s %s', async (framework, version, reason) => {
  const config = await project(
    { framework },
    {
      'node_modules/vue/package.json': `{ "type": "module", "main": "a.js", "version": "${version}" }`,
      'node_modules/vue/a.js': 'export const h = 1, mergeProps = 1;',
      'node_modules/svelte/package.json': `{ "version": "${version}" }`,
    },
  );
  const building = vite.build(config);
  if (reason === undefined) await building;
  else await expect(building).rejects.toThrow(reason);
});
