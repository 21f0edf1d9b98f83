import { IconCatalogError } from '../errors.ts';
import type { Manifest } from '../types.ts';
import { renderFragment, type RenderFragmentOptions } from './render-fragment.ts';

/** Stands in a page for the credits. White space within it does not matter. */
const PLACE = /<!--\s*icon-credits\s*-->/;

export interface PageParts {
  /** The credits as one `<section>`. */
  fragment: string;
  manifest: Manifest;
}

/** A page that holds `<!-- icon-credits -->` where the credits go, or a function that returns the page. */
export type PageTemplate = string | ((parts: PageParts) => string);

/** @throws IconCatalogError OPTIONS_INVALID for a page without a place for the credits, which would credit nobody */
export function fillTemplate(
  template: PageTemplate,
  { manifest, ...options }: { manifest: Manifest } & RenderFragmentOptions,
): string {
  const fragment = renderFragment(manifest, options);
  if (typeof template === 'function') return template({ fragment, manifest });
  if (!PLACE.test(template)) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: 'The template of the credits page has no place for the credits.',
      remedy: 'Write <!-- icon-credits --> where they are to stand.',
      path: 'template',
    });
  }
  return template.replace(PLACE, () => fragment);
}
