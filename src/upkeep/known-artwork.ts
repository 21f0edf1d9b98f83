import { parseRequest } from '../request/parse-request.ts';
import type { Manifest } from '../types.ts';
import type { Upkeep } from './open-upkeep.ts';

/**
 * What finds icons in files: those of a manifest and of the lock, as far as their drawings are on this machine. Pictures
 * are found by the digest that their record has. Nothing is asked of the catalog.
 */
export async function knownArtwork(
  { icons }: Manifest,
  { corridor, options }: Upkeep,
): Promise<Map<string, string>> {
  const { pins } = corridor;
  const pinned = await pins.open().then(() => [...pins.all().entries.keys()]);
  const ids = new Set([
    ...icons.map(({ id }) => id),
    ...pinned.map((key) => String(Number.parseInt(key, 10))),
  ]);
  const known = new Map<string, string>();
  for (const id of ids) {
    const icon = icons.find((each) => each.id === id);
    if (icon?.changes.some(({ kind }) => kind === 'format') === true) {
      known.set(id, `sha256:${icon.source.sha256}`);
      continue;
    }
    const request = parseRequest(`icon:${id}?as=svg`, options);
    const kept = await corridor.fingerprint(request.id);
    const source =
      kept === undefined ? await corridor.source(request).catch(() => undefined) : undefined;
    const fingerprint = kept ?? (source?.kind === 'svg' ? source.master.fingerprint : undefined);
    if (fingerprint !== undefined && fingerprint !== '') known.set(id, fingerprint);
  }
  return known;
}
