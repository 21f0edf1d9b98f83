import { escapeHtml } from './escape-html.ts';
import type { LicenseGroup } from './group-icons.ts';
import type { Section } from './name-sections.ts';
import { renderCredit } from './render-credit.ts';

export interface RenderSectionOptions {
  artwork: ReadonlyMap<string, string>;
  /** `h1` to `h6`. */
  heading: string;
  /** False: icons without artwork have no tile at all, instead of an empty one. */
  blankTiles: boolean;
}

/** The icons under one licence. */
export function renderSection(
  section: Section,
  { artwork, heading, blankTiles }: RenderSectionOptions,
): string {
  const { fragment, name, icons } = section;
  const credits = icons.map((icon) =>
    renderCredit(icon, { artwork: artwork.get(icon.id), blankTiles }),
  );
  return `<section id="${fragment}" aria-labelledby="${fragment}-name">
<${heading} id="${fragment}-name"><bdi>${escapeHtml(name)}</bdi></${heading}>
<p class="note">${describeTerms(section)}</p>
<ul class="credits">
${credits.join('')}</ul>
</section>
`;
}

function describeTerms({ url, icons, creditRequired }: LicenseGroup): string {
  const status = icons[0]?.license.status;
  const link =
    url === null
      ? ''
      : `Licence text: <a href="${escapeHtml(url)}">${escapeHtml(url.replace(/^https?:\/\/(?:www\.)?|\/$/g, ''))}</a>.`;
  if (status === 'unknown')
    return 'The licence of these icons is not known. Ask their creators before you use them elsewhere.';
  if (!creditRequired) return `${link} No credit is required; it is given all the same.`.trim();
  if (status === 'attribution' && url === null)
    return 'Which version of the licence applies is not stated, so no licence text is linked.';
  return link === '' ? 'Licensed separately.' : link;
}
