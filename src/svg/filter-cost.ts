import type { XastElement } from 'svgo';
import { readNumbers } from './grammar.ts';

/**
 * What filters take to draw, in milliseconds of Chromium 147 without a graphics card at 256 px. Measured for each
 * primitive over the whole canvas, alone and 30 times.
 */
export interface FilterCost {
  /** For the part of the canvas that the filters cover: it grows with the square of the scale. */
  area: number;
  /** Browsers draw no more than what can be seen and what a blur brings into it. */
  most: number;
}

const BASE: Readonly<Record<string, number>> = {
  feGaussianBlur: 3,
  feDropShadow: 4,
  feDiffuseLighting: 4,
  feSpecularLighting: 4,
  feDisplacementMap: 3,
};
/** However small the part of the canvas is. */
const LEAST_AREA = 0.01;
/** How much more than the canvas is drawn at most: by the largest blur, and without one. */
const MOST_BLURRED = 64;
const MOST_PLAIN = 1.5;
const MOST_MORPHOLOGY = 200;

/** One primitive over the whole canvas. */
function ownCost({ name, attributes }: XastElement, size: number): number {
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

/** Of the viewBox. */
export interface CanvasSize {
  width: number;
  height: number;
}

export function filterCost(filter: XastElement, canvas: CanvasSize): FilterCost {
  const size = Math.min(canvas.width, canvas.height);
  let blur = 0;
  let spreads = false;
  for (const node of filter.children) {
    if (node.type !== 'element') continue;
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

/** The filter region as a part of the canvas; a bounding box may be as large as anything. */
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
    previous = inputs.reduce((sum, cost) => sum + cost, ownCost(node, size));
    total = Math.max(total, previous);
    const { result } = node.attributes;
    if (result !== undefined) costs.set(result, previous);
  }
  return total;
}
