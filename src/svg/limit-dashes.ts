import type { XastElement } from 'svgo';
import { readNumbers } from './grammar.ts';
import { LIMITS } from './limits.ts';
import type { Removals } from './removals.ts';
import { walkElements } from './walk.ts';

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

/** Takes out dash patterns that would have a renderer draw hundreds of thousands of dashes. */
export function limitDashes(
  svg: XastElement,
  { removals, repetition }: { removals: Removals; repetition: number },
): void {
  const dashed: { node: XastElement; period: number }[] = [];
  walkElements(svg, (node) => {
    const period = readNumbers(node.attributes['stroke-dasharray'] ?? '', true)?.reduce(
      (sum, dash) => sum + dash,
      0,
    );
    if (period !== undefined && period > 0) dashed.push({ node, period });
  });
  if (dashed.length === 0) return;
  let outline = 0;
  walkElements(svg, (node) => {
    outline += GEOMETRY.reduce((sum, name) => sum + magnitudes(node.attributes[name]), 0);
  });
  // Every number taken as a distance: never less than the true length by more than a small factor.
  const distance = outline * 4 * repetition;
  for (const { node, period } of dashed) {
    if (distance / period <= LIMITS.dashes) continue;
    removals.note('invalid-value');
    delete node.attributes['stroke-dasharray'];
  }
}

function magnitudes(value: string | undefined): number {
  if (value === undefined) return 0;
  let sum = 0;
  for (const [number] of value.matchAll(/(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi))
    sum += Number(number);
  return sum;
}
