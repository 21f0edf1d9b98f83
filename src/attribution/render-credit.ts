import type { ManifestIcon } from '../types.ts';
import { describeChanges } from './compute-changes.ts';
import { creditFragment } from './credit-fragment.ts';
import { escapeHtml } from './escape-html.ts';
import { licenseLabel } from './license-label.ts';
import { renderTile } from './render-tile.ts';

/**
 * One icon of the page, with RDFa about `#icon-ID`. Never `rel="license"`: without a subject of its own
 * it would put the page that holds it under the icon's licence.
 */
export function renderCredit(
  icon: ManifestIcon,
  { artwork, blankTiles }: { artwork: string | undefined; blankTiles: boolean },
): string {
  const fragment = creditFragment(icon.id);
  const tile = artwork === undefined && !blankTiles ? '' : `${renderTile(artwork)}\n`;
  return `<li id="${fragment}" about="#${fragment}" typeof="cc:Work">
${tile}<div class="caption">
<p class="title">${renderTitle(icon)}</p>
<p class="author">${renderAuthor(icon)}</p>
${renderRequested(icon)}<p class="terms">${renderLicense(icon)}</p>
<p class="terms">Changes: <span property="dct:provenance">${escapeHtml(describeChanges(icon.changes))}</span></p>
</div>
</li>
`;
}

function renderTitle({ id, title, source }: ManifestIcon): string {
  const words =
    title === null
      ? `<bdi>Untitled icon ${escapeHtml(id)}</bdi>`
      : `<bdi property="dct:title">${escapeHtml(title)}</bdi>`;
  return source.url === null
    ? words
    : `<a property="dct:source" href="${escapeHtml(source.url)}">${words}</a>`;
}

function renderAuthor({ creator }: ManifestIcon): string {
  const author = creator.name ?? creator.username;
  if (author === null) return 'Creator not stated';
  const name = `<bdi property="cc:attributionName">${escapeHtml(author)}</bdi>`;
  if (creator.url === null) return `by ${name}`;
  return `by <a property="cc:attributionURL" href="${escapeHtml(creator.url)}">${name}</a>`;
}

function renderRequested({ credit }: ManifestIcon): string {
  const line = (label: string, text: string): string =>
    `<p class="requested">${label}: <bdi property="dct:rights">${escapeHtml(text)}</bdi></p>\n`;
  const requested = credit.requested === null ? '' : line('Credit', credit.requested);
  return requested + (credit.drawn ?? []).map((text) => line('Drawn in the file', text)).join('');
}

function renderLicense({ license }: ManifestIcon): string {
  const basis = license.versionBasis === 'project-assertion' ? ', as found out for this site' : '';
  const label = escapeHtml(licenseLabel(license));
  if (license.url === null)
    return `Licence: <bdi property="dct:rights">${escapeHtml(license.name)}</bdi>${basis}`;
  return `Licence: <a property="cc:license" href="${escapeHtml(license.url)}"><bdi>${label}</bdi></a>${basis}`;
}
