import type { XastElement } from 'svgo';
import { BOX_ATTRIBUTES } from './allowed.ts';
import { readNumbers } from './grammar.ts';
import { invalidSvg, LIMITS } from './limits.ts';
import { walkElements } from './walk.ts';

export interface Canvas {
  viewBox: string;
  width: number;
  height: number;
}

/**
 * The drawing's own coordinate system, from `viewBox` or, without one, the size in CSS pixels.
 * @throws IconCatalogError SVG_INVALID where there is neither, or nothing could be seen in it
 */
export function readCanvas(svg: XastElement, id: number): Canvas {
  const box = readNumbers(svg.attributes['viewBox'] ?? '');
  const [x = 0, y = 0, width = Number.NaN, height = Number.NaN] =
    box?.length === 4
      ? box
      : [0, 0, toPixels(svg.attributes['width']), toPixels(svg.attributes['height'])];
  if (Number.isNaN(width) || Number.isNaN(height))
    throw invalidSvg(id, 'it has neither a viewBox nor a size');
  if (!(width > 1e-6 && height > 1e-6)) throw invalidSvg(id, 'its viewBox is empty');
  if (Math.max(width / height, height / width) > LIMITS.aspectRatio)
    throw invalidSvg(
      id,
      `one side of its viewBox is more than ${LIMITS.aspectRatio} times the other`,
    );
  return {
    viewBox: [x, y, width, height].map(tidy).join(' '),
    width: Number(tidy(width)),
    height: Number(tidy(height)),
  };
}

// CSS Values 4, 6.2: absolute lengths.
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
};

function toPixels(length: string | undefined): number {
  const match = /^([+\d.e-]+)(px|pt|pc|in|cm|mm|q)?$/i.exec(length ?? '');
  return match === null
    ? Number.NaN
    : Number(match[1]) * (PIXELS[match[2]?.toLowerCase() ?? ''] ?? Number.NaN);
}

/** Significant digits enough for any canvas, no exponent. */
function tidy(value: number): string {
  return String(Number(value.toPrecision(10)));
}

const OUTER_ATTRIBUTES = [
  'id',
  'x',
  'y',
  'width',
  'height',
  'viewBox',
  'preserveAspectRatio',
  'overflow',
  'transform',
  'transform-origin',
  'transform-box',
];

/** What `overflow` means something on. */
const VIEWPORTS = new Set(['svg', 'symbol', 'pattern', 'marker']);

/**
 * Leaves on the root only what its drawing inherits. What acts on a box in the page (a filter may paint far outside of
 * it) moves to a group inside; a transform of the root, which would move the whole box, is not kept.
 */
export function tameRoot(svg: XastElement): void {
  const inner: Record<string, string> = {};
  for (const name of BOX_ATTRIBUTES) {
    const value = svg.attributes[name];
    delete svg.attributes[name];
    if (value !== undefined && !(name === 'display' && value !== 'none')) inner[name] = value;
  }
  for (const name of OUTER_ATTRIBUTES) delete svg.attributes[name];
  walkElements(svg, ({ name, attributes }) => {
    if (!VIEWPORTS.has(name)) delete attributes['overflow'];
  });
  if (Object.keys(inner).length > 0)
    svg.children = [{ type: 'element', name: 'g', attributes: inner, children: svg.children }];
}
