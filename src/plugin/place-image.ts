import type { PlacedIcon } from './placed-icons.ts';
import type { SessionImage } from './session-types.ts';

/** How a bundler turns an image into an address. */
export interface ImageDialect {
  /** Address of a file that is emitted or served, and what the bundler calls it. */
  emit(
    asset: SessionImage['asset'],
    id: string,
    image: SessionImage,
  ): { address: string; reference: string };
  /** True where the project wants a file like this in place. */
  isSmall(asset: SessionImage['asset']): boolean;
}

/** Files of this size and more are emitted where the project says nothing: Vite's own limit. */
export const INLINE_LIMIT = 4096;

export function byteLength(source: string | Uint8Array): number {
  return typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
}

/** Puts an image in place or into a file of its own; `isFile` overrules the size, and is overruled by what was asked for. */
export function placeImage(
  image: SessionImage,
  dialect: ImageDialect,
  { isFile = false }: { isFile?: boolean } = {},
): { address: string; placed: PlacedIcon | undefined } {
  const { ids, form, asset, dataUri } = image;
  const emits = form === 'url' || (form === 'auto' && (isFile || !dialect.isSmall(asset)));
  if (!emits || ids === undefined)
    return { address: dataUri, placed: ids && { id: ids.data, trace: dataUri } };
  const { address, reference } = dialect.emit(asset, ids.url, image);
  return { address, placed: { id: ids.url, reference } };
}
