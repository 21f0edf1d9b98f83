import type { XastElement } from 'svgo';
import type { SvgLimits } from '../types.ts';
import { ANIMATIONS, DEFINITIONS, SHAPES, TEXT_ELEMENTS, URL_ATTRIBUTES } from './allow-list.ts';
import { readNumbers, readReference } from './grammar.ts';
import { checkLimit, invalidSvg, LIMITS, tooLargeSvg } from './refusals.ts';
import { childrenOf, elementsById, targetOf, walkElements } from './walk.ts';

/** The cost of drawing an element, with everything that it refers to. */
interface Cost {
  elements: number;
  /** The depth in levels, including those of what `use` shows. */
  depth: number;
  shapes: number;
  vertices: number;
  characters: number;
  animations: number;
  filters: FilterCost;
}

// A tile is drawn many times.
const WEIGHTS: Readonly<Record<string, number>> = { pattern: 16, mask: 4, clipPath: 2 };

/** A group with an opacity is drawn on a separate layer. */
const LAYER_COST = 40;
/** A mask counts as two layers. */
const MASK_COST = 100;
// Compared with some 3 µs for a plain shape: 20 µs a segment that crosses many others or is stroked with round joins,
// 0.3 ms a text with a font size of its own, 0.6 µs a glyph.
const VERTEX_COST = 0.5;
const GLYPH_COST = 0.5;
const SPAN_COST = 10;
const TEXT_COST = 40;

function ownCost(node: XastElement, points: number): number {
  if (node.name === 'text') return TEXT_COST + GLYPH_COST * ownText(node);
  if (TEXT_ELEMENTS.has(node.name)) return SPAN_COST + GLYPH_COST * ownText(node);
  if (SHAPES.has(node.name)) return 1 + VERTEX_COST * points;
  return node.attributes['opacity'] !== undefined && node.children.length > 0 ? LAYER_COST : 1;
}

/**
 * Bounds the work of a renderer: ten `use` of ten `use` of … is a short file and an endless drawing.
 * @returns how many times the shapes of the file are drawn on average, at least 1
 * @throws IconCatalogError SVG_INVALID where references form a circle, SVG_TOO_LARGE beyond a limit
 */
export function checkExpansion(
  svg: XastElement,
  { id, limits, canvas }: { id: number; limits: SvgLimits | undefined; canvas: CanvasSize },
): number {
  const targets = elementsById(svg);
  let shapes = 0;
  walkElements(svg, ({ name }) => (shapes += SHAPES.has(name) ? 1 : 0));
  const costs = new Map<XastElement, Cost>();
  const open = new Set<XastElement>();
  const measure = (node: XastElement): Cost => {
    const known = costs.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) throw invalidSvg(id, 'its references form a circle');
    open.add(node);
    const cost = startCost(node);
    for (const child of childrenOf(node)) {
      const part = measure(child);
      if (!DEFINITIONS.has(child.name)) add(cost, part, 1);
      cost.depth = Math.max(cost.depth, 1 + part.depth);
    }
    const href = targetOf(node, targets);
    if (href !== undefined) {
      const part = measure(href);
      add(cost, part, 1);
      cost.depth = Math.max(cost.depth, 1 + part.depth);
    }
    cost.elements += unionCost(node, cost);
    const own = { ...cost };
    for (const attribute of URL_ATTRIBUTES) {
      const value = node.attributes[attribute];
      const target = value && targets.get(readReference(value)?.id ?? '');
      if (!target) continue;
      if (attribute === 'mask') cost.elements += MASK_COST;
      const times = repetitions(attribute, target, own);
      add(cost, { ...measure(target), shapes: 0, vertices: 0 }, times);
      if (attribute === 'filter') addFilters(cost, filterCost(target, canvas), 1);
    }
    if (cost.filters.area > 0 && node !== svg) cost.filters.area *= scaleOf(node, canvas) ** 2;
    checkCost(cost, { id, limits });
    open.delete(node);
    costs.set(node, cost);
    return cost;
  };
  return Math.max(1, measure(svg).shapes / Math.max(1, shapes));
}

function startCost(node: XastElement): Cost {
  const points = vertices(node);
  return {
    elements: ownCost(node, points),
    depth: 1,
    shapes: SHAPES.has(node.name) ? 1 : 0,
    vertices: points,
    characters: TEXT_ELEMENTS.has(node.name) ? ownText(node) : 0,
    animations: ANIMATIONS.has(node.name) ? 1 : 0,
    filters: { area: 0, most: 0 },
  };
}

