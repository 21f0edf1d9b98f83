import type { XastElement } from 'svgo';
import { DEFINITIONS, SHAPES } from './allow-list.ts';
import { readNumbers } from './grammar.ts';
import { walkElements } from './walk.ts';

/** What a shape inherits, as far as it decides whether the shape is visible. */
type Inherited = Readonly<Record<(typeof NAMES)[number], string>>;

const NAMES = [
  'fill',
  'stroke',
  'fill-opacity',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-dashoffset',
  'visibility',
] as const;
const INITIAL: Inherited = {
  fill: '#000',
  stroke: 'none',
  'fill-opacity': '1',
  'stroke-opacity': '1',
  'stroke-width': '1',
  'stroke-dasharray': 'none',
  'stroke-dashoffset': '0',
  visibility: 'visible',
};

/** Whether anything is visible of a drawing that has lost its animations: they may fade in or draw all of it. */
export function isVisibleAtRest(svg: XastElement): boolean {
  const targets = new Map<string, XastElement>();
  walkElements(svg, (node) => {
    const { id } = node.attributes;
    if (id !== undefined) targets.set(id, node);
  });
  const isVisible = (node: XastElement, outer: Inherited): boolean => {
    const { name, attributes } = node;
    if (attributes['display'] === 'none' || isNothing(attributes['opacity'] ?? '1')) return false;
    if (/scale\(\s*0*\.?0+\s*[,)]/.test(attributes['transform'] ?? '')) return false;
    const own: Inherited = { ...outer, ...pick(attributes) };
    if (SHAPES.has(name) && isPainted(node, own)) return true;
    const target = name === 'use' ? targets.get(attributes['href']?.slice(1) ?? '') : undefined;
    if (target !== undefined && isVisible(target, own)) return true;
    return node.children.some(
      (child) => child.type === 'element' && !DEFINITIONS.has(child.name) && isVisible(child, own),
    );
  };
  return isVisible(svg, INITIAL);
}

function pick(attributes: Record<string, string>): Partial<Inherited> {
  const found: Partial<Record<(typeof NAMES)[number], string>> = {};
  for (const name of NAMES) {
    const value = attributes[name];
    if (value !== undefined && value !== 'inherit') found[name] = value;
  }
  return found;
}

function isNothing(amount: string): boolean {
  return Number.parseFloat(amount) <= 0;
}

const SIZES: Readonly<Record<string, readonly string[]>> = {
  circle: ['r'],
  ellipse: ['rx', 'ry'],
  rect: ['width', 'height'],
};

function isPainted({ name, attributes }: XastElement, own: Inherited): boolean {
  if (own.visibility !== 'visible') return false;
  if (SIZES[name]?.some((side) => isNothing(attributes[side] ?? (name === 'ellipse' ? '1' : '0'))))
    return false;
  const isFilled = name !== 'line' && own.fill !== 'none' && !isNothing(own['fill-opacity']);
  const isStroked =
    own.stroke !== 'none' &&
    !isNothing(own['stroke-opacity']) &&
    !isNothing(own['stroke-width']) &&
    !startsInGap(own);
  return isFilled || isStroked;
}

/** One dash as long as the shape, moved by its own length: the way in which lines are made to draw themselves. */
function startsInGap(own: Inherited): boolean {
  const [dash = 0, gap = dash] = readNumbers(own['stroke-dasharray'], true) ?? [];
  const [offset = 0] = readNumbers(own['stroke-dashoffset'], true) ?? [];
  return dash > 0 && gap >= dash && Math.abs(offset) % (dash + gap) === dash;
}
