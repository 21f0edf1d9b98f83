import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { rewriteStyle } from '../markup/style-references.ts';
import { withoutFrames } from './failures.ts';
import { type ImageDialect, type PlacedIcon, placeImage } from './placed-images.ts';
import type { ImageSession } from './session-types.ts';

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

/**
 * For bundlers that say too late, or never, where a style sheet goes: no relative address can be
 * computed yet. Icons are written in place, whatever their size.
 */
const inlineImages: ImageDialect = {
  isSmall: () => true,
  emit({ fileName }) {
    throw withoutFrames(
      new IconCatalogError('SPECIFIER_INVALID', {
        message: `A style sheet asks for the file ${fileName} (\`?url\`), and this bundler does not say where style sheets go.`,
        remedy:
          'Leave `?url` out: the icon is then written in place. Or import it with `?url` in a script and set the address as a custom property.',
      }),
    );
  },
};
