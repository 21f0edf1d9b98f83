import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build, createBuilder, createServer, type InlineConfig, type Logger } from 'vite';
import { createIcons } from '../../src/index.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const aliases = {
  home: embeddedIconId('tabler', 'home'),
  bus: embeddedIconId('maki', 'bus'),
  lion: embeddedIconId('game-icons', 'lion'),
};

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());

async function setUp(files: Record<string, string>, reported: string[] = []) {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const options = { catalog: { baseUrl, key, secret }, aliases, cacheDir: join(root, '.cache') };
  const config: InlineConfig = {
    root,
    configFile: false,
    customLogger: createLogger(reported),
    plugins: [vitePlugin(options)],
  };
  return { root, options, config };
}

/** Keeps warnings. */
function createLogger(reported: string[]): Logger {
  const nothing = (): void => undefined;
  const warn = (message: string): void => void reported.push(message);
  const rest = { info: nothing, error: nothing, clearScreen: nothing };
  return { ...rest, warn, warnOnce: warn, hasErrorLogged: () => false, hasWarned: false };
}

const addressIn = (text: unknown): string =>
  /assets\/sprite[\w.-]+\.svg/.exec(String(text))?.[0] ?? '';
const namesOf = (sprite: unknown): (string | undefined)[] =>
  Object.entries(aliases).flatMap(([name, id]) =>
    String(sprite).includes(`"icon-${id}"`) ? [name] : [],
  );

describe('client and server builds of one project', () => {
  const FILES = {
    'client.js': `import bus from 'icon:bus?sprite'; import home from 'icon:home?sprite'; console.log(bus, home);`,
    'same.js': `import home from 'icon:home?sprite'; export default home;`,
    'more.js': `import home from 'icon:home?sprite'; import lion from 'icon:lion?sprite'; export default home + lion;`,
  };

  async function buildBoth(server: string, order: readonly ('client' | 'ssr')[]) {
    const { root, config } = await setUp(FILES);
    const builder = await createBuilder({
      ...config,
      environments: {
        client: {
          build: { outDir: 'dist/client', rollupOptions: { input: join(root, 'client.js') } },
        },
        ssr: { build: { outDir: 'dist/server', rollupOptions: { input: join(root, server) } } },
      },
    });
    for (const name of order) await builder.build(builder.environments[name]!);
    const client = await readTree(join(root, 'dist/client'));
    const rendered = [...(await readTree(join(root, 'dist/server')))].find(([path]) =>
      path.endsWith('js'),
    );
    const address = addressIn(rendered?.[1]);
    return { client, address, sprites: [...client.keys()].filter((path) => path.endsWith('.svg')) };
  }

  it('share one file where the client was built first and holds what the server shows', async () => {
    const { client, address, sprites } = await buildBoth('same.js', ['client', 'ssr']);
    expect(sprites).toEqual([address]);
    expect(namesOf(client.get(address))).toEqual(['home', 'bus']);
  });

  it.each(['same.js', 'more.js'])(
    'leave no address of %s without a file where the server was built first',
    async (server) => {
      const { client, address, sprites } = await buildBoth(server, ['ssr', 'client']);
      expect(sprites).toHaveLength(2);
      expect(namesOf(client.get(address))).toEqual(
        server === 'same.js' ? ['home'] : ['home', 'lion'],
      );
      const { icons } = parseManifest(String(client.get('icon-attribution.json')));
      const kinds = icons.flatMap(({ title, usedIn }) =>
        usedIn.map(({ file, kind }) => [title, file, kind]),
      );
      expect(kinds).toContainEqual(['Home', address, 'sprite-symbol']);
    },
  );
});

