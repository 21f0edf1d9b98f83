import { IconCatalogError } from '../../errors.ts';
import type { Manifest } from '../../types.ts';
import { renderCycloneDx, renderSpdx } from './software-bill.ts';
import { type PageOptions, renderHtml } from './html.ts';
import { renderFragment, type RenderFragmentOptions } from './section.ts';
import { renderJson, renderMarkdown, renderText } from './text.ts';

export type AttributionFormat =
  | 'json'
  | 'html'
  | 'html-fragment'
  | 'markdown'
  | 'text'
  | 'spdx'
  | 'cyclonedx';

export const ATTRIBUTION_FORMATS: readonly AttributionFormat[] = [
  'json',
  'html',
  'html-fragment',
  'markdown',
  'text',
  'spdx',
  'cyclonedx',
];

export interface RenderAttributionOptions extends PageOptions {
  /** By icon id: safe `<svg>` markup, or a `data:` address of a picture, for the formats that draw. */
  artwork?: ReadonlyMap<string, string> | undefined;
  /** A page of your own for `html`. */
  template?: PageTemplate | undefined;
  /** Level of the first heading of a fragment, 1–5. @default 2 */
  headingLevel?: number | undefined;
  /** Seconds since 1970 for SPDX, which wants a time. @default 0 */
  sourceDateEpoch?: number | undefined;
}

/**
 * The credits in one of their formats. The same manifest gives the same text.
 *
 * @example
 * const manifest = JSON.parse(await readFile('dist/icon-attribution.json', 'utf8'));
 * const section = renderAttribution(manifest, 'html-fragment');
 * @throws IconCatalogError OPTIONS_INVALID for a template without a place for the credits
 */
export function renderAttribution(
  manifest: Manifest,
  format: AttributionFormat,
  {
    artwork = new Map(),
    template,
    headingLevel,
    sourceDateEpoch,
    ...page
  }: RenderAttributionOptions = {},
): string {
  switch (format) {
    case 'json':
      return renderJson(manifest);
    case 'html':
      return template === undefined
        ? renderHtml(manifest, artwork, page)
        : fillTemplate(template, { manifest, artwork, headingLevel, language: page.language });
    case 'html-fragment':
      return renderFragment(manifest, { artwork, headingLevel, language: page.language });
    case 'markdown':
      return renderMarkdown(manifest);
    case 'text':
      return renderText(manifest);
    case 'spdx':
      return renderSpdx(manifest, { sourceDateEpoch });
    case 'cyclonedx':
      return renderCycloneDx(manifest, { title: page.title });
  }
}

/** Stands in a page for the credits. White space within it does not matter. */
const PLACE = /<!--\s*icon-credits\s*-->/;

export interface PageParts {
  /** The credits as one `<section>`. */
  fragment: string;
  manifest: Manifest;
}

/** A page that holds `<!-- icon-credits -->` where the credits go, or a function that returns the page. */
export type PageTemplate = string | ((parts: PageParts) => string);

/** @throws IconCatalogError OPTIONS_INVALID for a page without a place for the credits */
function fillTemplate(
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
