import type { Manifest } from '../types.ts';
import { groupIcons, INCOMPLETE_NOTICE, summarize } from './group-icons.ts';
import { nameSections } from './name-sections.ts';
import { RDFA_PREFIX } from './rdfa-prefix.ts';
import { renderSection } from './render-section.ts';

export interface RenderFragmentOptions {
  artwork?: ReadonlyMap<string, string> | undefined;
  /** Level of the first heading, 1–5. @default 2 */
  headingLevel?: number | undefined;
}

/**
 * The credits as one `<section>` for a page of somebody else's layout: no style, no script, the same RDFa, classes and
 * `#icon-ID` as the page.
 */
export function renderFragment(
  manifest: Manifest,
  { artwork = new Map(), headingLevel = 2 }: RenderFragmentOptions = {},
): string {
  const level = Math.min(5, Math.max(1, Math.trunc(headingLevel)));
  const options = { artwork, heading: `h${level + 1}`, styled: false };
  const notice = manifest.complete ? '' : `<p class="notice">${INCOMPLETE_NOTICE}</p>\n`;
  const sections = nameSections(groupIcons(manifest)).map((section) =>
    renderSection(section, options),
  );
  return `<section class="icon-credits" aria-labelledby="icon-credits-name" prefix="${RDFA_PREFIX}">
<h${level} id="icon-credits-name">Icon credits</h${level}>
<p class="summary">${summarize(manifest)}</p>
${notice}${sections.join('')}</section>
`;
}
