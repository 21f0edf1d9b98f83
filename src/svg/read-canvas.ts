import type { XastChild, XastElement } from 'svgo';
import { ANIMATIONS, PRESENTATION, ROOT_ATTRIBUTES, VIEWPORTS } from './allow-list.ts';
import { readNumbers } from './grammar.ts';
import { invalidSvg, LIMITS } from './limits.ts';
import type { Removals } from './removals.ts';
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

/** Enough significant digits for any canvas, without an exponent. */
function tidy(value: number): string {
  return String(Number(value.toPrecision(10)));
}

/**
 * Properties that decide the `em` of the root, its box or its place in the page: none of them may come from the file.
 */
const NEVER_MOVED = /^(?:overflow|transform|transform-origin)$/;

/**
 * Leaves on the root only the paint that its drawing inherits. Properties that act on a box in the page move to a group
 * inside: a filter may paint far outside of it, and a font size would be the `em` of the icon's own width. A transform
 * of the root, which would move the whole box, is not kept.
 */
export function tameRoot(svg: XastElement, removals: Removals): void {
  walkElements(svg, (node, parent) => resolveOverflow(node, { parent, root: svg }));
  const inner: Record<string, string> = {};
  for (const [name, value] of Object.entries(svg.attributes)) {
    if (ROOT_ATTRIBUTES.has(name)) continue;
    delete svg.attributes[name];
    if (!PRESENTATION.has(name) || NEVER_MOVED.test(name)) continue;
    if (!(name === 'display' && value !== 'none')) inner[name] = value;
  }
  walkElements(svg, ({ name, attributes }) => {
    if (!VIEWPORTS.has(name)) delete attributes['overflow'];
  });
  const isAnimated = svg.children.some((child) => isAnimation(child));
  if (isAnimated)
    svg.children = svg.children.filter((child) => {
      if (!isAnimation(child) || actsOnGroup(child)) return true;
      removals.note('unsafe-animation');
      return false;
    });
  if (isAnimated || Object.keys(inner).length > 0)
    svg.children = [{ type: 'element', name: 'g', attributes: inner, children: svg.children }];
}

/** Parents come first, so that their values are no longer `inherit`. */
function resolveOverflow(
  { attributes }: XastElement,
  { parent, root }: { parent: XastElement | undefined; root: XastElement },
): void {
  if (attributes['overflow'] !== 'inherit') return;
  // Browsers hide what overflows an inner viewport unless its `overflow` shows it.
  const isInner = parent !== undefined && parent !== root && VIEWPORTS.has(parent.name);
  attributes['overflow'] = parent?.attributes['overflow'] ?? (isInner ? 'hidden' : 'visible');
}

function isAnimation(node: XastChild): node is XastElement {
  return node.type === 'element' && ANIMATIONS.has(node.name);
}

/**
 * Animations of the root become those of the group inside it: they animate its paint and place, never the icon's size.
 */
function actsOnGroup({ attributes }: XastElement): boolean {
  const name = attributes['attributeName'];
  return name === undefined || (PRESENTATION.has(name) && name !== 'overflow');
}
