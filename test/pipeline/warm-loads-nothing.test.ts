import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { RECORD_LOADS } from '../support/record-loads.ts';
import { readTree } from '../support/write-project.ts';

const run = promisify(execFile);

/** What only an icon that is not there yet needs. */
const HEAVY = [
  'svgo',
  'css-tree',
  'oauth-1.0a',
  'hpagent',
  'valibot',
  '@babel',
  '@iconify',
  '@iconify-json',
];

const NO_NETWORK = `
import dns from 'node:dns';
import net from 'node:net';
net.Socket.prototype.connect = () => { throw new Error('a socket was opened'); };
dns.lookup = () => { throw new Error('a name was looked up'); };
`;

const BUILD = `
import { build } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
await build({
  configFile: false,
  logLevel: 'silent',
  plugins: [iconCatalog({ cacheDir: 'cache' })],
  build: { outDir: process.env.OUT, rollupOptions: { input: 'main.js' } },
});
`;

describe('a warm build', () => {
  it('opens no socket and loads neither svgo nor the signer nor any cache but its own file', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler', 'game-icons'] });
    onTestFinished(() => catalog.close());
    const ids = [...iconIds('tabler', 10), ...iconIds('game-icons', 10)];
    const specifiers = ids.flatMap((id) => [
      `icon:${id}`,
      `icon:${id}?color=f00&as=data`,
      `icon:${id}?as=url`,
    ]);
    const imports = specifiers.map((specifier, index) => `import i${index} from '${specifier}';`);
    const main = `${imports.join('\n')}\nimport credits from 'icon:credits';\nconsole.log(credits, ${specifiers.map((_, index) => `i${index}`).join(', ')});\n`;
    const project = await createPackedConsumer({
      packages: ['vite'],
      files: {
        'main.js': main,
        'build.js': BUILD,
        'recorder.mjs': RECORD_LOADS,
        'no-network.mjs': NO_NETWORK,
      },
    });
    onTestFinished(() => project.remove());
    const { root } = project;

    async function build(
      out: string,
      preloads: string[],
    ): Promise<{ loaded: string[]; output: string[][] }> {
      const record = join(root, `${out}.txt`);
      await rm(record, { force: true });
      const { PATH = '' } = process.env;
      const { url, key, secret } = catalog;
      await run(
        process.execPath,
        [...preloads.flatMap((file) => ['--import', `./${file}`]), 'build.js'],
        {
          cwd: root,
          env: {
            PATH,
            HOME: root,
            OUT: out,
            LOADED: record,
            ICON_CATALOG_URL: url,
            ICON_CATALOG_KEY: key,
            ICON_CATALOG_SECRET: secret,
          },
        },
      );
      const loaded = (await readFile(record, 'utf8')).split('\n');
      const tree = await readTree(join(root, out));
      return { loaded, output: [...tree].map(([name, bytes]) => [name, bytes.toString('utf8')]) };
    }

    const isOf = (name: string) => (url: string) => url.includes(`/node_modules/${name}/`);
    const cold = await build('cold', ['recorder.mjs']);
    // The recorder sees what it is to miss later.
    for (const name of ['svgo', 'oauth-1.0a', 'valibot']) {
      expect(cold.loaded.filter(isOf(name)), name).not.toEqual([]);
    }
    expect(catalog.calls).toHaveLength(2 * ids.length);

    catalog.reset();
    const warm = await build('warm', ['recorder.mjs', 'no-network.mjs']);
    for (const name of HEAVY) expect(warm.loaded.filter(isOf(name)), name).toEqual([]);
    expect(warm.loaded.filter(isOf('unplugin-icon-catalog'))).not.toEqual([]);
    expect(catalog.calls).toEqual([]);
    expect(warm.output).toEqual(cold.output);
  });
});

it.each(['filetype=png&size=32', 'as=meta'])(
  'an icon that is not drawn loads nothing that draws: %s',
  async (query) => {
    const catalog = await startCountingCatalog({ sets: ['tabler'] });
    onTestFinished(() => catalog.close());
    const [id = 0] = iconIds('tabler', 1);
    const project = await createPackedConsumer({
      files: {
        'load.js': `import { createIcons } from 'unplugin-icon-catalog';
const icons = createIcons({ cacheDir: 'cache', vendor: false });
await icons.load('icon:${id}?${query}');
await icons.close();`,
        'recorder.mjs': RECORD_LOADS,
      },
    });
    onTestFinished(() => project.remove());
    const LOADED = join(project.root, 'loaded.txt');
    await run(process.execPath, ['--import', './recorder.mjs', 'load.js'], {
      cwd: project.root,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: project.root,
        LOADED,
        ICON_CATALOG_URL: catalog.url,
        ICON_CATALOG_KEY: catalog.key,
        ICON_CATALOG_SECRET: catalog.secret,
      },
    });
    const loaded = await readFile(LOADED, 'utf8');
    expect(catalog.calls.length).toBeGreaterThan(0);
    expect(loaded).toContain('/node_modules/oauth-1.0a/');
    expect(loaded).not.toMatch(/node_modules\/(?:svgo|css-tree)\//);
  },
);
