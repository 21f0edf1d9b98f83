import type { XastElement } from 'svgo';
import { SHAPES, TEXT_ELEMENTS, URL_ATTRIBUTES } from './allowed.ts';
import { filterCost } from './filter-cost.ts';
import { readReference } from './grammar.ts';
import { invalidSvg, LIMITS, tooLargeSvg } from './limits.ts';
import { walkElements } from './walk.ts';

/** What drawing an element amounts to once all that it refers to has been followed. */
interface Cost {
  elements: number;
  /** Levels, with those of what `use` shows. */
  depth: number;
  shapes: number;
  vertices: number;
}

// A tile is drawn many times over.
const WEIGHTS: Readonly<Record<string, number>> = { pattern: 16, mask: 4, clipPath: 2 };

/** A group with an opacity is drawn on a layer of its own. */
const LAYER_COST = 40;
/** A mask is two. */
const MASK_COST = 100;
// Where a plain shape takes some 3 µs: 20 µs a segment that crosses many others or is stroked with round joins, 0.3 ms a
// text with a font size of its own, 0.6 µs a glyph.
const VERTEX_COST = 0.5;
const GLYPH_COST = 0.5;
const SPAN_COST = 10;
const TEXT_COST = 40;

function ownCost(node: XastElement): number {
  if (node.name === 'text') return TEXT_COST + GLYPH_COST * ownText(node);
  if (TEXT_ELEMENTS.has(node.name)) return SPAN_COST + GLYPH_COST * ownText(node);
  if (SHAPES.has(node.name)) return 1 + VERTEX_COST * vertices(node);
  if (node.name === 'filter') return filterCost(node);
  return node.attributes['opacity'] !== undefined && node.children.length > 0 ? LAYER_COST : 1;
}

/**
 * Bounds the work of a renderer: ten `use` of ten `use` of … is a short file and an endless drawing.
 * @returns how many times the shapes of the file are drawn on average, at least 1
 * @throws IconCatalogError SVG_INVALID where references form a circle, SVG_TOO_LARGE beyond 200,000 elements
 */
export function checkExpansion(svg: XastElement, id: number): number {
  const targets = new Map<string, XastElement>();
  walkElements(svg, (node) => {
    const own = node.attributes['id'];
    if (own !== undefined) targets.set(own, node);
  });
  const costs = new Map<XastElement, Cost>();
  const open = new Set<XastElement>();
  const measure = (node: XastElement): Cost => {
    const known = costs.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) throw invalidSvg(id, 'its references form a circle');
    open.add(node);
    const cost: Cost = {
      elements: ownCost(node),
      depth: 1,
      shapes: SHAPES.has(node.name) ? 1 : 0,
      vertices: vertices(node),
    };
    for (const child of node.children) if (child.type === 'element') add(cost, measure(child));
    const href = targets.get(node.attributes['href']?.slice(1) ?? '');
    if (href !== undefined) add(cost, measure(href));
    cost.elements += unionCost(node, cost);
    for (const attribute of URL_ATTRIBUTES) {
      const target = targets.get(readReference(node.attributes[attribute] ?? '')?.id ?? '');
      if (target !== undefined)
        cost.elements +=
          (attribute === 'mask' ? MASK_COST : 0) +
          measure(target).elements * repetitions({ attribute, target, cost });
    }
    if (cost.depth > LIMITS.expandedDepth)
      throw tooLargeSvg(id, `its references are nested deeper than ${LIMITS.expandedDepth}`);
    if (cost.elements > LIMITS.expansion)
      throw tooLargeSvg(id, `drawing it takes the work of more than ${LIMITS.expansion} elements`);
    open.delete(node);
    costs.set(node, cost);
    return cost;
  };
  let shapes = 0;
  walkElements(svg, (node) => {
    if (SHAPES.has(node.name)) shapes += 1;
  });
  return Math.max(1, measure(svg).shapes / Math.max(1, shapes));
}

// Of more shapes Chromium makes a mask.
const MOST_UNITED_SHAPES = 32;

/** A few shapes that clip are united into one path: 1.5 s for 1,800 numbers in two of them whose edges coincide. */
function unionCost({ name }: XastElement, { shapes, vertices: count }: Cost): number {
  return name === 'clipPath' && shapes > 1 && shapes <= MOST_UNITED_SHAPES ? count ** 2 / 10 : 0;
}

/** Paint and markers are inherited: each shape below draws them, markers once a vertex. */
function repetitions({
  attribute,
  target,
  cost,
}: {
  attribute: string;
  target: XastElement;
  cost: Cost;
}): number {
  if (attribute.startsWith('marker'))
    return attribute === 'marker-mid' ? Math.max(1, cost.vertices) : Math.max(1, cost.shapes);
  const weight = WEIGHTS[target.name] ?? 1;
  return attribute === 'fill' || attribute === 'stroke'
    ? weight * Math.max(1, cost.shapes)
    : weight;
}

function add(cost: Cost, more: Cost): void {
  cost.elements += more.elements;
  cost.depth = Math.max(cost.depth, 1 + more.depth);
  cost.shapes += more.shapes;
  cost.vertices += more.vertices;
}

function ownText({ children }: XastElement): number {
  return children.reduce(
    (sum, child) => (child.type === 'text' ? sum + child.value.length : sum),
    0,
  );
}

/** At most so many: `z` and the single number of an `h` each make a vertex. */
function vertices({ attributes }: XastElement): number {
  const data = attributes['d'] ?? attributes['points'];
  return data === undefined ? 1 : Math.max(1, data.match(/[a-z]|\d*\.?\d+/gi)?.length ?? 0);
}
