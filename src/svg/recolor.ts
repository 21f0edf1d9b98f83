import type { XastElement } from 'svgo';
import type { PaintScheme } from '../types.ts';
import { COLOR_ATTRIBUTES, SHAPES } from './allow-list.ts';
import { parseColor, replaceColor } from './grammar.ts';
import { LIMITS } from './refusals.ts';
import { SENTINEL } from './render-svg.ts';
import { addCopy, childrenOf, elementsById, hasElement, targetOf, walkElements } from './walk.ts';

const BLACK = '#000000';
const SLOT = `#${SENTINEL}`;
const ANIMATED_VALUES = ['values', 'from', 'to', 'by'];

export interface RecolorOptions {
  askedColor: string;
  /** The colour of this download stays as it is. */
  fixedColor: boolean;
  /** Text that is not part of the drawing. */
  credits: ReadonlySet<XastElement>;
}

/**
 * Finds where the service painted the asked colour and writes the sentinel there, so that every colour can be derived
 * from one file. The rule, in order:
 *
 * | found in the file                     | scheme       | what takes the colour        |
 * |---------------------------------------|--------------|------------------------------|
 * | (a download of one colour)            | `fixed`      | nothing                      |
 * | the sentinel                          | `sentinel`   | the sentinel and bare shapes |
 * | no sentinel, one tone or none         | `mono`       | that tone and bare shapes    |
 * | no sentinel, two tones or more        | `multi-tone` | nothing                      |
 *
 * A bare shape inherits the initial black. Masks read luminance: in them the sentinel is black and all else stays.
 */
export function recolor(
  svg: XastElement,
  { askedColor, fixedColor, credits }: RecolorOptions,
): { paint: PaintScheme; tone?: string | undefined } {
  const tones = collectTones(svg, credits);
  const isPaintedAsAsked = askedColor === SENTINEL && tones.has(SLOT);
  const plain: PaintScheme = tones.size <= 1 ? 'mono' : 'multi-tone';
  const scheme = fixedColor ? 'fixed' : isPaintedAsAsked ? 'sentinel' : plain;
  const tone =
    scheme === 'sentinel' ? SLOT : scheme === 'mono' ? ([...tones][0] ?? BLACK) : undefined;
  // Masks read luminance: shapes in them that would take the icon's colour become black, whether the colour is written
  // inside, inherited from outside or part of what a `use` shows.
  copyBorrowed(svg);
  isolate(svg, { fill: undefined, stroke: undefined, inMask: false });
  if (tone !== undefined) applySlot(svg, tone);
  // Without a fill the initial black would be invisible on black under forced colours.
  svg.attributes['fill'] ??= tone === undefined ? BLACK : SLOT;
  // The sentinel is painted on request: without a request a catalog sends black.
  return { paint: scheme, tone: scheme === 'sentinel' ? BLACK : tone };
}

/** Every visible colour: not in masks and clips, not in the credit, not fully transparent. */
function collectTones(svg: XastElement, credits: ReadonlySet<XastElement>): Set<string> {
  const tones = new Set<string>();
  const bare = createBareTest(svg);
  const visit = (node: XastElement, painted: boolean): void => {
    if (node.name === 'mask' || node.name === 'clipPath' || credits.has(node)) return;
    const fill = node.attributes['fill'];
    if (isAnimation(node)) addAnimated(tones, node);
    else for (const name of COLOR_ATTRIBUTES) addTone(tones, node, name);
    if (node.name === 'stop' && node.attributes['stop-color'] === undefined) tones.add(BLACK);
    if (
      (node.name === 'feFlood' || node.name === 'feDropShadow') &&
      node.attributes['flood-color'] === undefined
    )
      tones.add(BLACK);
    const isPainted = painted || (fill !== undefined && !isAnimation(node));
    if (!isPainted && bare(node)) tones.add(BLACK);
    // What a definition inherits depends on the place that uses it.
    for (const child of childrenOf(node))
      visit(child, isPainted || node.name === 'defs' || node.name === 'symbol');
  };
  visit(svg, false);
  return tones;
}

function addAnimated(tones: Set<string>, { attributes }: XastElement): void {
  if (!COLOR_ATTRIBUTES.includes(attributes['attributeName'] ?? '')) return;
  for (const key of ANIMATED_VALUES)
    for (const value of (attributes[key] ?? '').split(';')) {
      const parsed = parseColor(value);
      if (parsed !== undefined) tones.add(`#${parsed.hex}`);
    }
}

