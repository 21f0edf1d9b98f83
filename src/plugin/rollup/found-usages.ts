import type { FoundUsage } from '../session-types.ts';
import { toValueId } from '../../corridor/value-id.ts';

/** What Rollup's, Rolldown's and Vite's bundles have in common, as far as we read it. */
export type AnyBundle = Readonly<
  Record<
    string,
    | { type: 'chunk'; fileName: string; moduleIds: string[]; code?: string }
    | { type: 'asset'; fileName: string; source?: string | Uint8Array }
  >
>;

export interface EmittedIcon {
  id: string;
  /** Reference that `emitFile` gave. */
  reference: string;
}

const ICON_MODULE = /^icon:\d/;

/** Short names of the icons of a chunk. `moduleIds` rather than `renderedExports`: an inlined constant ships while no export is left. */
export function iconsOfChunk({ moduleIds }: { moduleIds: readonly string[] }): string[] {
  return [...new Set(moduleIds.filter((id) => ICON_MODULE.test(id)).map(toValueId))];
}

/**
 * Every icon that this bundle ships: modules in chunks, and files that were emitted and are still there (Vite takes
 * assets out of server bundles). An emitted file ships even if the module that asked for it was shaken away.
 */
export function foundUsages(
  bundle: AnyBundle,
  {
    emitted,
    fileNameOf,
    consumer,
  }: {
    emitted: Iterable<EmittedIcon>;
    fileNameOf: (reference: string) => string;
    consumer: 'client' | 'server';
  },
): FoundUsage[] {
  const files = new Map<string, string>();
  for (const { id, reference } of emitted) files.set(toValueId(id), fileNameOf(reference));
  const usages: FoundUsage[] = [];
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    for (const id of iconsOfChunk(output)) {
      if (files.has(id)) continue;
      usages.push({
        id,
        file: output.fileName,
        kind: consumer === 'server' ? 'server-only' : 'inline-js',
      });
    }
  }
  for (const [id, file] of files) {
    if (Object.hasOwn(bundle, file)) usages.push({ id, file, kind: 'asset' });
  }
  return usages;
}
