import type { FoundUsage } from '../session-types.ts';
import { isValueId, toValueId } from '../../corridor/value-id.ts';

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

/**
 * Short names of the icons in chunks. `moduleIds` rather than `renderedExports`: an inlined constant ships while no export is left.
 *
 * @param isSplit true for a module whose default export is a module of its own: by itself it holds no artwork
 */
export function iconsOfChunks(
  chunks: readonly { moduleIds: readonly string[] }[],
  isSplit: (id: string) => boolean,
): string[] {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => ICON_MODULE.test(id)));
  return [...new Set(ids.filter((id) => isValueId(id) || !isSplit(id)).map(toValueId))];
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
    isSplit,
  }: {
    emitted: Iterable<EmittedIcon>;
    fileNameOf: (reference: string) => string;
    consumer: 'client' | 'server';
    isSplit: (id: string) => boolean;
  },
): FoundUsage[] {
  const files = new Map<string, string>();
  for (const { id, reference } of emitted) files.set(toValueId(id), fileNameOf(reference));
  const usages: FoundUsage[] = [];
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    for (const id of iconsOfChunks([output], isSplit)) {
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
