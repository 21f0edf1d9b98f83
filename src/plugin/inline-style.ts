import { isIconCatalogError } from '../errors.ts';
import { rewriteStyle } from '../markup/rewrite-style.ts';
import { inlineImages } from './inline-images.ts';
import { placeImage } from './place-image.ts';
import type { PlacedIcon } from './placed-icons.ts';
import type { ImageSession } from './session-types.ts';
import { withoutFrames } from './without-frames.ts';

/**
 * A style sheet with its icons in place.
 *
 * @throws IconCatalogError with the style sheet as importer
 */
export async function inlineStyle(
  css: string,
  {
    session,
    file,
    placeholder = false,
  }: { session: ImageSession; file: string; placeholder?: boolean },
): Promise<{ css: string; placed: PlacedIcon[] }> {
  const placed: PlacedIcon[] = [];
  try {
    const rewritten = await rewriteStyle(css, async ({ specifier, property }) => {
      const image = await session.image(specifier, { importer: file, placeholder, property });
      const put = placeImage(image, inlineImages);
      if (put.placed !== undefined) placed.push(put.placed);
      return put.address;
    });
    return { css: rewritten, placed };
  } catch (error) {
    throw isIconCatalogError(error) ? withoutFrames(error.withImporter(file)) : error;
  }
}
