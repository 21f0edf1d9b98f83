import pLimit from 'p-limit';
import type { ResolvedOptions } from '../resolve-options.ts';
import { parseLockKey, toLockKey } from '../store/lockfile-keys.ts';
import type { Pins } from './pins.ts';
import type { Rooms } from './open-rooms.ts';

/**
 * Fetches what the lock names and this machine lacks, so that a cold build is bound by the catalog and not by the order
 * in which the bundler finds imports: who asks for an icon meanwhile gets the same download. Nothing fails here: an error
 * counts where the icon is imported.
 *
 * @param isOver true once the build has ended, and what is left of the lock is none of its icons
 */
export async function prefetch(
  options: ResolvedOptions,
  { rooms, pins, isOver }: { rooms: Rooms; pins: Pins; isOver: () => boolean },
): Promise<void> {
  const { assets, pack, proven, tiers } = rooms;
  // Everything in the lock was finished by an earlier build.
  if (proven.isSealed) return;
  await pack.open();
  const limit = pLimit(options.concurrency);
  const fetchOne = async (key: string): Promise<void> => {
    const subject = parseLockKey(key);
    const integrity = pins.find(key)?.integrity;
    if (subject === undefined || integrity === undefined || isOver()) return;
    if (await tiers.has(integrity)) return;
    await assets.bytes(subject);
  };
  const lacking = [...pins.all().entries].filter(([key, { integrity }]) => {
    const subject = parseLockKey(key);
    if (subject === undefined || integrity === undefined) return false;
    const packed = subject.kind === 'svg' ? pack.get(toLockKey(subject)) : undefined;
    return !(packed !== undefined && 'master' in packed && packed.integrity === integrity);
  });
  await Promise.allSettled(lacking.map(([key]) => limit(() => fetchOne(key))));
}
