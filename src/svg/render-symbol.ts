import type { SvgMaster, SvgTemplate } from '../types.ts';
import { cleanText } from './clean-text.ts';
import { escapeAttribute, escapeText } from './escape-xml.ts';
import { fill, resolveSize, type RenderSvgOptions } from './render-svg.ts';

export interface RenderedSymbol {
  /** Id within the sprite file: `icon-123`; `icon-123-ff0000` or `icon-123-original` if the drawing has fixed colours. */
  id: string;
  /** `<symbol id="icon-123" …>…</symbol>`. */
  symbol: string;
  /** Markup that shows it, cut where the address of the sprite file stands. */
  use: [before: string, after: string];
}

/** Elements that run or refer by themselves. */
const MOVING = /<(?:animate|set|style)\b/;

/**
 * Why an icon cannot be a symbol in a file of its own; `undefined` where it can. Browsers disagree on references within
 * such files (gradients, clips, masks, filters), and on clocks and styles, so none of these is put there.
 */
export function whyNoSymbol({ hasIds, body }: SvgMaster): string | undefined {
  if (hasIds) return 'refers to parts of itself (gradients, clips, masks or filters)';
  return body.some((part) => typeof part === 'string' && MOVING.test(part))
    ? 'is animated'
    : undefined;
}

/** A symbol and the markup that shows it. Its colour is inherited, so that one symbol serves all colours, unless the drawing has fixed ones. */
export function renderSymbol(
  master: SvgMaster,
  { id, color, size, title, class: className }: RenderSvgOptions,
): RenderedSymbol {
  const isHex = color !== 'currentColor' && color !== 'original';
  const isFixed = master.paint === 'fixed';
  const name = isFixed ? `icon-${id}-${isHex ? color : 'original'}` : `icon-${id}`;
  const draw = (template: SvgTemplate): string => fill(template, 'currentColor', `i${id}`);
  const symbol = `<symbol id="${name}" viewBox="${master.viewBox}"${draw(master.root)}>${draw(master.body)}</symbol>`;

  const { width, height } = resolveSize(master, size);
  const attributes = [
    `width="${width}" height="${height}" viewBox="0 0 ${master.width} ${master.height}"`,
    !isHex || isFixed ? '' : `color="#${color}"`,
    className === null || className === ''
      ? ''
      : `class="${escapeAttribute(cleanText(className))}"`,
    title === null ? 'aria-hidden="true" focusable="false"' : 'role="img"',
  ].filter((attribute) => attribute !== '');
  const label = title === null ? '' : `<title>${escapeText(cleanText(title))}</title>`;
  const before = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes.join(' ')}>${label}<use href="`;
  return { id: name, symbol, use: [before, `#${name}"/></svg>`] };
}
