import type { SvgMaster, SvgTemplate } from '../types.ts';
import { cleanText } from './clean-text.ts';
import { escapeAttribute, escapeText } from './escape-xml.ts';

export interface RenderSvgOptions {
  /** Icon id; ids inside the drawing begin with it. */
  id: number;
  /** `currentColor`, `original` or six hex digits without `#`; without effect where the master has no colour slot. */
  color: string;
  /** A CSS length or a number of pixels: the height; the width follows from the viewBox. */
  size: string;
  /** Accessible name; `null`: decorative. */
  title: string | null;
  /** Class names for the root. */
  class: string | null;
}

const HEX = /^[\da-f]{6}$/i;
const SIZE = /^(\d+(?:\.\d+)?|\.\d+)([a-z]*|%)$/i;

/**
 * A master with its slots filled: one `<svg>` that can stand in HTML as well as alone as an XML document. The same input
 * gives the same text, and two colours of one icon can share a page.
 */
export function renderSvg(
  master: SvgMaster,
  { id, color, size, title, class: className }: RenderSvgOptions,
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
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${master.viewBox}"${fill(master.root, paint, namespace)}${classes}`;
  const body = fill(master.body, paint, namespace);
  if (title === null) return `${open} aria-hidden="true" focusable="false">${body}</svg>`;
  return `${open} role="img"><title>${escapeText(cleanText(title))}</title>${body}</svg>`;
}

/** A template with its slots filled. */
export function fill(template: SvgTemplate, color: string, namespace: string): string {
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
