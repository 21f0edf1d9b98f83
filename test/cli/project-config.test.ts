import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';

const run = promisify(execFile);
const house = embeddedIconId('tabler', 'home');
const OPTIONS = `{ aliases: { house: ${house} }, cacheDir: '.icons' }`;

let catalog: CountingCatalog;
let consumer: PackedConsumer;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
  consumer = await createPackedConsumer({
    packages: ['vite', 'rollup', 'webpack', '@iconify-json/tabler'],
    files: {
      'src/main.ts': "import house from 'icon:house';\nexport default house;\n",
      'tsconfig.json': '{}',
    },
  });
});
afterAll(() => Promise.all([catalog.close(), consumer.remove()]));

/** Runs the installed command in the project, with these files in its root. */
async function icons(
  args: string,
  files: Record<string, string>,
): Promise<{ code: number; out: string; err: string; lock: string; types: string }> {
  const { root } = consumer;
  const cli = join(root, 'node_modules/unplugin-icon-catalog/dist/cli.js');
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1' };
  const ended = await run(process.execPath, [cli, ...args.split(' ')], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
  const [lock = '', types = ''] = await Promise.all(
    ['icons.lock', 'src/icon-catalog.d.ts'].map((name) =>
      readFile(join(root, name), 'utf8').catch(() => ''),
    ),
  );
  for (const name of [...Object.keys(files), 'icons.lock', 'src/icon-catalog.d.ts', '.icons'])
    await rm(join(root, name), { recursive: true, force: true });
  return { ...ended, lock, types };
}

const credentials = (): string =>
  `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${catalog.key}\nICON_CATALOG_SECRET=${catalog.secret}\n`;

describe('a plain `icon-catalog sync`', () => {
  it('uses the plugin of the Vite configuration, and its .env files', async () => {
    const { code, err, lock } = await icons('sync', {
      '.env.local': credentials(),
      'vite.config.ts': `import { defineConfig } from 'vite';
import iconCatalog from 'unplugin-icon-catalog/vite';
const options: Parameters<typeof iconCatalog>[0] = ${OPTIONS};
export default defineConfig(() => ({ plugins: [[iconCatalog(options)]] }));`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).toBe('1 icon in 1 reference of 2 files; 1 line added to icons.lock; 2 calls.\n');
    expect(lock).toContain(`"${house}:svg":`);
  });

  it.each([
    [
      'rollup.config.mjs',
      `import plugin from 'unplugin-icon-catalog/rollup';\nexport default [{ input: 'x', plugins: [plugin(options)] }];`,
    ],
    [
      'webpack.config.js',
      `import plugin from 'unplugin-icon-catalog/webpack';\nexport default () => ({ plugins: [plugin(options)] });`,
    ],
    ['icon-catalog.config.js', 'export default options;'],
    ['icon-catalog.config.ts', 'export default options satisfies object;'],
  ])('uses %s', async (name, text) => {
    const options = OPTIONS.replace('{', "{ catalog: 'embedded',");
    const { code, err, lock } = await icons('sync', {
      [name]: `const options = ${options};\n${text}`,
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(lock).toContain(`"${house}:svg":`);
  });

  it('prefers a file of options, and takes the one that it is told', async () => {
    const files = {
      'vite.config.js': "throw new Error('not me');",
      'icon-catalog.config.json': JSON.stringify({ aliases: { house: 1 } }),
      'other.json': JSON.stringify({ catalog: 'embedded', aliases: { house } }),
    };
    const { code, lock } = await icons('sync --config other.json', files);
    expect(code).toBe(0);
    expect(lock).toContain(`"${house}:svg":`);
    expect((await icons('sync --dry-run', files)).out).toBe('1:svg\n');
  });

  it('takes the options of the root in which the plugin has none of its own', async () => {
    const { code, out, err } = await icons('sync --dry-run', {
      'vite.config.js': `import plugin from 'unplugin-icon-catalog/vite';\nexport default { root: 'src', plugins: [plugin()] };`,
      'src/icon-catalog.config.json': JSON.stringify({ aliases: { house: 1 } }),
    });
    expect({ code, out, err }).toMatchObject({ code: 0, out: '1:svg\n' });
  });

  it.each([
    ['astro.config.mjs', 'unplugin-icon-catalog/astro', 'types/astro'],
    ['nuxt.config.ts', 'unplugin-icon-catalog/nuxt', 'types/vue'],
    ['nuxt.config.ts', 'unplugin-icon-catalog/vite', 'string'],
  ])('knows in which components imports end with %s and %s', async (config, entry, type) => {
    const { code, err, types } = await icons('sync', {
      [config]: `throw new Error('not me, ${entry}');`,
      'icon-catalog.config.json': JSON.stringify({ catalog: 'embedded', aliases: { house } }),
    });
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(/const content: (.*);/.exec(types)?.[1]).toContain(type);
  });

  it('says which configuration cannot be loaded, or has no options', async () => {
    const broken = await icons('sync', {
      'vite.config.js': "throw new Error('broken on purpose');",
    });
    expect(broken.code).toBe(1);
    expect(broken.err).toContain('vite.config.js cannot be loaded: broken on purpose');
    const without = await icons('verify --config vite.config.js', {
      'vite.config.js': 'export default {};',
    });
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('has no plugin') });
    expect(await icons('sync --config nowhere.js', {})).toMatchObject({ code: 2 });
    const wrong = await icons('sync', { 'icon-catalog.config.json': '{ "alias": {} }' });
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('`aliases`') });
  });
});
