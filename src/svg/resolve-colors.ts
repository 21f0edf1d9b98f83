import type { XastElement } from 'svgo';
import { COLOR_ATTRIBUTES } from './allowed.ts';
import { parseColor } from './parse-color.ts';

/** What an element has from its ancestors. */
interface Inherited {
  color: string;
  /** Own notation of the paint, so that `currentColor` is resolved where it is used. */
  fill: string | undefined;
  stroke: string | undefined;
  fillAlpha: number;
  strokeAlpha: number;
  fillOpacity: number;
  strokeOpacity: number;
}

const INITIAL: Inherited = {
  color: '#000000',
  fill: undefined,
  stroke: undefined,
  fillAlpha: 1,
  strokeAlpha: 1,
  fillOpacity: 1,
  strokeOpacity: 1,
};

/**
 * Leaves each colour in one of three forms: `#rrggbb`, a keyword (`none`, `context-*`) or a reference. `currentColor`
 * becomes what the file's own `color` says, alpha moves to the opacity beside it; `color` itself goes.
 */
export function resolveColors(svg: XastElement): void {
  visit(svg, INITIAL);
}

function visit(node: XastElement, inherited: Inherited): void {
  const { attributes } = node;
  const own: Inherited = { ...inherited };
  const color = attributes['color'];
  if (color !== undefined && color !== 'inherit' && color !== 'currentColor') own.color = color;
  delete attributes['color'];
  // `fill` of an animation is what happens at its end.
  if (!('attributeName' in attributes) && node.name !== 'animateMotion') {
    resolvePaint(attributes, {
      name: 'fill',
      opacity: 'fillOpacity',
      alpha: 'fillAlpha',
      own,
      inherited,
    });
    resolvePaint(attributes, {
      name: 'stroke',
      opacity: 'strokeOpacity',
      alpha: 'strokeAlpha',
      own,
      inherited,
    });
    for (const name of COLOR_ATTRIBUTES.slice(2)) resolveOwnColor(attributes, name, own.color);
  }
  for (const child of node.children) if (child.type === 'element') visit(child, own);
}

interface PaintSlot {
  name: 'fill' | 'stroke';
  opacity: 'fillOpacity' | 'strokeOpacity';
  alpha: 'fillAlpha' | 'strokeAlpha';
  own: Inherited;
  inherited: Inherited;
}

function resolvePaint(
  attributes: Record<string, string>,
  { name, opacity, alpha, own, inherited }: PaintSlot,
): void {
  if (attributes[name] === 'inherit') delete attributes[name];
  // An inherited `currentColor` follows the `color` of the element that uses it (CSS Color 4, 9.4).
  if (
    attributes[name] === undefined &&
    inherited[name] === 'currentColor' &&
    own.color !== inherited.color
  )
    attributes[name] = 'currentColor';
  const written = attributes[name];
  if (written !== undefined) {
    own[name] = written;
    const resolved = written === 'currentColor' ? own.color : written;
    const parsed = parseColor(resolved);
    own[alpha] = parsed?.alpha ?? 1;
    attributes[name] =
      parsed === undefined ? resolved : parsed.alpha === 0 ? 'none' : `#${parsed.hex}`;
    if (parsed?.alpha === 0) own[alpha] = 1;
  }
  const attribute = `${name}-opacity`;
  const opacityWritten = attributes[attribute];
  if (opacityWritten === 'inherit') delete attributes[attribute];
  else if (opacityWritten !== undefined) own[opacity] = toFraction(opacityWritten);
  // The alpha of a paint must not reach descendants that have a paint of their own.
  if (own[alpha] !== 1 || inherited[alpha] !== 1)
    attributes[attribute] = String(round(own[opacity] * own[alpha]));
}

function resolveOwnColor(attributes: Record<string, string>, name: string, current: string): void {
  const written = attributes[name];
  if (written === undefined) return;
  if (written === 'inherit') {
    delete attributes[name];
    return;
  }
  const resolved = written === 'currentColor' ? current : written;
  const parsed = parseColor(resolved);
  attributes[name] = parsed === undefined ? resolved : `#${parsed.hex}`;
  if (parsed === undefined || parsed.alpha === 1 || name === 'lighting-color') return;
  const opacity = name.replace('-color', '-opacity');
  attributes[opacity] = String(round(toFraction(attributes[opacity] ?? '1') * parsed.alpha));
}

function toFraction(opacity: string): number {
  const number = Number.parseFloat(opacity) / (opacity.endsWith('%') ? 100 : 1);
  return Math.min(Math.max(number, 0), 1);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
