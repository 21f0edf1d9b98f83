import { escapeHtml } from './escape-html.ts';

/** `data:` addresses of pictures; nothing else is drawn from an address. */
const PICTURE = /^data:image\/(?:png|svg\+xml|webp|gif|jpeg)[;,]/;

/** What the root of a drawing needs where it stands alone. The height stays, for hosts whose policy refuses style sheets in pages. */
const ALONE = / (?:xmlns|width|class|aria-hidden|focusable)="[^"]*"/g;

/**
 * The drawing beside a credit, hidden from assistive technology: the title stands next to it.
 * Drawings that do not follow the text colour get a light plate, so that black ones show in the dark.
 *
 * @param styled the page's own style sheet gives drawings their size
 */
export function renderTile(artwork: string | undefined, styled: boolean): string {
  if (artwork !== undefined && PICTURE.test(artwork)) {
    return `<div class="tile plate" aria-hidden="true"><img src="${escapeHtml(artwork)}" alt="" loading="lazy" decoding="async"></div>`;
  }
  if (artwork === undefined || !artwork.startsWith('<svg')) {
    return '<div class="tile blank" aria-hidden="true"></div>';
  }
  const plate = artwork.includes('currentColor') ? '' : ' plate';
  return `<div class="tile${plate}" aria-hidden="true">${styled ? bare(artwork) : artwork}</div>`;
}

/** Thousands of drawings stand in one page: their roots say nothing that the page says already. */
function bare(artwork: string): string {
  const end = artwork.indexOf('>');
  return artwork.slice(0, end).replace(ALONE, '') + artwork.slice(end);
}
