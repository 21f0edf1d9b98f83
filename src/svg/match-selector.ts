import type { XastElement } from 'svgo';

/** One compound: what must hold of a single element. `type` undefined is any. */
export interface Compound {
  type: string | undefined;
  classes: string[];
  ids: string[];
  root: boolean;
  /** How this compound hangs on the one to its left. */
  combinator: ' ' | '>' | undefined;
}

/** A selector from left to right, and its weight in the cascade. */
export interface Selector {
  compounds: Compound[];
  specificity: number;
}

export interface StyledElement {
  node: XastElement;
  classes: ReadonlySet<string>;
  parent: StyledElement | undefined;
}

/** Throws when the whole file asks for more steps than any icon needs. */
export type Step = () => void;

export function matchesSelector(
  element: StyledElement,
  { compounds }: Selector,
  step: Step,
): boolean {
  return matchesFrom(element, { compounds, at: compounds.length - 1, step });
}

function matchesFrom(
  element: StyledElement,
  { compounds, at, step }: { compounds: readonly Compound[]; at: number; step: Step },
): boolean {
  step();
  const compound = compounds[at];
  if (compound === undefined || !matchesCompound(element, compound)) return false;
  if (at === 0) return true;
  for (let ancestor = element.parent; ancestor !== undefined; ancestor = ancestor.parent) {
    if (matchesFrom(ancestor, { compounds, at: at - 1, step })) return true;
    if (compound.combinator === '>') return false;
  }
  return false;
}

function matchesCompound({ node, classes, parent }: StyledElement, compound: Compound): boolean {
  if (compound.type !== undefined && compound.type !== node.name) return false;
  if (compound.root && parent !== undefined) return false;
  return (
    compound.classes.every((name) => classes.has(name)) &&
    compound.ids.every((id) => node.attributes['id'] === id)
  );
}
