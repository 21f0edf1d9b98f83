import type { EmittedFile } from '../find-missed.ts';
import type { OutputBytes } from '../report-types.ts';
import type { AnyBundle } from './found-usages.ts';

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

/** Bytes from which a page stays as it was read: with thousands of icons, text and back shows in the time of a build. */
const LARGE = 1024 ** 2;

/** A page as a string, which plugins that work on pages take it for; whatever is large stays bytes. */
export function toAsset({ fileName, source }: Pick<OutputBytes, 'fileName' | 'source'>): {
  type: 'asset';
  fileName: string;
  source: string | Uint8Array;
} {
  if (!/\.html?$/.test(fileName) || source.byteLength > LARGE)
    return { type: 'asset', fileName, source };
  const { buffer, byteOffset, byteLength } = source;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString();
  return { type: 'asset', fileName, source: text };
}

/** Names of what the bundle begins with, and its format: an entry may be built as several. */
export function entriesOf(bundle: AnyBundle, format = ''): string {
  const names = Object.values(bundle).flatMap((output) =>
    'isEntry' in output && output.isEntry === true && 'name' in output ? [String(output.name)] : [],
  );
  return [format, ...names.toSorted()].join('\n');
}
