import { IconCatalogError } from '../errors.ts';
import type { Mode } from '../resolve-options.ts';
import type { ByteTier } from '../store/byte-tier.ts';
import { digestKey } from '../store/cache-key.ts';
import type { ContentStore } from '../store/content-store.ts';
import { sri512 } from '../store/integrity.ts';

/** The places between the render pack and the catalog, as one. */
export interface ByteTiers {
  /**
   * Bytes that have this digest; tiers before the one that had them get them too.
   * @throws IconCatalogError LOCK_MISMATCH where a committed tier has others
   */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /** Whether a place on this machine has them. */
  has(integrity: string): Promise<boolean>;
  /** Bytes from the catalog, for every tier. */
  keep(integrity: string, bytes: Uint8Array, key?: string): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** @param tiers the nearest first */
export function createByteTiers(tiers: readonly ByteTier[], mode: Mode): ByteTiers {
  const open = tiers.filter(({ remote }) => mode !== 'offline' || remote !== true);

  return {
    async get(integrity) {
      for (const [index, tier] of open.entries()) {
        const bytes = await tier.get(integrity);
        if (bytes === undefined) continue;
        if (sri512(bytes) !== integrity) {
          if (tier.committed === true) throw disagrees(tier.name);
          await tier.discard?.(integrity);
          continue;
        }
        for (const missed of open.slice(0, index)) await missed.put?.(integrity, bytes);
        return bytes;
      }
      return undefined;
    },
    async has(integrity) {
      for (const tier of open) if ((await tier.has?.(integrity)) === true) return true;
      return false;
    },
    async keep(integrity, bytes, key) {
      for (const tier of open) await tier.put?.(integrity, bytes, key);
    },
    async flush() {
      for (const tier of open) await tier.flush?.();
    },
    async close() {
      for (const tier of open) await tier.close?.();
    },
  };
}

/** The machine-wide store, which checks what it gives and removes what fails the check. */
export function cacheTier(store: ContentStore): ByteTier {
  return {
    name: 'cache',
    get: (integrity) => store.getByDigest(integrity),
    has: (integrity) => store.hasDigest(integrity),
    async put(integrity, bytes, key = digestKey(integrity)) {
      await store.put(key, bytes);
    },
  };
}

function disagrees(name: string): IconCatalogError {
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The ${name} holds other bytes than the lock file says.`,
    remedy: 'Restore it from version control, or run `npx icon-catalog sync`.',
  });
}
