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
