import type { Manifest, ManifestIcon } from '../types.ts';
import { createManifest } from './create-manifest.ts';

/**
 * What a folder's manifest says once a further step has worked on the same folder. What that step said before of the
 * files that it has worked on again is replaced; what others said stays.
 *
 * @param files the files that `added` speaks for
 */
export function mergeManifests(
  existing: Manifest,
  added: Manifest,
  files: ReadonlySet<string>,
): Manifest {
  const ids = new Set(added.builds.map(({ id }) => id));
  const kept = existing.icons.flatMap((icon): ManifestIcon[] => {
    const usedIn = icon.usedIn.filter(({ build, file }) => !ids.has(build) || !files.has(file));
    return usedIn.length === 0 ? [] : [{ ...icon, usedIn }];
  });
  return createManifest({
    credits: [...kept, ...added.icons].map(({ usedIn, ...credit }) => ({ credit, usedIn })),
    builds: [...existing.builds.filter(({ id }) => !ids.has(id)), ...added.builds],
    complete: existing.complete && added.complete,
    catalog: added.catalog,
    generator: added.generator,
  });
}
