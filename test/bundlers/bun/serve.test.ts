import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALIASES } from '../../build/style-project.ts';
import { BUN } from '../../support/bun.ts';
import { type CountingCatalog, startCountingCatalog } from '../../support/counting-catalog.ts';
import { startDevServer } from '../../support/dev-server.ts';
import { writeProject } from '../../support/write-project.ts';

const PLUGIN = fileURLToPath(new URL('../../../src/bun.ts', import.meta.url));

const FILES = {
  'bunfig.toml': `[serve.static]\nplugins = [${JSON.stringify(PLUGIN)}]\n`,
  'server.js': `import page from './index.html';
const development = process.env.NODE_ENV !== 'production';
const { url } = Bun.serve({ port: 0, hostname: '127.0.0.1', routes: { '/': page }, development });
console.log('Open', url.href);`,
  'index.html': `<!doctype html><title>Icons</title><link rel="stylesheet" href="./main.css">
<script type="module" src="./main.js"></script>`,
  'main.css': '.bell { mask: url(icon:bell) }',
  // The credits are imported first, and list what is imported after them.
  'main.js': `import credits, { complete } from 'icon:credits';
import home from 'icon:home';
import bus from 'icon:bus?url';
import moon from 'icon:moon?sprite';
globalThis.shown = [home, bus, moon, credits, complete];`,
};

let catalog: CountingCatalog;
beforeEach(async () => {
  catalog = await startCountingCatalog();
});
afterEach(() => catalog.close());

async function makeProject(files: Record<string, string> = FILES): Promise<string> {
  const { url: baseUrl, key, secret } = catalog;
  const options = { catalog: { baseUrl, key, secret }, aliases: ALIASES, cacheDir: '.cache' };
  return writeProject({ ...files, 'icon-catalog.config.json': JSON.stringify(options) });
}

const serve = (cwd: string, mode: string): ReturnType<typeof startDevServer> =>
  startDevServer(['server.js'], {
    program: BUN,
    cwd,
    env: { NODE_ENV: mode },
    shows: /Open (\S+)/,
  });

/** Scripts and style sheets of the page, one behind the other. */
async function load(address: URL): Promise<string> {
  const page = await (await fetch(address)).text();
  const paths = Array.from(page.matchAll(/(?:src|href)="([^"]+)"/g), ([, path = '']) => path);
  const parts = paths.map(async (path) => (await fetch(new URL(path, address))).text());
  return (await Promise.all(parts)).join('\n');
}

const drawn = (name: string): string =>
  ({ home: 'M5 12H3l9-9', bell: 'M10 5a2 2 0', moon: 'M12 3h.393', star: 'm12 17.75' })[name] ??
  '?';

