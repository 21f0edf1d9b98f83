import type { FoundUsage } from '../session-types.ts';
import { fromFarmPath } from './module-id.ts';

/** What is read of Farm's resources. */
export interface FarmResources {
  [name: string]: { name: string; info?: { moduleIds: string[] } | null };
}

/**
 * Icons in the final resources: the modules of each pot, which Farm fills after tree-shaking.
 *
 * @param options.files names of emitted files by canonical id
 */
export function foundUsages(
  resources: FarmResources,
  { files, consumer }: { files: ReadonlyMap<string, string>; consumer: 'client' | 'server' },
): FoundUsage[] {
  const usages: FoundUsage[] = [];
  const emitted = new Set<string>();
  for (const { name, info } of Object.values(resources)) {
    for (const id of iconsOf(info?.moduleIds ?? [])) {
      const file = files.get(id);
      if (file === undefined) {
        usages.push({ id, file: name, kind: consumer === 'server' ? 'server-only' : 'inline-js' });
      } else if (!emitted.has(id)) {
        emitted.add(id);
        usages.push({ id, file, kind: 'asset' });
      }
    }
  }
  return usages;
}

/** Modules of files that are in the output, packages' among them. */
export function* modulesOf(resources: FarmResources): Generator<{ path: string; file: string }> {
  for (const { name, info } of Object.values(resources))
    for (const path of info?.moduleIds ?? [])
      if (fromFarmPath(path) === undefined) yield { path, file: name };
}

/** Canonical ids among Farm's module ids or paths. */
export function iconsOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => fromFarmPath(path) ?? []).filter((id) => /^icon:\d/.test(id));
}
