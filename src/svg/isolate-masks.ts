import type { XastElement } from 'svgo';
import { COLOR_ATTRIBUTES } from './allowed.ts';
import { replaceColor } from './parse-color.ts';
import { walkElements } from './walk.ts';

const BLACK = '#000000';

// What masks borrow from the drawing; no icon has more. Beyond it the rest of the pipeline would work on a larger file
// than the one that was weighed.
const MOST_COPIES = 64;
const MOST_COPIED_ELEMENTS = 1_000;

interface MaskState {
  fill: string | undefined;
  stroke: string | undefined;
  inMask: boolean;
}

/**
 * Masks read luminance: what the icon's colour would change in them is made black once and for all, whether it is
 * written inside, inherited from outside or borrowed by `use`.
 */
export function isolateMasks(svg: XastElement, slot: string): void {
  copyBorrowed(svg, slot);
  isolate(svg, { fill: undefined, stroke: undefined, inMask: false }, slot);
}

/** Gives each mask its own copy of a shape in the icon's colour that it uses from outside. */
function copyBorrowed(svg: XastElement, slot: string): void {
  const targets = new Map<string, XastElement>();
  const uses: { use: XastElement; mask: XastElement }[] = [];
  const visit = (node: XastElement, mask: XastElement | undefined): void => {
    const inside = node.name === 'mask' ? node : mask;
    const id = node.attributes['id'];
    if (id !== undefined && inside === undefined) targets.set(id, node);
    if (node.name === 'use' && inside !== undefined) uses.push({ use: node, mask: inside });
    for (const child of node.children) if (child.type === 'element') visit(child, inside);
  };
  visit(svg, undefined);
  // A copy serves every mask: what it inherits, it has from the `use`.
  const copies = new Map<XastElement, string>();
  let copied = 0;
  for (const { use, mask } of uses) {
    const target = targets.get(use.attributes['href']?.slice(1) ?? '');
    if (target === undefined) continue;
    const known = copies.get(target);
    if (known !== undefined) {
      use.attributes['href'] = `#${known}`;
      continue;
    }
    if (copies.size === MOST_COPIES || !holds(target, slot)) continue;
    copied += countElements(target);
    if (copied > MOST_COPIED_ELEMENTS) return;
    const copy = structuredClone(target);
    walkElements(copy, (node) => delete node.attributes['id']);
    // Ids of files are `a0`, `a1`, … by now.
    const name = `m${copies.size}`;
    copies.set(target, name);
    copy.attributes['id'] = name;
    use.attributes['href'] = `#${name}`;
    mask.children.push({ type: 'element', name: 'defs', attributes: {}, children: [copy] });
  }
}

function countElements(element: XastElement): number {
  let count = 0;
  walkElements(element, () => (count += 1));
  return count;
}

function holds(element: XastElement, slot: string): boolean {
  let found = false;
  walkElements(element, ({ attributes }) => {
    if (COLOR_ATTRIBUTES.some((name) => attributes[name] === slot)) found = true;
  });
  return found;
}

/** Gives masks their own paint where they would inherit one that is about to change. */
function isolate(node: XastElement, state: MaskState, slot: string): void {
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
      if (value !== undefined) attributes[name] = replaceColor(value, { from: slot, to: BLACK });
    }
  }
  for (const child of node.children)
    if (child.type === 'element') isolate(child, { fill, stroke, inMask }, slot);
}
