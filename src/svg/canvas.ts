import type { XastChild, XastElement } from 'svgo';
import { ANIMATIONS, PRESENTATION, ROOT_ATTRIBUTES, VIEWPORTS } from './allow-list.ts';
import type { CanvasSize } from './expansion.ts';
import { readNumbers } from './grammar.ts';
import { invalidSvg, LIMITS, type Removals } from './refusals.ts';
import { childrenOf, hasElement, walkElements } from './walk.ts';

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

/** Where they lie on either axis, as a part of the box. */
const SIDES: Readonly<Record<string, number>> = {
  left: 0,
  top: 0,
  center: 0.5,
  right: 1,
  bottom: 1,
};

/**
 * Writes a `transform-origin` into the `transform` beside it, which svgo would carry on without it.
 * @returns false if some origin depends on a box that only a renderer knows
 */
export function foldOrigins(svg: XastElement, canvas: CanvasSize): boolean {
  let isFolded = true;
  // An animation may put another transform there, about the same origin.
  if (hasElement(svg, ({ name }) => ANIMATIONS.has(name))) return false;
  const visit = (node: XastElement, isInner: boolean): void => {
    const { attributes } = node;
    const { transform, 'transform-origin': written } = attributes;
    const isPaint = 'gradientTransform' in attributes || 'patternTransform' in attributes;
    if (transform === undefined && !isPaint) delete attributes['transform-origin'];
    else if (transform !== undefined && written !== undefined) {
      const origin = readOrigin(written, isInner ? undefined : canvas);
      if (origin === undefined) isFolded = false;
      else {
        const [x, y] = origin;
        attributes['transform'] = `translate(${x} ${y}) ${transform} translate(${-x} ${-y})`;
        delete attributes['transform-origin'];
      }
    }
    const isViewport = node !== svg && VIEWPORTS.has(node.name);
    for (const child of childrenOf(node)) visit(child, isInner || isViewport);
  };
  visit(svg, false);
  return isFolded;
}

/** In user units. @param canvas what percentages are of; undefined if it is not known */
function readOrigin(
  written: string,
  canvas: CanvasSize | undefined,
): readonly [number, number] | undefined {
  const words = written.toLowerCase().split(/[\s,]+/);
  // Words may stand in either order: `top left` is `left top`.
  if (/^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? ''))
    words.splice(0, 2, words[1] ?? 'center', words[0] ?? 'center');
  const lengths = [canvas?.width, canvas?.height].map((size, axis) => {
    const word = words[axis] ?? 'center';
    const side = SIDES[word];
    if (side !== undefined) return size === undefined ? Number.NaN : side * size;
    const match = /^([-+\d.e]+?)(px|%)?$/.exec(word);
    const [number = Number.NaN] = readNumbers(match?.[1] ?? '') ?? [];
    return match?.[2] === '%' ? (number * (size ?? Number.NaN)) / 100 : number;
  });
  const [x = Number.NaN, y = Number.NaN] = lengths;
  return Number.isNaN(x + y) ? undefined : [x, y];
}

/** WebKit ignores the transform of a nested `<svg>`: a group around it has it instead. */
export function wrapNested(svg: XastElement): void {
  walkElements(svg, (node) => {
    if (node === svg || node.name !== 'svg' || node.attributes['transform'] === undefined) return;
    const outer: Record<string, string> = {};
    const inner: Record<string, string> = {};
    for (const [name, value] of Object.entries(node.attributes))
      (OF_WHOLE.has(name) ? outer : inner)[name] = value;
    const nested: XastElement = { ...node, attributes: inner };
    node.name = 'g';
    node.attributes = outer;
    node.children = [nested];
  });
}

const OF_WHOLE: ReadonlySet<string> = new Set([
  'id',
  'systemLanguage',
  'transform',
  'transform-origin',
]);

const GEOMETRY = [
  'd',
  'points',
  'width',
  'height',
  'r',
  'rx',
  'ry',
  'x1',
  'x2',
  'y1',
  'y2',
  'pathLength',
];

const VALUES = ['values', 'from', 'to', 'by'];

/** Removes dash patterns, also animated ones, that would make a renderer draw hundreds of thousands of dashes. */
export function limitDashes(
  svg: XastElement,
  { removals, repetition }: { removals: Removals; repetition: number },
): void {
  const dashed: { node: XastElement; names: readonly string[]; period: number }[] = [];
  walkElements(svg, (node) => {
    const target = node.attributes['attributeName'];
    if (target === undefined && node.attributes['stroke-dasharray'] === undefined) return;
    const names = target === 'stroke-dasharray' ? VALUES : ['stroke-dasharray'];
    const periods = names
      .flatMap((name) => (node.attributes[name] ?? '').split(';'))
      .map((list) => readNumbers(list.trim(), true)?.reduce((total, dash) => total + dash, 0) ?? 0)
      .filter((period) => period > 0);
    if (periods.length > 0) dashed.push({ node, names, period: Math.min(...periods) });
  });
  if (dashed.length === 0) return;
  let outline = 0;
  walkElements(svg, ({ attributes }) => {
    const target = attributes['attributeName'];
    if (target === undefined) outline += sum(GEOMETRY, attributes);
    else if (GEOMETRY.includes(target)) outline += sum(VALUES, attributes);
  });
  // Every number is counted as a distance: the result is never less than the true length, and more only by a small
  // factor.
  const distance = outline * 4 * repetition * screenScale(svg);
  for (const { node, names, period } of dashed) {
    if (distance / period <= LIMITS.dashes) continue;
    removals.note('invalid-value');
    for (const name of names) delete node.attributes[name];
  }
}

function sum(names: readonly string[], attributes: Record<string, string>): number {
  return names.reduce((total, name) => total + magnitudes(attributes[name]), 0);
}

/** The most by which a path is longer on the screen, where `non-scaling-stroke` measures dashes. */
function screenScale(svg: XastElement): number {
  let onScreen = false;
  let scale = 1;
  walkElements(svg, ({ name, attributes }, parent) => {
    if (attributes['vector-effect'] === 'non-scaling-stroke') onScreen = true;
    const written = `${attributes['transform'] ?? ''}${name === 'animateTransform' ? 'scale' : ''}`;
    if (/scale|matrix/.test(written))
      scale *= Math.max(1, sum(['transform', ...VALUES], attributes));
    const [, , width = 1, height = 1] = readNumbers(attributes['viewBox'] ?? '') ?? [];
    if (attributes['viewBox'] !== undefined)
      scale *= Math.max(1, (parent === undefined ? 100 : 1_000) / Math.min(width, height));
  });
  return onScreen ? scale : 1;
}

function magnitudes(value: string | undefined): number {
  if (value === undefined) return 0;
  let sum = 0;
  for (const [number] of value.matchAll(/(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi))
    sum += Number(number);
  return sum;
}
