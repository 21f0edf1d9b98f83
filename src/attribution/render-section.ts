import { describeTerms } from './describe-credit.ts';
import { escapeHtml } from './escape-html.ts';
import type { Section } from './name-sections.ts';
import { renderCredit } from './render-credit.ts';
import { renderLine } from './render-line.ts';

export interface RenderSectionOptions {
  artwork: ReadonlyMap<string, string>;
  /** `h1` to `h6`. */
  heading: string;
  /** True in the page of ours, whose style sheet draws empty tiles and sizes the others. */
  styled: boolean;
}

/** The icons under one licence. */
export function renderSection(
  section: Section,
  { artwork, heading, styled }: RenderSectionOptions,
): string {
  const { fragment, name, icons } = section;
  const credits = icons.map((icon) =>
    renderCredit(icon, { artwork: artwork.get(icon.id), styled }),
  );
  return `<section id="${fragment}" aria-labelledby="${fragment}-name">
<${heading} id="${fragment}-name"><bdi>${escapeHtml(name)}</bdi></${heading}>
${renderLine(describeTerms(section))}
<ul class="credits">
${credits.join('')}</ul>
</section>
`;
}
