import type { KnownDrawing } from '../attribution/find-drawings.ts';
import { drawingOf } from '../corridor/credited-icon.ts';
import { isIconCatalogError } from '../errors.ts';
import type { Manifest } from '../types.ts';
import type { Upkeep } from './open-upkeep.ts';
import { pinnedRequests } from './pinned-requests.ts';

export interface KnownArtwork {
  /** What finds icons in files as this package writes them, by id; of pictures their digest. */
  fingerprints: Map<string, string[]>;
  /** What finds them however they are written. */
  drawings: KnownDrawing[];
  /** Ids of icons of the lock whose files are not on this machine. */
  absent: string[];
}

/**
 * What finds the icons of a manifest and of the lock, as far as their files are on this machine: in the cache, in the
 * vendor file, in an installed set. Nothing is asked of a catalog elsewhere.
 */
export async function knownArtwork(
  { icons }: Manifest,
  { corridor }: Upkeep,
): Promise<KnownArtwork> {
  const { pins } = corridor;
  await pins.open();
  const known = new Map<string, Set<string>>();
  const drawings: KnownDrawing[] = [];
  const absent = new Set<string>();
  const note = (id: string, fingerprint: string | undefined): void => {
    if (fingerprint === undefined || fingerprint === '') return;
    known.set(id, (known.get(id) ?? new Set()).add(fingerprint));
  };
  const pinned = pinnedRequests(pins.all().entries.keys());
  for (const { id, changes, source } of icons) {
    if (changes.some(({ kind }) => kind === 'format')) note(id, `sha256:${source.sha256}`);
    // A project without a lock has its drawings in a cache.
    if (!pinned.has(Number(id))) note(id, await corridor.fingerprint(Number(id)));
  }
  for (const [id, requests] of pinned) {
    for (const request of requests) {
      try {
        const source = await corridor.source(request);
        if (source.kind === 'png') note(String(id), `sha256:${source.sha256}`);
        if (source.kind !== 'svg') continue;
        note(String(id), source.master.fingerprint);
        drawings.push({ key: String(id), svg: drawingOf(request, source) });
      } catch (error) {
        // Not on this machine, or refused: there is nothing to look for.
        if (!isIconCatalogError(error)) throw error;
        absent.add(String(id));
      }
    }
  }
  const fingerprints = new Map([...known].map(([id, prints]) => [id, [...prints]]));
  return { fingerprints, drawings, absent: [...absent] };
}
