import type { XastElement } from 'svgo';
import { COLOR_ATTRIBUTES } from './allow-list.ts';
import { parseColor, readReference, round } from './grammar.ts';
import { LIMITS, type Removals } from './refusals.ts';
import { addCopy, childrenOf, targetOf, walkElements } from './walk.ts';

interface Inherited {
  color: string;
  /** The paint in its own notation, so that `currentColor` is resolved at the place of use. */
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
 * becomes the value of the file's own `color`, alpha moves to the opacity beside it, and `color` itself is removed.
 */
export function resolveColors(svg: XastElement, removals: Removals): void {
  copyForUses(svg, removals);
  visit(svg, INITIAL);
}

/** `currentColor` in what a `use` shows is the `color` of the `use`, so each such colour gets its own copy. */
function copyForUses(svg: XastElement, removals: Removals): void {
  const targets = new Map<string, { node: XastElement; color: string }>();
  const uses: { use: XastElement; color: string }[] = [];
  let isAsked = false;
  const collect = (node: XastElement, outer: string): void => {
    const { attributes } = node;
    const color = ownColor(attributes) ?? outer;
    if (attributes['id'] !== undefined) targets.set(attributes['id'], { node, color: outer });
    if (node.name === 'use') uses.push({ use: node, color });
    isAsked ||= color !== INITIAL.color;
    for (const child of childrenOf(node)) collect(child, color);
  };
  collect(svg, INITIAL.color);
  if (!isAsked) return;
  const known = new Map<XastElement, boolean>();
  /** Whether the element, or what it uses, is painted in the colour that it inherits. */
  const follows = (node: XastElement): boolean => {
    const result =
      known.get(node) ??
      (ownColor(node.attributes) === undefined &&
        (COLOR_ATTRIBUTES.some(
          (name) => node.attributes[name]?.endsWith('currentColor') === true,
        ) ||
          childrenOf(node).some((child) => follows(child)) ||
          (node.name === 'use' && isFollowed(targetOf(node, targets)?.node))));
    known.set(node, result);
    return result;
  };
  const isFollowed = (node: XastElement | undefined): boolean =>
    node !== undefined && follows(node);
  const copies = new Map<string, string>();
  let copied = 0;
  for (const { use, color } of uses) {
    const target = targetOf(use, targets);
    if (target === undefined || target.color === color || !follows(target.node)) continue;
    const key = `${target.node.attributes['id']} ${color}`;
    let name = copies.get(key);
    if (name === undefined) {
      walkElements(target.node, () => (copied += 1));
      if (copies.size === LIMITS.copies || copied > LIMITS.copiedElements) {
        removals.note('invalid-value');
        return;
      }
      name = `c${copies.size}`;
      copies.set(key, name);
      collect(addCopy(svg, target.node, name, { color }), color);
    }
    use.attributes['href'] = `#${name}`;
  }
}

function ownColor({ color }: Record<string, string>): string | undefined {
  return color === 'inherit' || color === 'currentColor' ? undefined : color;
}

function visit(node: XastElement, inherited: Inherited): void {
  const { attributes } = node;
  const own: Inherited = { ...inherited };
  own.color = ownColor(attributes) ?? own.color;
  delete attributes['color'];
  // `fill` of an animation states what happens at its end.
  if (!('attributeName' in attributes) && node.name !== 'animateMotion') {
    for (const name of ['fill', 'stroke'] as const)
      resolvePaint(attributes, { name, own, inherited });
    for (const name of COLOR_ATTRIBUTES.slice(2)) resolveOwnColor(attributes, name, own.color);
  }
  for (const child of childrenOf(node)) visit(child, own);
}

function resolvePaint(
  attributes: Record<string, string>,
  { name, own, inherited }: { name: 'fill' | 'stroke'; own: Inherited; inherited: Inherited },
): void {
  const [opacity, alpha] = [`${name}Opacity`, `${name}Alpha`] as const;
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
      parsed === undefined
        ? resolveFallback(resolved, own.color)
        : parsed.alpha === 0
          ? 'none'
          : `#${parsed.hex}`;
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

/** A paint server with the colour that is drawn if the server cannot be. */
function resolveFallback(paint: string, current: string): string {
  const found = readReference(paint);
  if (found === undefined || found.rest === '') return paint;
  const fallback = found.rest === 'currentColor' ? current : found.rest;
  const parsed = parseColor(fallback);
  return `url(#${found.id}) ${parsed?.alpha === 1 ? `#${parsed.hex}` : fallback}`;
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