function checkCost(
  { depth, elements, characters, animations, filters }: Cost,
  context: { id: number; limits: SvgLimits | undefined },
): void {
  if (depth > LIMITS.expandedDepth)
    throw tooLargeSvg(context.id, `its references are nested deeper than ${LIMITS.expandedDepth}`);
  checkLimit('expansion', elements, context);
  checkLimit('text', characters, context);
  checkLimit('animations', animations, context);
  checkLimit('filterCost', Math.min(filters.area, filters.most), context);
}

/** The most times by which its content is drawn larger than it is written. */
function scaleOf({ name, attributes, children }: XastElement, canvas: CanvasSize): number {
  let scale = transformScale(attributes['transform'] ?? attributes['patternTransform'] ?? '');
  for (const child of childrenOf({ children }))
    if (child.name === 'animateTransform')
      for (const value of ['values', 'from', 'to', 'by'])
        scale *= Math.max(1, ...numbersOf(child.attributes[value]));
  const size = Math.max(canvas.width, canvas.height);
  const sides = ['width', 'height'].map((side) => numbersOf(attributes[side])[0] ?? 0);
  if (name === 'use') scale *= Math.max(1, ...sides.map((side) => side / size));
  const [, , width = 0, height = 0] = numbersOf(attributes['viewBox']);
  if (width > 0 && height > 0) scale *= Math.max(size, ...sides) / Math.min(width, height);
  return scale;
}

const TRANSFORM = /(matrix|scale|skewX|skewY)\(([^()]*)\)/g;

function transformScale(transform: string): number {
  let scale = 1;
  for (const [, name, list] of transform.matchAll(TRANSFORM)) {
    const [a = 1, b = 0, c = 0, d = 1] = numbersOf(list);
    if (name === 'matrix') scale *= Math.max(Math.hypot(a, b), Math.hypot(c, d));
    else if (name === 'scale') scale *= Math.max(Math.abs(a), Math.abs(b));
    else scale *= 1 + Math.abs(Math.tan((a * Math.PI) / 180));
  }
  return scale;
}

function numbersOf(list: string | undefined): number[] {
  return readNumbers((list ?? '').replaceAll(';', ' ').trim(), true) ?? [];
}

// With more shapes Chromium uses a mask.
const MOST_UNITED_SHAPES = 32;

/** A few shapes that clip are united into one path: 1.5 s for 1,800 numbers in two of them whose edges coincide. */
function unionCost({ name }: XastElement, { shapes, vertices: count }: Cost): number {
  return name === 'clipPath' && shapes > 1 && shapes <= MOST_UNITED_SHAPES ? count ** 2 / 10 : 0;
}

/** Paint and markers are inherited: each shape below draws them, and draws markers at every vertex. */
function repetitions(
  attribute: string,
  target: XastElement,
  { shapes, vertices: points }: Cost,
): number {
  if (attribute.startsWith('marker'))
    return attribute === 'marker-mid' ? Math.max(1, points) : Math.max(1, shapes);
  const weight = WEIGHTS[target.name] ?? 1;
  return attribute === 'fill' || attribute === 'stroke' ? weight * Math.max(1, shapes) : weight;
}

function add(cost: Cost, more: Cost, times: number): void {
  cost.elements += more.elements * times;
  cost.shapes += more.shapes * times;
  cost.vertices += more.vertices * times;
  cost.characters += more.characters * times;
  cost.animations += more.animations * times;
  addFilters(cost, more.filters, times);
}

function addFilters({ filters }: Cost, more: FilterCost, times: number): void {
  filters.area += more.area * times;
  filters.most += more.most * times;
}

/** White space that lays out the file is not text. `\s` would also match spaces that are drawn. */
function ownText({ children }: XastElement): number {
  return children.reduce(
    (sum, child) =>
      sum + (child.type === 'text' ? child.value.replaceAll(/[ \t\n\r]+/g, ' ').length : 0),
    0,
  );
}

/** The upper bound of vertices: `z` and each single number of an `h` add one. */
function vertices({ attributes }: XastElement): number {
  const data = attributes['d'] ?? attributes['points'];
  return data === undefined ? 1 : Math.max(1, data.match(/[a-z]|\d*\.?\d+/gi)?.length ?? 0);
}

