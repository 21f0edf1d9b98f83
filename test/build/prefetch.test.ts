import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rollup, type Plugin } from 'rollup';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import iconCatalog from '../../src/rollup.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const IDS = iconIds('maki', 12);
const DOWNLOADS = IDS.map((id) => `GET /v2/icon/${id}/download`).toSorted();

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

/** A build of these icons; `before` runs before the bundler has seen any import. */
async function build(
  root: string,
  ids: readonly number[],
  { before, ...options }: Options & { before?: () => Promise<void> } = {},
): Promise<string> {
  const { url: baseUrl, key, secret } = catalog;
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? id : null),
    async load(id) {
      if (id !== 'entry') return null;
      await before?.();
      return `export default [];\n${ids.map((icon, at) => `export { default as i${at} } from 'icon:${icon}';`).join('\n')}`;
    },
  };
  const bundle = await rollup({
    input: 'entry',
    plugins: [
      entry,
      iconCatalog({
        catalog: { baseUrl, key, secret },
        cacheDir: join(root, 'cache'),
        lockfile: join(root, 'icons.lock'),
        logLevel: 'silent',
        attribution: false,
        ...options,
      }),
    ],
  });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return output[0].code;
}

describe('a build that finds a lock and an empty cache', () => {
  it('fetches what the lock names before the bundler has found an import, each once', async () => {
    const root = await temporaryFolder();
    const right = await build(root, IDS);
    await rm(join(root, 'cache'), { recursive: true });
    catalog.reset();
    const arrived = async (): Promise<void> => {
      while (catalog.calls.length < IDS.length) await new Promise((done) => setImmediate(done));
    };
    for (const mode of ['locked', 'online'] as const) {
      expect(await build(root, IDS, { before: arrived, mode })).toBe(right);
      expect(catalog.calls.toSorted()).toEqual(DOWNLOADS);
      await rm(join(root, 'cache'), { recursive: true });
      catalog.reset();
    }
  });

  it('fetches what is imported only where there is a budget, and nothing offline', async () => {
    const root = await temporaryFolder();
    await build(root, IDS);
    await rm(join(root, 'cache'), { recursive: true });
    catalog.reset();
    await build(root, IDS.slice(0, 2), { budget: 2 });
    expect(catalog.calls).toHaveLength(2);
    catalog.reset();
    await expect(build(root, IDS, { mode: 'offline' })).rejects.toThrow('10 icons are in');
    expect(catalog.calls).toEqual([]);
  });

  it('fails only for icons that it imports', async () => {
    const root = await temporaryFolder();
    await build(root, IDS);
    await rm(join(root, 'cache'), { recursive: true });
    const [used = 0, unused = 0] = IDS;
    catalog.intercept = (path, response) => {
      if (!path.startsWith(`/v2/icon/${unused}/`)) return false;
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"gone"}');
      return true;
    };
    expect(await build(root, [used])).toContain('viewBox');
    await expect(build(root, [unused])).rejects.toThrow('CATALOG_NOT_FOUND');
  });
});

describe('a warm build', () => {
  it('asks for nothing', async () => {
    const root = await temporaryFolder();
    await build(root, IDS);
    catalog.reset();
    await build(root, IDS.slice(0, 1));
    await build(root, IDS);
    expect(catalog.calls).toEqual([]);
  });
});
