import type { IconRequest } from '../types.ts';
import type { Upkeep } from './open-upkeep.ts';
import { toLine, type PinnedLine } from './pin-icons.ts';
import { createKeyFilter } from './used-keys.ts';

/** Lines of the lock that none of these requests needs, in the order of the lock. */
export async function findUnused(
  requests: Iterable<IconRequest>,
  { corridor: { pins } }: Pick<Upkeep, 'corridor'>,
): Promise<PinnedLine[]> {
  await pins.open();
  const isUsed = createKeyFilter(requests);
  return [...pins.all().entries].filter(([key]) => !isUsed(key)).map(toLine);
}

/** Takes lines out of the lock, and what only they named out of the vendor file. Caches keep it. */
export async function prunePins(
  lines: readonly PinnedLine[],
  { corridor }: Pick<Upkeep, 'corridor'>,
): Promise<void> {
  const unused = new Set(lines.map(({ key }) => key));
  await corridor.pins.replace((present) => ({
    catalog: present.catalog,
    entries: new Map([...present.entries].filter(([key]) => !unused.has(key))),
  }));
  (await corridor.vendor())?.prune(corridor.pins);
  await corridor.flush();
}