/**
 * The time that filters take, in milliseconds of Chromium 147 without a graphics card at 256 px. It was measured for
 * each primitive over the whole canvas, alone and 30 times.
 */
interface FilterCost {
  /** The cost for the part of the canvas that the filters cover, which grows with the square of the scale. */
  area: number;
  /** Browsers draw only what is visible, and what a blur brings into the visible part. */
  most: number;
}

const BASE: Readonly<Record<string, number>> = {
  feGaussianBlur: 3,
  feDropShadow: 4,
  feDiffuseLighting: 4,
  feSpecularLighting: 4,
  feDisplacementMap: 3,
};
/** The minimum, even for a very small part of the canvas. */
const LEAST_AREA = 0.01;
/** The most that is drawn in relation to the canvas: with the largest blur, and without one. */
const MOST_BLURRED = 64;
const MOST_PLAIN = 1.5;
const MOST_MORPHOLOGY = 200;

function primitiveCost({ name, attributes }: XastElement, size: number): number {
  if (name === 'feTurbulence') return 1 + 0.5 * largest(attributes['numOctaves'], 1);
  // Each pixel reads the whole kernel.
  if (name === 'feConvolveMatrix') return 3 + 0.5 * largest(attributes['order'], 3) ** 2;
  if (name === 'feMorphology')
    return Math.min(MOST_MORPHOLOGY, 4 + (128 * largest(attributes['radius'], 0)) / size);
  return BASE[name] ?? 1;
}

function largest(value: string | undefined, initial: number): number {
  return Math.max(...(readNumbers(value ?? '') ?? [initial]));
}

const TWO_INPUTS = new Set(['feBlend', 'feComposite', 'feDisplacementMap']);

/** Relative to the view box. */
export interface CanvasSize {
  width: number;
  height: number;
}

function filterCost(filter: XastElement, canvas: CanvasSize): FilterCost {
  const size = Math.min(canvas.width, canvas.height);
  let blur = 0;
  let spreads = false;
  for (const node of childrenOf(filter)) {
    const { name, attributes } = node;
    if (name === 'feGaussianBlur' || name === 'feDropShadow')
      blur = Math.max(blur, largest(attributes['stdDeviation'], name === 'feDropShadow' ? 2 : 0));
    spreads ||= blur > 0 || name === 'feMorphology';
  }
  const work = graphCost(filter, size);
  const reach = (1 + (6 * blur) / size) ** 2;
  const area = Math.max(LEAST_AREA, Math.min(regionArea(filter, canvas), reach, MOST_BLURRED));
  return { area: work * area, most: work * (spreads ? MOST_BLURRED : MOST_PLAIN) };
}

/** The filter region as a part of the canvas. A bounding box may have any size. */
function regionArea({ attributes }: XastElement, canvas: CanvasSize): number {
  if (attributes['filterUnits'] !== 'userSpaceOnUse') return Infinity;
  const part = (name: 'width' | 'height'): number => {
    const written = attributes[name] ?? '120%';
    const [number = 0] = readNumbers(written, true) ?? [];
    return Math.abs(written.endsWith('%') ? number / 100 : number / canvas[name]);
  };
  return part('width') * part('height');
}

/** A renderer evaluates the inputs of each primitive again: twenty that blend their predecessor with itself are a million. */
function graphCost(filter: XastElement, size: number): number {
  const costs = new Map<string, number>();
  let previous = 0;
  let total = 0;
  for (const node of childrenOf(filter)) {
    if (!node.name.startsWith('fe')) continue;
    const input = (name: string | undefined): number =>
      name === undefined ? previous : (costs.get(name) ?? 0);
    const merged = childrenOf(node).filter(({ name }) => name === 'feMergeNode');
    const inputs =
      node.name === 'feMerge'
        ? merged.map(({ attributes }) => input(attributes['in']))
        : [input(node.attributes['in'])];
    if (TWO_INPUTS.has(node.name)) inputs.push(input(node.attributes['in2']));
    previous = inputs.reduce((sum, cost) => sum + cost, primitiveCost(node, size));
    total = Math.max(total, previous);
    const { result } = node.attributes;
    if (result !== undefined) costs.set(result, previous);
  }
  return total;
}
