import { describeDrift, findDrift, type Drift } from '../attribution/find-drift.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Upkeep } from './open-upkeep.ts';

/**
 * Icons whose licence, credit text or creator the catalog states otherwise than the lock. One call an icon; nothing is
 * written.
 *
 * @throws IconCatalogError LOCK_INVALID
 */
export async function findCatalogDrift({
  corridor,
  options,
}: Upkeep): Promise<{ problems: IconCatalogError[]; calls: number }> {
  const { pins } = corridor;
  await pins.open();
  // What somebody changed is the more worth a look.
  pins.acceptAltered();
  const ids = new Set([...pins.all().entries.keys()].map((key) => Number.parseInt(key, 10)));
  const assets = await corridor.assets();
  const found = await Promise.all(
    [...ids].map(async (id): Promise<IconCatalogError[]> => {
      try {
        const locked = pins.record(id);
        const current = await assets.freshRecord(id);
        const drift = locked === undefined ? [] : findDrift(locked, current);
        const legal = drift.filter((each) => each.legal);
        return legal.length === 0 ? [] : [rightsDrift(id, legal, options.lockfile.name)];
      } catch (error) {
        if (isIconCatalogError(error)) return [error];
        throw error;
      }
    }),
  );
  return { problems: found.flat(), calls: corridor.door.calls() };
}

/** What `verify --online` and `update --check` say of an icon whose rights the catalog states otherwise. */
export function rightsDrift(
  id: number,
  drifts: readonly Omit<Drift, 'legal'>[],
  lockfile: string,
): IconCatalogError {
  const words = new Set(drifts.map(describeDrift));
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The catalog says something else of the rights in icon ${id} than ${lockfile}: ${[...words].join('; ')}.`,
    remedy: `See all of it with \`npx icon-catalog update --check ${id}\`, and run it without --check if the change is wanted.`,
    icon: id,
  });
}
