import { isIconCatalogError } from '../errors.ts';
import type { Manifest } from '../types.ts';
import type { Upkeep } from './open-upkeep.ts';
import { pinnedRequests } from './pinned-requests.ts';

/**
 * What finds icons in files, by id: those of a manifest and of the lock, as far as their files are on this machine.
 * Pictures are found by their digest, which the manifest has too. Nothing is asked of the catalog.
 */
export async function knownArtwork(
  { icons }: Manifest,
  { corridor }: Upkeep,
): Promise<Map<string, string[]>> {
  const { pins } = corridor;
  await pins.open();
  const known = new Map<string, Set<string>>();
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
        if (source.kind === 'svg') note(String(id), source.master.fingerprint);
        if (source.kind === 'png') note(String(id), `sha256:${source.sha256}`);
      } catch (error) {
        // Not on this machine, or refused: there is nothing to look for.
        if (!isIconCatalogError(error)) throw error;
      }
    }
  }
  return new Map([...known].map(([id, fingerprints]) => [id, [...fingerprints]]));
}