function creditsIn(code: string): { credits: { title: string }[]; complete: boolean } {
  const [, , text = ''] = /decodeURIComponent\((["'`])([^"'`]+)\1\)/.exec(code) ?? [];
  return JSON.parse(decodeURIComponent(text)) as ReturnType<typeof creditsIn>;
}

it('pages of a dev server of Bun have icons, new ones too, and the lock is written while it runs', async () => {
  const root = await makeProject();
  const { address } = await serve(root, 'development');
  const code = await load(address);
  for (const name of ['home', 'bell', 'moon'])
    expect(code.replaceAll(',', ' ')).toContain(drawn(name));
  expect(code).toMatch(/_bun\/asset\/\w+\.svg|data:image\/svg\+xml;base64/);
  const { credits, complete } = creditsIn(code);
  expect([credits.map(({ title }) => title), complete]).toEqual([
    ['Bell', 'Bus', 'Home', 'Moon'],
    false,
  ]);
  const lock = (): Promise<string> => readFile(join(root, 'icons.lock'), 'utf8');
  await expect.poll(() => lock().catch(() => '')).toContain('"Bus"');

  await writeFile(
    join(root, 'main.js'),
    `import star from 'icon:star'; globalThis.shown = star; import.meta.hot.accept();`,
  );
  await expect.poll(() => load(address)).toContain(drawn('star'));
  await expect.poll(lock).toContain('"Star"');
});

it('pages that Bun serves in production credit each of their icons, without a call', async () => {
  const root = await makeProject();
  const before = await load((await serve(root, 'production')).address);
  await expect.poll(() => readFile(join(root, 'icons.lock'), 'utf8').catch(() => '')).not.toBe('');
  catalog.reset();
  const code = await load((await serve(root, 'production')).address);
  expect(catalog.calls).toEqual([]);
  expect(code).toBe(before);
  const { credits, complete } = creditsIn(code);
  expect([credits.map(({ title }) => title), complete]).toEqual([
    ['Bell', 'Bus', 'Home', 'Moon'],
    true,
  ]);
});

/** As Tailwind's plugin does, it compiles whole style sheets. */
const COMPILER = `export default { name: 'compiler', setup(build) {
  build.onLoad({ filter: /\\.css$/ }, async ({ path }) => {
    const css = await Bun.file(path).text();
    return { contents: css.replace('@apply icon', 'mask: url(icon:home)'), loader: 'css' };
  });
} };`;

const ONE_ICON = {
  'a script': { 'main.js': `import 'icon:credits'; import 'icon:home';` },
  'a style sheet': { 'main.css': '.a { mask: url(icon:home) }' },
  'a style sheet of another plugin': {
    'main.css': '.a { @apply icon; }',
    'compiler.js': COMPILER,
    'bunfig.toml': `[serve.static]\nplugins = ["./compiler.js", ${JSON.stringify(PLUGIN)}]\n`,
  },
};

const makeSmall = (files: Record<string, string>): Promise<string> =>
  makeProject({ ...FILES, 'main.js': '', 'main.css': '', ...files });

it.each(Object.entries(ONE_ICON))(
  'an icon of %s that Bun serves is locked, though the server has no end',
  async (_, files) => {
    const root = await makeSmall(files);
    await load((await serve(root, 'production')).address);
    const lock = (): Promise<string> => readFile(join(root, 'icons.lock'), 'utf8');
    await expect.poll(() => lock().catch(() => '')).toContain('"Home"');
  },
);

it.each(Object.entries(ONE_ICON))(
  'a missing icon of %s has a placeholder in a dev server of Bun, and is an error in production',
  async (_, files) => {
    catalog.intercept = (_path, response) => {
      response.writeHead(501).end();
      return true;
    };
    const root = await makeSmall(files);
    const dev = await serve(root, 'development');
    expect(await load(dev.address)).toContain('stroke-dasharray');
    expect(dev.printed()).toContain('A placeholder stands for the icon');
    const live = await serve(root, 'production');
    expect((await fetch(live.address)).status).toBe(500);
    await expect.poll(live.printed).toContain('error: [CATALOG_UNAVAILABLE]');
    expect(live.printed()).toMatch(/imported by main\.(?:js|css)/);
    expect(live.printed()).not.toContain('placeholder');
  },
);

it('a dev server of Bun goes on where a class was saved half typed, and fails for a rule', async () => {
  const root = await makeSmall({
    ...ONE_ICON['a style sheet of another plugin'],
    'compiler.js': COMPILER.replace('icon:home', 'icon:hom'),
  });
  const { address, printed } = await serve(root, 'development');
  expect(await load(address)).toContain('could%20not%20be%20fetched');
  expect(printed()).toMatch(/warning: [^]*`icon:hom`[^]*main\.css[^]*A class asks for it/);
  await writeFile(join(root, 'main.css'), '.a { @apply icon; } .b { mask: url(icon:hom) }');
  await expect.poll(async () => (await fetch(address)).text()).toContain('Build Failed');
  await expect.poll(printed).toMatch(/error: [^]*`icon:hom`/);
});

it('a program of Bun asks the catalog once', async () => {
  const root = await makeProject({
    'preload.js': `import iconCatalog from ${JSON.stringify(pathToFileURL(PLUGIN).href)};
await Bun.plugin(iconCatalog());`,
    'main.js': `import home from 'icon:home'; console.log(home);`,
  });
  const run = (): Promise<{ stdout: string }> =>
    promisify(execFile)(BUN, ['--preload', './preload.js', 'main.js'], { cwd: root });
  const { stdout } = await run();
  expect(stdout).toContain(drawn('home'));
  expect(await readFile(join(root, 'icons.lock'), 'utf8')).toContain('"Home"');
  catalog.reset();
  expect((await run()).stdout).toBe(stdout);
  expect(catalog.calls).toEqual([]);
});
