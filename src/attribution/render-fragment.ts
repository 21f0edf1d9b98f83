import type { Manifest, PageLanguage } from '../types.ts';
import { escapeHtml } from './escape-html.ts';
import { groupIcons, summarize } from './group-icons.ts';
import { nameSections } from './name-sections.ts';
import { resolveLanguage } from './page-words.ts';
import { RDFA_PREFIX } from './rdfa-prefix.ts';
import { renderSection, type PageContext } from './render-section.ts';

export interface RenderFragmentOptions {
  artwork?: ReadonlyMap<string, string> | undefined;
  /** Level of the first heading, 1–5. @default 2 */
  headingLevel?: number | undefined;
  /** @default 'en' */
  language?: string | PageLanguage | undefined;
}

/**
 * The credits as one `<section>` for a page of somebody else's layout: no style, no script, the same RDFa, classes and
 * `#icon-ID` as the page.
 */
export function renderFragment(
  manifest: Manifest,
  { artwork = new Map(), headingLevel = 2, language }: RenderFragmentOptions = {},
): string {
  const level = Math.min(5, Math.max(1, Math.trunc(headingLevel)));
  const { code, words } = resolveLanguage(language);
  const texts = { all: manifest.texts, shown: new Set<string>() };
  const context: PageContext = {
    artwork,
    words,
    heading: level + 1,
    styled: false,
    texts,
    sets: 0,
  };
  const notice = manifest.complete ? '' : `<p class="notice">${escapeHtml(words.incomplete)}</p>\n`;
  const sections = nameSections(groupIcons(manifest)).map((section) =>
    renderSection(section, context),
  );
  return `<section class="icon-credits" aria-labelledby="icon-credits-name" prefix="${RDFA_PREFIX}"${code === 'en' ? '' : ` lang="${escapeHtml(code)}"`}>
<h${level} id="icon-credits-name">${escapeHtml(words.title)}</h${level}>
<p class="summary">${escapeHtml(summarize(manifest, words))}</p>
${notice}${sections.join('')}</section>
`;
}
