import type { SvgMaster, SvgSymbol, SvgTemplate } from '../types.ts';
import { cleanText, escapeAttribute, escapeText } from './text.ts';

/**
 * The colour that a catalog is asked for: found in none of 15,879 real files, digits only, not shortenable, without a
 * name, not the default that optimisers delete, and near enough to black that masks stay right. Lock files pin the bytes
 * in this colour: another one needs a new `LOCKFILE_VERSION` (src/store/lockfile-format.ts).
 */
export const SENTINEL = '010203';

export interface RenderSvgOptions {
  /** Icon id; ids inside the drawing begin with it. */
  id: number;
  /** `currentColor`, `original` or six hex digits without `#`; it has no effect if the master has no colour slot. */
  color: string;
  /** A CSS length or a number of pixels: the height. The width follows from the viewBox. */
  size: string;
  /** Accessible name; `null`: decorative. */
  title: string | null;
  class: string | null;
  /**
   * True for a file or a `data:` address, which an XML parser reads: it needs the namespace, and as an image it takes no
   * part in the page's accessibility tree. HTML parsers need no namespace.
   */
  isFile: boolean;
}

const HEX = /^[\da-f]{6}$/i;
const SIZE = /^(\d+(?:\.\d+)?|\.\d+)([a-z]*|%)$/i;

/**
 * A master with filled slots: one `<svg>` for a page or, with `isFile`, an XML document. The same input gives the same
 * text, and two colours of one icon can share a page.
 */
export function renderSvg(
  master: SvgMaster,
  { id, color, size, title, class: className, isFile }: RenderSvgOptions,
): string {
  const hex = HEX.test(color) ? color.toLowerCase() : undefined;
  const paint = hex === undefined ? 'currentColor' : `#${hex}`;
  const variant = hex ?? (color === 'original' ? color : undefined);
  const namespace = master.hasIds && variant !== undefined ? `i${id}-${variant}` : `i${id}`;
  const { width, height } = resolveSize(master, size);
  const classes =
    className === null || className === ''
      ? ''
      : ` class="${escapeAttribute(cleanText(className))}"`;
  const open = `<svg${isFile ? NAMESPACE : ''} width="${width}" height="${height}" viewBox="${master.viewBox}"${fill(master.root, paint, namespace)}${classes}`;
  const body = fill(master.body, paint, namespace);
  if (title === null) return `${open}${isFile ? '' : ' aria-hidden="true"'}>${body}</svg>`;
  return `${open} role="img"><title>${escapeText(cleanText(title))}</title>${body}</svg>`;
}

const NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"';

/** Markup of a page as a document of its own. */
export function withNamespace(svg: string): string {
  return /^<svg(?=[\s>])(?![^>]*\sxmlns=)/.test(svg) ? `<svg${NAMESPACE}${svg.slice(4)}` : svg;
}

function fill(template: SvgTemplate, color: string, namespace: string): string {
  let text = '';
  for (const part of template) text += part === 0 ? color : part === 1 ? namespace : part;
  return text;
}

/** Attributes `width` and `height` in the ratio of the drawing; `size` is the height. */
export function resolveSize(
  { width, height }: SvgMaster,
  size: string,
): { width: string; height: string } {
  const [, amount, unit = ''] = SIZE.exec(size) ?? [];
  if (amount === undefined) return { width: escapeAttribute(size), height: escapeAttribute(size) };
  const number = Number(amount);
  return { width: `${round((number * width) / height)}${unit}`, height: `${number}${unit}` };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Elements that run something or refer to something by themselves. */
const MOVING = /<(?:animate|set|style)\b/;

/**
 * Why an icon cannot be a symbol in a separate file; `undefined` if it can. Browsers disagree on references within such
 * files (gradients, clips, masks, filters), and on clocks and styles, so such files contain none of these.
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
  { id, color, size, title, class: className }: Omit<RenderSvgOptions, 'isFile'>,
): SvgSymbol {
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
    title === null ? 'aria-hidden="true"' : 'role="img"',
  ].filter((attribute) => attribute !== '');
  const label = title === null ? '' : `<title>${escapeText(cleanText(title))}</title>`;
  const before = `<svg ${attributes.join(' ')}>${label}<use href="`;
  return { id: name, symbol, use: [before, `#${name}"/></svg>`] };
}
