import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { ByteTier } from '../store/byte-tier.ts';
import type { SharedCache } from '../store/shared-cache/create-shared-cache.ts';
import type { SharedCacheAddress } from '../store/shared-cache/parse-address.ts';
import type { Log } from '../types.ts';
import type { Pins } from './pins.ts';

/**
 * The cache of the fleet as a place of bytes; `undefined` where there is none. Nothing of it is loaded before a place on
 * this machine has missed.
 */
export function sharedTier(
  options: ResolvedOptions,
  { log, pins }: { log: Log; pins: Pins },
): ByteTier | undefined {
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
    const { entries, catalog } = pins.all();
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
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const lock = relative(root, lockfile.path).replaceAll('\\', '/');
  return JSON.stringify([nameIn(text) ?? basename(root), lock]);
}

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(manifest) as { name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