function addTone(tones: Set<string>, node: XastElement, name: string): void {
  const value = node.attributes[name];
  if (
    value === undefined ||
    value === 'none' ||
    value.startsWith('url(') ||
    value.startsWith('context-')
  )
    return;
  const opacity =
    node.attributes[
      name.endsWith('-color') ? name.replace('-color', '-opacity') : `${name}-opacity`
    ];
  if (opacity === undefined || Number.parseFloat(opacity) !== 0) tones.add(value);
}

/** Whether an element, drawn without a fill from outside, shows the initial black. */
function createBareTest(svg: XastElement): (node: XastElement) => boolean {
  const targets = elementsById(svg);
  const known = new Map<XastElement, boolean>();
  const showsBlack = (node: XastElement): boolean => {
    const cached = known.get(node);
    if (cached !== undefined) return cached;
    known.set(node, false);
    const result =
      node.attributes['fill'] === undefined &&
      (isBareShape(node) || childrenOf(node).some((child) => showsBlack(child)) || usesBlack(node));
    known.set(node, result);
    return result;
  };
  const usesBlack = (node: XastElement): boolean => {
    const target = node.name === 'use' ? targetOf(node, targets) : undefined;
    return target !== undefined && showsBlack(target);
  };
  return (node) => node.attributes['fill'] === undefined && (isBareShape(node) || usesBlack(node));
}

function isBareShape(node: XastElement): boolean {
  return SHAPES.has(node.name) && node.name !== 'line';
}

function isAnimation(node: XastElement): boolean {
  return node.attributes['attributeName'] !== undefined;
}

function applySlot(node: XastElement, tone: string): void {
  if (node.name === 'mask') return;
  if (isAnimation(node)) {
    if (COLOR_ATTRIBUTES.includes(node.attributes['attributeName'] ?? ''))
      for (const key of ANIMATED_VALUES) {
        const value = node.attributes[key];
        if (value !== undefined)
          node.attributes[key] = value
            .split(';')
            .map((item) => (toTone(item) === tone ? SLOT : item))
            .join(';');
      }
  } else
    for (const name of COLOR_ATTRIBUTES) {
      const value = node.attributes[name];
      if (value !== undefined)
        node.attributes[name] = replaceColor(value, { from: tone, to: SLOT });
    }
  for (const child of childrenOf(node)) applySlot(child, tone);
}

function toTone(value: string): string {
  const parsed = parseColor(value);
  return parsed === undefined ? value : `#${parsed.hex}`;
}

interface MaskState {
  fill: string | undefined;
  stroke: string | undefined;
  inMask: boolean;
}

/** Gives each mask its own copy of a shape in the icon's colour that it uses from outside. */
function copyBorrowed(svg: XastElement): void {
  const targets = new Map<string, XastElement>();
  const uses: { use: XastElement; mask: XastElement }[] = [];
  const visit = (node: XastElement, mask: XastElement | undefined): void => {
    const inside = node.name === 'mask' ? node : mask;
    const id = node.attributes['id'];
    if (id !== undefined && inside === undefined) targets.set(id, node);
    if (node.name === 'use' && inside !== undefined) uses.push({ use: node, mask: inside });
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(svg, undefined);
  // A copy serves every mask: what it inherits, it has from the `use`.
  const copies = new Map<XastElement, string>();
  let copied = 0;
  for (const { use, mask } of uses) {
    const target = targetOf(use, targets);
    if (target === undefined) continue;
    const known = copies.get(target);
    if (known !== undefined) {
      use.attributes['href'] = `#${known}`;
      continue;
    }
    if (copies.size === LIMITS.copies || !holdsSlot(target)) continue;
    walkElements(target, () => (copied += 1));
    if (copied > LIMITS.copiedElements) return;
    const name = `m${copies.size}`;
    copies.set(target, name);
    use.attributes['href'] = `#${name}`;
    addCopy(mask, target, name);
  }
}

function holdsSlot(element: XastElement): boolean {
  return hasElement(element, ({ attributes }) =>
    COLOR_ATTRIBUTES.some((name) => attributes[name] === SLOT),
  );
}

/** Gives masks their own paint if they would inherit one that is about to change. */
function isolate(node: XastElement, state: MaskState): void {
  const inMask = state.inMask || node.name === 'mask';
  const { attributes } = node;
  const fill = attributes['fill'] ?? state.fill;
  const stroke = attributes['stroke'] ?? state.stroke;
  if (inMask) {
    if (!state.inMask) {
      attributes['fill'] = fill ?? BLACK;
      if (stroke !== undefined && stroke !== 'none') attributes['stroke'] = stroke;
    }
    for (const name of COLOR_ATTRIBUTES) {
      const value = attributes[name];
      if (value !== undefined) attributes[name] = replaceColor(value, { from: SLOT, to: BLACK });
    }
  }
  for (const child of childrenOf(node)) isolate(child, { fill, stroke, inMask });
}
