import { IconCatalogError } from '../errors.ts';
import type { ImageDialect } from './place-image.ts';
import { withoutFrames } from './without-frames.ts';

/**
 * For bundlers that say too late, or never, where a style sheet goes: what a relative address would have to be is known
 * to nobody yet. Icons are written in place, whatever their size.
 */
export const inlineImages: ImageDialect = {
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
