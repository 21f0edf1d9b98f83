import type { EmittedFile } from '../../build/search-outputs.ts';
import type { FoundUsage, TextOutput } from '../../build/session-types.ts';
import { isDefaultId, toDefaultId } from '../../request/key.ts';

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
  return [...new Set(ids.filter((id) => isDefaultId(id) || !isSplit(id)).map(toDefaultId))];
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
  for (const { id, reference } of emitted) files.set(toDefaultId(id), fileNameOf(reference));
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

/** Every file of a bundle, as it will be written. */
export function* emittedFiles(bundle: AnyBundle): Generator<EmittedFile> {
  for (const output of Object.values(bundle)) {
    const { fileName } = output;
    if ('code' in output && typeof output.code === 'string')
      yield { fileName, content: output.code };
    else if ('source' in output && output.source !== undefined)
      yield { fileName, content: output.source };
  }
}

/** Names of what the bundle begins with, and its format: an entry may be built as several. */
export function entriesOf(bundle: AnyBundle, format = 'es'): string[] {
  const names = Object.values(bundle).flatMap((output) =>
    'isEntry' in output && output.isEntry === true && 'name' in output ? [String(output.name)] : [],
  );
  return /^(?:es|esm|module)$/.test(format) ? names : [...names, format];
}

/** Modules of files that are in the bundle, packages' among them. */
export function* modulesOf(bundle: AnyBundle): Generator<{ path: string; file: string }> {
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    for (const path of output.moduleIds)
      if (!path.startsWith('icon:')) yield { path, file: output.fileName };
  }
}

/** The text of an asset, which bundlers hold as bytes or as text. */
export function textOf(source: string | Uint8Array | undefined): string {
  return typeof source === 'string' ? source : Buffer.from(source ?? []).toString();
}

const TEXT = /\.(?:css|html?|[cm]?js)$/;

/**
 * The files of a bundle that may hold an icon of a style sheet or a page.
 *
 * @param names those that are wanted: Rolldown copies the text of every file that somebody looks at
 */
export function textOutputs(bundle: AnyBundle, names: RegExp = TEXT): TextOutput[] {
  return Object.values(bundle).flatMap((output): TextOutput[] => {
    const { fileName } = output;
    if (!names.test(fileName)) return [];
    if ('code' in output && typeof output.code === 'string')
      return [{ fileName, text: output.code }];
    if (!('source' in output) || output.source === undefined) return [];
    return [{ fileName, text: textOf(output.source) }];
  });
}
