import { createHash } from 'node:crypto';
import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSign, type Sign } from '../../src/store/packs.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const PLANTED = 'planted-by-somebody';
const [one, two, three] = iconIds('maki', 3);

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

/** What one build ships. */
async function build(
  root: string,
  mode: 'online' | 'locked' | 'offline',
): Promise<Map<string, string>> {
  const { url: baseUrl, key, secret } = catalog;
  await viteBuild({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      vitePlugin({
        catalog: { baseUrl, key, secret },
        mode,
        cacheDir: join(root, 'cache'),
        logLevel: 'silent',
      }),
    ],
  });
  const files = await readTree(join(root, 'dist'));
  return new Map([...files].map(([path, bytes]) => [path, bytes.toString()]));
}

/** A project whose lock and cache know everything, and what it ships. */
async function warmProject(): Promise<{ root: string; right: Map<string, string> }> {
  const root = await writeProject({
    'index.html': '<script type="module" src="/main.js"></script>',
    'main.js': `import a from 'icon:${one}?color=f00'; import b, { icon } from 'icon:${two}';
      import c from 'icon:${three}?url'; console.log(a, b, icon, c);`,
  });
  const right = await build(root, 'online');
  // A second build finishes what the first one could not keep.
  expect(await build(root, 'locked')).toEqual(right);
  catalog.reset();
  return { root, right };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The file with something planted in it, as somebody signs it who knows this package. */
function plant(path: string, bytes: Buffer, signFor: (purpose: string) => Sign): string {
  const text = bytes.toString();
  const name = basename(path);
  if (path.startsWith('attribution/')) {
    const [header = ''] = text.split('\n', 1);
    const changed = text.slice(header.length + 1).replaceAll('</body>', `<b>${PLANTED}</b></body>`);
    const start = `${header.slice(0, 64)} ${sha256(changed)}`;
    return `${start} ${signFor('kept files')(`${name} ${start}`)}\n${changed}`;
  }
  const [header = '', ...lines] = text.split('\n');
  const body = lines.slice(1).map((line) => {
    if (path.endsWith('.drawings')) return line.replaceAll('<path ', `<path class='${PLANTED}' `);
    const parts = line.split('\t');
    // The code of the default export of a painted icon, or that of `icon`.
    const isValue = path.endsWith('.values');
    const isMeant = isValue ? parts[0]?.includes('color=') : parts.length > 2;
    if (isMeant) parts[isValue ? 1 : 2] = `(globalThis.x = "${PLANTED}")`;
    return parts.join('\t');
  });
  const changed = body.join('\n');
  return `${header}\n${signFor(name)(`${header}\n`, Buffer.from(changed))}\n${changed}`;
}

async function plantIn(
  root: string,
  kind: string,
  signFor: (purpose: string) => Sign,
): Promise<void> {
  const cache = await readTree(join(root, 'cache'));
  const paths = [...cache.keys()].filter((path) => path.startsWith(kind) || path.endsWith(kind));
  expect(paths).not.toEqual([]);
  for (const path of paths) {
    const planted = plant(path, cache.get(path) ?? Buffer.alloc(0), signFor);
    await writeFile(join(root, 'cache', path), planted);
  }
  if (kind !== '.drawings') return;
  // Masters are asked for if no module is finished.
  for (const path of cache.keys())
    if (/\.(?:values|records)$/.test(path)) await writeFile(join(root, 'cache', path), '');
}

const holdsPlanted = (files: ReadonlyMap<string, string>): boolean =>
  [...files.values()].some((text) => text.includes(PLANTED));

const KINDS = ['.values', '.records', '.drawings', 'attribution/'];

describe('a cache folder that somebody else writes into', () => {
  it.each(KINDS)('ships nothing of theirs from %s', async (kind) => {
    const { root, right } = await warmProject();
    const warm = join(await temporaryFolder(), 'warm');
    await cp(join(root, 'cache'), warm, { recursive: true });
    const restore = (): Promise<void> => cp(warm, join(root, 'cache'), { recursive: true });
    const ownKey = Buffer.alloc(32, 7);
    const forgeries = {
      'the digest of the content':
        () =>
        (...parts: (string | Uint8Array)[]) =>
          sha256(parts.map(String).join('')),
      'a key of their own': (purpose: string) => createSign(ownKey, purpose),
    };
    for (const [how, signFor] of Object.entries(forgeries)) {
      for (const mode of ['locked', 'offline'] as const) {
        await restore();
        await plantIn(root, kind, signFor);
        const shipped = await build(root, mode);
        expect(holdsPlanted(shipped), `${how}, ${mode}`).toBe(false);
        expect(shipped, `${how}, ${mode}`).toEqual(right);
      }
    }
    expect(catalog.calls).toEqual([]);

    // The same file is shipped if this machine's key signs it: the forgeries above fail by their key alone.
    await restore();
    const file = join(process.env['XDG_CONFIG_HOME'] ?? '', 'unplugin-icon-catalog/cache.key');
    const machineKey = Buffer.from(await readFile(file, 'latin1'), 'hex');
    await plantIn(root, kind, (purpose) => createSign(machineKey, purpose));
    expect(holdsPlanted(await build(root, 'locked'))).toBe(true);
  });
});

describe('a cache folder that another machine has filled', () => {
  it('is rebuilt once without a call, and warm from then on', async () => {
    const { root, right } = await warmProject();
    const files = async (): Promise<[path: string, inode: number, text: string][]> =>
      Promise.all(
        [...(await readTree(join(root, 'cache')))]
          .filter(([path]) => /^packs\/|^attribution\//.test(path))
          .map(async ([path, bytes]) => {
            const { ino } = await stat(join(root, 'cache', path));
            return [path, ino, bytes.toString()];
          }),
      );
    const before = await files();
    vi.stubEnv('XDG_CONFIG_HOME', await temporaryFolder());
    try {
      expect(await build(root, 'locked')).toEqual(right);
      const rebuilt = await files();
      expect(rebuilt.map(([path]) => path)).toEqual(before.map(([path]) => path));
      for (const [at, [path, , text]] of rebuilt.entries())
        expect(text, path).not.toBe(before[at]?.[2]);
      expect(await build(root, 'locked')).toEqual(right);
      expect(await files()).toEqual(rebuilt);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(catalog.calls).toEqual([]);
  });

  it('is warm at once under the same ICON_CATALOG_CACHE_KEY', async () => {
    vi.stubEnv('ICON_CATALOG_CACHE_KEY', 'k'.repeat(32));
    try {
      const { root, right } = await warmProject();
      const before = await readTree(join(root, 'cache'));
      vi.stubEnv('XDG_CONFIG_HOME', '/nowhere/at/all');
      expect(await build(root, 'locked')).toEqual(right);
      expect(await readTree(join(root, 'cache'))).toEqual(before);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
