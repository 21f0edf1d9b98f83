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

/**
 * A page as a string where others work on pages, which plugins take it for: with thousands of icons, text and back shows
 * in the time of a build. Whatever else is large stays bytes.
 */
export function toAsset(
  { fileName, source }: Pick<OutputBytes, 'fileName' | 'source'>,
  { asText }: { asText: boolean },
): {
  type: 'asset';
  fileName: string;
  source: string | Uint8Array;
} {
  if (!asText || !/\.html?$/.test(fileName)) return { type: 'asset', fileName, source };
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
