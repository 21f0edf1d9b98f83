import { IconCatalogError } from '../../errors.ts';
import type { ImageDialect } from '../place-image.ts';
import { withoutFrames } from '../without-frames.ts';

/**
 * Rollup knows no style sheets: where a CSS plugin will put one, and so what a relative address would have to be, is
 * known to nobody yet. Icons are written in place, whatever their size.
 */
export const rollupImages: ImageDialect = {
  isSmall: () => true,
  emit({ fileName }) {
    throw withoutFrames(
      new IconCatalogError('SPECIFIER_INVALID', {
        message: `A style sheet asks for the file ${fileName} (\`?url\`), and here only the CSS plugin knows where style sheets go.`,
        remedy:
          'Leave `?url` out: the icon is then written in place. Or import it with `?url` in a script and set the address as a custom property.',
      }),
    );
  },
};
