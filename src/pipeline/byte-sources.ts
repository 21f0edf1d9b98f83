import { basename, relative } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type { Mode, ResolvedOptions } from '../options/resolve-options.ts';
import type { ByteSource, ContentStore } from '../store/content-store.ts';
import { sri512 } from '../store/hash.ts';
import type { SharedCache } from '../store/shared-cache/create-shared-cache.ts';
import type { SharedCacheAddress } from '../store/shared-cache/parse-address.ts';
import type { Log } from '../types.ts';
import type { IconLock } from './lock.ts';

/** The places between the render pack and the catalog, as one. */
export interface ByteSources {
  /**
   * Bytes that have this digest; the sources before the one that had them get them, too.
   * @throws IconCatalogError LOCK_MISMATCH if a committed source has others
   */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /** Whether a place on this machine has them. */
  has(integrity: string): Promise<boolean>;
  /** Gives bytes from the catalog to every source. */
  keep(integrity: string, bytes: Uint8Array, key?: string): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** @param byteSources the nearest first */
export function createByteSources(byteSources: readonly ByteSource[], mode: Mode): ByteSources {
  const open = byteSources.filter(({ remote }) => mode !== 'offline' || remote !== true);

  return {
    async get(integrity) {
      for (const [index, byteSource] of open.entries()) {
        const bytes = await byteSource.get(integrity);
        if (bytes === undefined) continue;
        if (sri512(bytes) !== integrity) {
          if (byteSource.committed === true) throw disagrees(byteSource.name);
          continue;
        }
        for (const missed of open.slice(0, index)) await missed.put?.(integrity, bytes);
        return bytes;
      }
      return undefined;
    },
    async has(integrity) {
      for (const byteSource of open) if ((await byteSource.has?.(integrity)) === true) return true;
      return false;
    },
    async keep(integrity, bytes, key) {
      for (const byteSource of open) await byteSource.put?.(integrity, bytes, key);
    },
    async flush() {
      for (const byteSource of open) await byteSource.flush?.();
    },
    async close() {
      for (const byteSource of open) await byteSource.close?.();
    },
  };
}

/**
 * The machine-wide store, which checks what it gives and ignores what fails the check.
 *
 * @param store opens it
 * @param opened undefined if nothing has opened it
 */
export function cacheSource(
  store: () => Promise<ContentStore>,
  opened: () => Promise<ContentStore> | undefined,
): ByteSource {
  return {
    name: 'cache',
    get: async (integrity) => (await store()).get(integrity)?.bytes,
    has: async (integrity) => (await store()).has(integrity),
    put: async (integrity, bytes, key = integrity) => (await store()).put(key, bytes, integrity),
    flush: async () => (await opened())?.flush(),
    close: async () => (await opened())?.close(),
  };
}

function disagrees(name: string): IconCatalogError {
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The ${name} holds other bytes than the lock file says.`,
    remedy: 'Restore it from version control, or run `npx icon-catalog sync`.',
  });
}

/** The shared cache as a byte source. Nothing of it is loaded before a source on this machine has missed. */
export function sharedSource(
  options: ResolvedOptions,
  { log, iconLock }: { log: Log; iconLock: IconLock },
): ByteSource | undefined {
  const { sharedCache } = options;
  if (sharedCache === undefined) return undefined;
  let opened: Promise<SharedCache> | undefined;

  async function open(address: SharedCacheAddress): Promise<SharedCache> {
    const [{ createSharedCache }, project] = await Promise.all([
      import('../store/shared-cache/create-shared-cache.ts'),
      projectName(options),
    ]);
    return createSharedCache({ address, project, log, wanted });
  }
  function wanted(): ReadonlySet<string> {
    const { entries, catalog } = iconLock.all();
    const digests = [...entries.values()].map(({ integrity }) => integrity);
    return new Set([...digests, catalog].filter((digest) => digest !== undefined));
  }
  const ready = (): Promise<SharedCache> => (opened ??= open(sharedCache));

  return {
    name: 'shared cache',
    remote: true,
    get: async (integrity) => (await ready()).get(integrity),
    put: async (integrity, bytes) => (await ready()).put(integrity, bytes),
    flush: async () => (await opened)?.flush(),
    async close() {
      const cache = await opened;
      opened = undefined;
      await cache?.close();
    },
  };
}

/** The same on every machine, wherever the project is checked out. */
async function projectName({ root, lockfile }: ResolvedOptions): Promise<string> {
  const { packageAround } = await import('../options/import-default.ts');
  const { folder = root, manifest } = (await packageAround(root)) ?? {};
  const { name } = manifest ?? {};
  const lock = relative(folder, lockfile.path).replaceAll('\\', '/');
  return JSON.stringify([typeof name === 'string' && name !== '' ? name : basename(folder), lock]);
}
