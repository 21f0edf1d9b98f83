import type { ManifestIcon } from '../types.ts';
import { creditFragment } from './credit-fragment.ts';
import { describeCredit } from './describe-credit.ts';
import { renderLine } from './render-line.ts';
import { renderTile } from './render-tile.ts';

/** One icon of the page, with RDFa about `#icon-ID`. */
export function renderCredit(
  icon: ManifestIcon,
  { artwork, styled }: { artwork: string | undefined; styled: boolean },
): string {
  const fragment = creditFragment(icon.id);
  const tile = artwork === undefined && !styled ? '' : `${renderTile(artwork, styled)}\n`;
  return `<li id="${fragment}" about="#${fragment}" typeof="cc:Work">
${tile}<div class="caption">
${describeCredit(icon).map(renderLine).join('\n')}
</div>
</li>
`;
}
