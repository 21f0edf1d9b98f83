import { type CssNode, generate, ident, parse } from 'css-tree';
import type { XastElement } from 'svgo';
import { invalidSvg, LIMITS, type Removals, tooLargeSvg } from './refusals.ts';
import { valueKind } from './sanitize-attributes.ts';

export interface Declaration {
  property: string;
  value: string;
  important: boolean;
}

export interface StyleRule {
  selectors: Selector[];
  declarations: Declaration[];
}

interface SheetContext {
  id: number;
  removals: Removals;
}

/**
 * The rules of a style element that always apply: no at-rules except `@media all|screen`, no states, no attribute
 * selectors.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE
 */
export function parseStylesheet(text: string, context: SheetContext): StyleRule[] {
  const sheet = readSheet(text, context);
  const rules: StyleRule[] = [];
  collectRules(sheet, rules, context);
  return rules;
}

/** Counts what a sheet would load or run, also for media that are never shown. */
export function readSheet(text: string, { id, removals }: SheetContext): CssNode {
  if (text.length > LIMITS.styleLength)
    throw tooLargeSvg(id, 'its style elements have more than 256 kB');
  const sheet = parseCss(text, 'stylesheet', id);
  noteActive(sheet, { removals, seen: new Set() });
  return sheet;
}

/** Counts each declaration that loads or runs something once, whatever its rule applies to. */
function noteActive(node: CssNode, context: { removals: Removals; seen: Set<string> }): void {
  for (const declaration of readDeclarations(node)) {
    const { property, value } = declaration;
    const kind = valueKind(value);
    if (kind === 'invalid-value' || context.seen.has(`${property}:${value}`)) continue;
    context.seen.add(`${property}:${value}`);
    context.removals.note(kind);
  }
  for (const child of node.children?.toArray() ?? []) {
    if (child.type === 'Atrule' && isFetching(child)) context.removals.note('external-reference');
    else if (child.block) noteActive(child.block, context);
  }
}

function isFetching({ name = '' }: CssNode): boolean {
  return /^(?:import|font-face|namespace|.*\\.*)$/i.test(name);
}

export function parseDeclarations(text: string, id: number): Declaration[] {
  return readDeclarations(parseCss(text, 'declarationList', id));
}

function parseCss(text: string, context: string, id: number): CssNode {
  // css-tree recurses, so brackets are counted before it reads them.
  if (bracketDepth(text) > 32) throw invalidSvg(id, 'its style is nested too deeply');
  let errors = 0;
  try {
    return parse(text, {
      context,
      parseValue: false,
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      // Each error quotes the whole sheet: 100,000 of them took css-tree 20 s.
      onParseError: (error) => {
        errors += 1;
        if (errors > LIMITS.styleErrors) throw error;
      },
    });
  } catch {
    throw invalidSvg(id, 'its style cannot be read');
  }
}

function bracketDepth(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    most = Math.max(most, depth);
  }
  return most;
}

function collectRules(sheet: CssNode, rules: StyleRule[], context: SheetContext): void {
  for (const node of sheet.children?.toArray() ?? []) {
    if (node.type === 'Rule') collectRule(node, rules, context);
    else if (node.type === 'Atrule') collectAtrule(node, rules, context);
    if (rules.length > LIMITS.styleRules)
      throw tooLargeSvg(context.id, `it has more than ${LIMITS.styleRules} style rules`);
  }
}

function collectAtrule(node: CssNode, rules: StyleRule[], context: SheetContext): void {
  const name = (node.name ?? '').toLowerCase();
  const prelude = node.prelude ? generate(node.prelude).trim().toLowerCase() : '';
  if (name === 'media' && (prelude === 'all' || prelude === 'screen') && node.block)
    collectRules(node.block, rules, context);
  else if (name !== 'charset' && !isFetching(node)) context.removals.note('conditional-style');
}

function collectRule(node: CssNode, rules: StyleRule[], { removals }: SheetContext): void {
  const selectors: Selector[] = [];
  for (const selector of node.prelude?.children?.toArray() ?? []) {
    const compiled = compileSelector(selector);
    if (compiled === undefined) removals.note('conditional-style');
    else selectors.push(compiled);
  }
  if (node.prelude?.type !== 'SelectorList') removals.note('conditional-style');
  const declarations = node.block ? readDeclarations(node.block) : [];
  if (selectors.length > 0 && declarations.length > 0) rules.push({ selectors, declarations });
}

function readDeclarations(block: CssNode): Declaration[] {
  const declarations: Declaration[] = [];
  for (const node of block.children?.toArray() ?? []) {
    if (node.type !== 'Declaration' || node.value === undefined) continue;
    const raw = typeof node.value === 'string' ? node.value : generate(node.value);
    declarations.push({
      property: (node.property ?? '').toLowerCase(),
      value: raw.replaceAll(/\/\*[^*]*\*\//g, ' ').trim(),
      important: node.important !== undefined && node.important !== false,
    });
  }
  return declarations;
}

/** Undefined for selectors that cannot be decided once and for all, or are not worth it. */
function compileSelector(selector: CssNode): Selector | undefined {
  const compounds: Compound[] = [];
  let specificity = 0;
  let current = emptyCompound(undefined);
  for (const node of selector.children?.toArray() ?? []) {
    const name = ident.decode(node.name ?? '');
    if (node.type === 'Combinator') {
      if (node.name !== ' ' && node.name !== '>') return undefined;
      compounds.push(current);
      current = emptyCompound(node.name);
    } else if (node.type === 'TypeSelector') {
      const local = name.slice(name.indexOf('|') + 1);
      if (local !== '*') {
        current.type = local;
        specificity += 1;
      }
    } else if (node.type === 'ClassSelector') {
      current.classes.push(name);
      specificity += 1_000;
    } else if (node.type === 'IdSelector') {
      current.ids.push(name);
      specificity += 1_000_000;
    } else if (node.type === 'PseudoClassSelector' && name === 'root') {
      current.root = true;
      specificity += 1_000;
    } else return undefined;
  }
  compounds.push(current);
  return compounds.length > 8 ? undefined : { compounds, specificity };
}

function emptyCompound(combinator: Compound['combinator']): Compound {
  return { type: undefined, classes: [], ids: [], root: false, combinator };
}

/** One compound: the conditions on a single element. If `type` is undefined, any type matches. */
interface Compound {
  type: string | undefined;
  classes: string[];
  ids: string[];
  root: boolean;
  /** The combinator between this compound and the one to its left. */
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

/** Throws if the whole file needs more steps than any icon does. */
export type Step = () => void;

/** @param at the compound that the element itself has to match */
export function matchesSelector(
  element: StyledElement,
  { compounds }: Pick<Selector, 'compounds'>,
  step: Step,
  at: number = compounds.length - 1,
): boolean {
  step();
  const compound = compounds[at];
  if (compound === undefined || !matchesCompound(element, compound)) return false;
  if (at === 0) return true;
  for (let ancestor = element.parent; ancestor !== undefined; ancestor = ancestor.parent) {
    if (matchesSelector(ancestor, { compounds }, step, at - 1)) return true;
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
