import { escapeHtml } from './escape-html.ts';

/** `data:` addresses of pictures; nothing else is drawn from an address. */
const PICTURE = /^data:image\/(?:png|svg\+xml|webp|gif|jpeg)[;,]/;

/**
 * The drawing beside a credit, hidden from assistive technology: the title stands next to it.
 * Drawings that do not follow the text colour get a light plate, so that black ones show in the dark.
 */
export function renderTile(artwork: string | undefined): string {
  if (artwork !== undefined && PICTURE.test(artwork)) {
    return `<div class="tile plate" aria-hidden="true"><img src="${escapeHtml(artwork)}" alt="" loading="lazy" decoding="async"></div>`;
  }
  if (artwork === undefined || !artwork.startsWith('<svg')) {
    return '<div class="tile blank" aria-hidden="true"></div>';
  }
  const plate = artwork.includes('currentColor') ? '' : ' plate';
  return `<div class="tile${plate}" aria-hidden="true">${artwork}</div>`;
}