describe('a sprite file of Vite', () => {
  it.each([
    ['/', '/assets/'],
    ['/deep/site/', '/deep/site/assets/'],
    ['https://cdn.example/', 'https://cdn.example/assets/'],
  ])('is addressed below the base %s', async (base, start) => {
    const reported: string[] = [];
    const files = {
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home?sprite'; console.log(home);`,
    };
    const { root, config } = await setUp(files, reported);
    await build({ ...config, base });
    const output = await readTree(join(root, 'dist'));
    const script = [...output].find(([path]) => path.endsWith('.js'));
    const sprite = [...output.keys()].find((path) => path.endsWith('.svg')) ?? '';
    expect(String(script?.[1])).toContain(start + sprite.slice('assets/'.length));
    // Browsers take symbols of the page's own origin only.
    const warned = reported.filter((message) => message.includes('own origin'));
    expect(warned).toHaveLength(base.startsWith('https:') ? 1 : 0);
  });

  it('follows what ships: another name for the file, and for the script that shows it', async () => {
    const { root, config } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home?sprite'; console.log(home); import('./lazy.js');`,
      'lazy.js': `import bus from 'icon:bus?sprite'; console.log(bus);`,
    });
    const names = async (): Promise<string[]> => {
      await build(config);
      return [...(await readTree(join(root, 'dist'))).keys()].filter((path) =>
        /\.(?:svg|js)$/.test(path),
      );
    };
    const before = await names();
    expect(await names()).toEqual(before);
    await appendFile(
      join(root, 'lazy.js'),
      `import lion from 'icon:lion?sprite'; console.log(lion);`,
    );
    const after = await names();
    expect(after).toHaveLength(before.length);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
  });

  it('is absent if no symbol ships', async () => {
    const { root, config } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home?sprite'; console.log('nothing');`,
    });
    await build(config);
    const output = await readTree(join(root, 'dist'));
    expect([...output.keys()].filter((path) => path.endsWith('.svg'))).toEqual([]);
    expect(parseManifest(String(output.get('icon-attribution.json'))).icons).toEqual([]);
  });

  it('is served in development, and follows an edit', async () => {
    const { root, config } = await setUp({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import home from 'icon:home?sprite'; export default home;`,
    });
    const server = await createServer({
      ...config,
      base: '/sub/',
      server: { port: 0, host: '127.0.0.1', watch: null },
    });
    onTestFinished(() => server.close());
    await server.listen();
    const { origin } = new URL(server.resolvedUrls?.local[0] ?? '');
    const symbolOf = async (name: string): Promise<string> => {
      const { code = '' } =
        (await server.environments.client.transformRequest(`icon:${name}?sprite`)) ?? {};
      const address = /"(\/sub\/[^"]*\.svg)"/.exec(code)?.[1] ?? '';
      const response = await fetch(origin + address);
      expect(response.headers.get('content-type')).toBe('image/svg+xml');
      return response.text();
    };
    expect(namesOf(await symbolOf('home'))).toEqual(['home']);
    await writeFiles(root, { 'main.js': `import bus from 'icon:bus?sprite'; export default bus;` });
    expect(namesOf(await symbolOf('bus'))).toEqual(['bus']);
  });
});

describe('createIcons with `as=sprite`', () => {
  it('gives the drawing itself, as there is no file that a symbol could be in', async () => {
    const { root, options } = await setUp({});
    const log = recordingLog();
    const icons = createIcons(options, { root, log });
    onTestFinished(() => icons.close());
    const sprite = await icons.load('icon:home?sprite&size=20&title=A');
    const inline = await icons.load('icon:home?raw&size=20&title=A');
    expect(sprite.svg).toBe(inline.svg);
    expect(sprite.code).toBe(inline.code);
  });

  it('says once why an icon that the project transforms is no symbol', async () => {
    const { root, options } = await setUp({});
    const log = recordingLog();
    const icons = createIcons({ ...options, svg: { transform: (svg) => svg } }, { root, log });
    onTestFinished(() => icons.close());
    await icons.load('icon:home?sprite');
    await icons.load('icon:home?sprite&size=3');
    expect(log.lines.filter((line) => line.includes('sprite'))).toEqual([
      expect.stringContaining('`svg.transform`'),
    ]);
  });
});
