import type { XastElement } from 'svgo';
import { SHAPES, URL_ATTRIBUTES } from './allowed.ts';
import { readReference } from './grammar.ts';
import { invalidSvg, LIMITS, tooLargeSvg } from './limits.ts';
import { walkElements } from './walk.ts';

/** What drawing an element amounts to once all that it refers to has been followed. */
interface Cost {
  elements: number;
  shapes: number;
  vertices: number;
}

// A tile is drawn many times over.
const WEIGHTS: Readonly<Record<string, number>> = { pattern: 16, mask: 4, clipPath: 2 };

// Measured in Chromium at 200 px, in units of a plain shape: 0.7 ms for a common filter primitive, 10 ms for these.
const FILTER_COST = 200;
const HEAVY_FILTER_COST = 4_000;
const HEAVY_FILTERS = new Set([
  'feConvolveMatrix',
  'feDiffuseLighting',
  'feDisplacementMap',
  'feMorphology',
  'feSpecularLighting',
  'feTurbulence',
]);
/** A group with an opacity is drawn on a layer of its own. */
const LAYER_COST = 20;

function ownCost(node: XastElement): number {
  if (HEAVY_FILTERS.has(node.name)) return HEAVY_FILTER_COST;
  if (node.name.startsWith('fe')) return FILTER_COST;
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
      shapes: SHAPES.has(node.name) ? 1 : 0,
      vertices: vertices(node),
    };
    for (const child of node.children) if (child.type === 'element') add(cost, measure(child));
    const href = targets.get(node.attributes['href']?.slice(1) ?? '');
    if (href !== undefined) add(cost, measure(href));
    for (const attribute of URL_ATTRIBUTES) {
      const target = targets.get(readReference(node.attributes[attribute] ?? '')?.id ?? '');
      if (target !== undefined)
        cost.elements += measure(target).elements * repetitions({ attribute, target, cost });
    }
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
  cost.shapes += more.shapes;
  cost.vertices += more.vertices;
}

function vertices(node: XastElement): number {
  const data = node.attributes['d'] ?? node.attributes['points'];
  return data === undefined ? 1 : Math.max(1, Math.ceil((data.match(/\d+/g)?.length ?? 0) / 2));
}
