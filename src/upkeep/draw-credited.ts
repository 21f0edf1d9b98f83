import { creditedIcon } from '../corridor/credited-icon.ts';
import { isIconCatalogError } from '../errors.ts';
import type { Manifest } from '../types.ts';
import type { Upkeep } from './open-upkeep.ts';
import { pinnedRequests } from './pinned-requests.ts';

/** Drawings by icon id for a manifest of an earlier build, of icons that the lock names and this machine has. */
export async function drawCredited(
  { icons }: Pick<Manifest, 'icons'>,
  { corridor, options }: Upkeep,
): Promise<Map<string, string>> {
  await corridor.pins.open();
  const pinned = pinnedRequests(corridor.pins.all().entries.keys());
  const artwork = new Map<string, string>();
  for (const { id } of icons) {
    for (const request of pinned.get(Number(id)) ?? []) {
      if (artwork.has(id)) continue;
      try {
        const found = await creditedIcon(request, { corridor, options });
        if (found !== undefined) artwork.set(id, found.draw());
      } catch (error) {
        // A credit is one without its drawing, too.
        if (!isIconCatalogError(error)) throw error;
      }
    }
  }
  return artwork;
}
