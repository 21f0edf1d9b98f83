import type { XastElement } from 'svgo';

// Measured in Chromium at 200 to 500 px, in units of a plain shape: 2 ms for a common filter primitive.
const PRIMITIVE = 400;
const BLUR = 4_000;
const HEAVY = 4_000;
const HEAVY_PRIMITIVES = new Set([
  'feDiffuseLighting',
  'feDisplacementMap',
  'feSpecularLighting',
  'feTurbulence',
]);

/** One pixel of a convolution reads the whole kernel, one of a morphology a row as long as its radius. */
function ownCost({ name, attributes }: XastElement): number {
  if (name === 'feConvolveMatrix') return HEAVY + 300 * largest(attributes['order'], 3) ** 2;
  if (name === 'feMorphology') return HEAVY + 100 * largest(attributes['radius'], 0);
  if (name === 'feGaussianBlur' || name === 'feDropShadow') return BLUR;
  return HEAVY_PRIMITIVES.has(name) ? HEAVY : PRIMITIVE;
}

function largest(value: string | undefined, initial: number): number {
  const numbers = (value ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
  return numbers.length === 0 ? initial : Math.max(...numbers);
}

/**
 * What a filter amounts to. A renderer follows the inputs of each primitive anew: twenty that blend their predecessor with
 * itself are a million.
 */
export function filterCost(filter: XastElement): number {
  const costs = new Map<string, number>();
  let previous = 0;
  let total = 0;
  for (const node of filter.children) {
    if (node.type !== 'element' || !node.name.startsWith('fe')) continue;
    const input = (name: string | undefined): number =>
      name === undefined ? previous : (costs.get(name) ?? 0);
    const merged = node.children.filter(
      (child) => child.type === 'element' && child.name === 'feMergeNode',
    );
    const inputs =
      node.name === 'feMerge'
        ? merged.map((child) => input(child.type === 'element' ? child.attributes['in'] : ''))
        : [input(node.attributes['in'])];
    if (TWO_INPUTS.has(node.name)) inputs.push(input(node.attributes['in2']));
    previous = inputs.reduce((sum, cost) => sum + cost, ownCost(node));
    total = Math.max(total, previous);
    const { result } = node.attributes;
    if (result !== undefined) costs.set(result, previous);
  }
  return total;
}

const TWO_INPUTS = new Set(['feBlend', 'feComposite', 'feDisplacementMap']);
