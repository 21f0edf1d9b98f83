import type { XastElement } from 'svgo';
import { ATTRIBUTES, CSS_GEOMETRY, PRESENTATION } from './allow-list.ts';
import { createRemovals, LIMITS, type Removals, tooLargeSvg } from './refusals.ts';
import {
  type Declaration,
  matchesSelector,
  parseDeclarations,
  parseStylesheet,
  readSheet,
  type Selector,
  type Step,
  type StyledElement,
} from './parse-stylesheet.ts';
import { applyGrammar, valueKind } from './sanitize-attributes.ts';
import type { StyleSource } from './sanitize.ts';
import { childrenOf } from './walk.ts';

interface Candidate {
  selector: Selector;
  declarations: Declaration[];
}

interface Applied extends Declaration {
  specificity: number;
}

/**
 * Turns style elements and style attributes into presentation attributes, each checked by its grammar, in the order of
 * the cascade. Afterwards no style is left that could affect the page.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE
 */
export function inlineStyles(
  svg: XastElement,
  { sources, id, removals }: { sources: StyleSource; id: number; removals: Removals },
): void {
  const rules = parseStylesheet(sources.sheets.join('\n'), { id, removals });
  readSheet(sources.idle.join('\n'), { id, removals });
  const index = indexRules(
    rules.flatMap(({ selectors, declarations }) =>
      selectors.map((selector) => ({ selector, declarations })),
    ),
  );
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps > LIMITS.styleSteps) throw tooLargeSvg(id, 'its style rules take too long to apply');
  };
  const removalsOf = countOnce(removals);
  // Drawing programs write the same style on thousands of elements.
  const known = new Map<string, Declaration[]>();
  const readStyle = (text: string): Declaration[] => {
    const declarations = known.get(text) ?? parseDeclarations(text, id);
    known.set(text, declarations);
    return declarations;
  };
  const visit = (node: XastElement, parent: StyledElement | undefined): void => {
    const own = sources.own.get(node);
    const element = { node, parent, classes: new Set(own?.class.split(/\s+/)) };
    const applied = matchRules(element, index, step);
    if (own !== undefined && own.style !== '')
      for (const declaration of readStyle(own.style))
        applied.push({ ...declaration, specificity: Infinity });
    if (applied.length > 0) applyDeclarations(element, applied, removalsOf);
    for (const child of childrenOf(node)) visit(child, element);
  };
  visit(svg, undefined);
}

type RuleIndex = Map<string, { order: number; candidate: Candidate }[]>;

/** Rules by what their last compound requires, so that most rules are never compared with most elements. */
function indexRules(candidates: readonly Candidate[]): RuleIndex {
  const index: RuleIndex = new Map();
  for (const [order, candidate] of candidates.entries()) {
    const last = candidate.selector.compounds.at(-1);
    const key =
      last?.ids[0] !== undefined
        ? `#${last.ids[0]}`
        : last?.classes[0] !== undefined
          ? `.${last.classes[0]}`
          : (last?.type ?? '*');
    const bucket = index.get(key);
    if (bucket === undefined) index.set(key, [{ order, candidate }]);
    else bucket.push({ order, candidate });
  }
  return index;
}

function matchRules(element: StyledElement, index: RuleIndex, step: Step): Applied[] {
  if (index.size === 0) return [];
  const keys = [
    '*',
    element.node.name,
    ...[...element.classes].map((name) => `.${name}`),
    `#${element.node.attributes['id'] ?? ''}`,
  ];
  const found = keys
    .flatMap((key) => index.get(key) ?? [])
    .filter(({ candidate }) => matchesSelector(element, candidate.selector, step));
  found.sort(
    (a, b) =>
      a.candidate.selector.specificity - b.candidate.selector.specificity || a.order - b.order,
  );
  return found.flatMap(({ candidate }) =>
    candidate.declarations.map((declaration) => {
      step();
      return { ...declaration, specificity: candidate.selector.specificity };
    }),
  );
}

function applyDeclarations(
  element: StyledElement,
  applied: readonly Applied[],
  removalsOf: (declaration: Applied) => Removals,
): void {
  // A later valid declaration overwrites an earlier one; an invalid one has no effect (CSS Syntax 3, 2.2).
  for (const important of [false, true])
    for (const declaration of applied)
      if (declaration.important === important)
        applyDeclaration(element, declaration, removalsOf(declaration));
}

/** Counts what a declaration tried to do once, not for every element that it applies to. */
function countOnce(removals: Removals): (declaration: Applied) => Removals {
  const seen = new Set<string>();
  const repeated = createRemovals();
  return ({ property, value, specificity }) => {
    const key = `${property}:${value}`;
    if (specificity === Infinity) return removals;
    // Declarations that load or run something were counted when the sheet was read.
    if (seen.has(key) || valueKind(value) !== 'invalid-value') return repeated;
    seen.add(key);
    return removals;
  };
}

const MARKERS = ['marker-start', 'marker-mid', 'marker-end'];
// Without these the drawing looks different, and no attribute can replace them.
const WITHOUT_ATTRIBUTE =
  /^(?:mix-blend-mode|d|clip|background-blend-mode|rotate|scale|translate|offset-path|animation|animation-name|transform-box)$/;

function applyDeclaration(
  { node, parent }: StyledElement,
  { property, value }: Declaration,
  removals: Removals,
): void {
  if (property === 'font') {
    applyFont(node, value, removals);
    return;
  }
  const names = property === 'marker' ? MARKERS : [property];
  for (const name of names) {
    const geometry = CSS_GEOMETRY.has(name) && parent !== undefined;
    const grammar = geometry ? ATTRIBUTES.get(name) : PRESENTATION.get(name);
    if (grammar === undefined) {
      if (/(?:url|src|image|image-set)\s*\(|\\/i.test(value)) removals.note('external-reference');
      else if (WITHOUT_ATTRIBUTE.test(name) && !/^(?:normal|none|auto|view-box)$/i.test(value))
        removals.note('unsupported-style');
      continue;
    }
    const plain = name === 'transform' ? transformFromCss(value) : value;
    const result = applyGrammar(
      grammar,
      name.startsWith('font-f') ? plain : keywordCase(plain),
      removals,
    );
    if (result !== undefined) node.attributes[name] = result;
    else if (name === 'transform' && plain === 'none') delete node.attributes['transform'];
  }
}

const FONT =
  /^((?:[a-z-]+ +|\d{1,4} +){0,8})((?:\d|\.\d)[\w.%]{0,20}|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?: *\/ *[\w.%-]+)? +([^/]+)$/i;
const FONT_WORDS = ['font-style', 'font-variant', 'font-weight', 'font-stretch'];

/** The properties that the shorthand sets; those that it does not name become `normal` (CSS Fonts 4, 2.7). */
function applyFont(node: XastElement, value: string, removals: Removals): void {
  const [, words = '', size = '', family = ''] = FONT.exec(value.trim()) ?? [];
  const found = new Map<string, string>(FONT_WORDS.map((name) => [name, 'normal']));
  let isKnown = size !== '';
  for (const word of words.toLowerCase().split(' ')) {
    if (word === '' || word === 'normal') continue;
    const name = FONT_WORDS.find((property) => PRESENTATION.get(property)?.(word) !== undefined);
    if (name === undefined) isKnown = false;
    else found.set(name, word);
  }
  found.set('font-size', size.toLowerCase());
  found.set('font-family', family);
  if (value.toLowerCase() === 'inherit') {
    for (const name of found.keys()) node.attributes[name] = 'inherit';
    return;
  }
  if (!isKnown) {
    removals.note('unsupported-style');
    return;
  }
  for (const [name, written] of found) {
    const grammar = PRESENTATION.get(name);
    const result = grammar && applyGrammar(grammar, written, removals);
    if (result !== undefined) node.attributes[name] = result;
  }
}

/** CSS keywords are case-insensitive, attributes are not; ids in `url()` keep their case. */
function keywordCase(value: string): string {
  return /^[A-Za-z-]{1,40}$/.test(value) &&
    !/^(?:sRGB|linearRGB|currentColor|optimize|crisp|geometric)/i.test(value)
    ? value.toLowerCase()
    : value;
}

const CALL = /(matrix|translate|scale|rotate|skew)(x|y)?\(([^()]*)\)/gi;

/** A CSS transform in the notation of the attribute (SVG 1.1): no units, no axis variants but skewX and skewY. */
function transformFromCss(value: string): string {
  return value.replaceAll(CALL, (_call, name: string, axis: string | undefined, body: string) => {
    const list = body.split(',').map((argument) => toUserUnits(argument.trim()));
    const lower = name.toLowerCase();
    if (lower === 'skew')
      return axis === undefined
        ? `skewX(${list[0] ?? ''})`
        : `skew${axis.toUpperCase()}(${list.join(' ')})`;
    if (axis === undefined) return `${lower}(${list.join(' ')})`;
    const rest = lower === 'scale' ? '1' : '0';
    return axis.toLowerCase() === 'x'
      ? `${lower}(${list[0] ?? ''} ${rest})`
      : `${lower}(${rest} ${list[0] ?? ''})`;
  });
}

const DEGREES = new Map([
  ['deg', 1],
  ['rad', 180 / Math.PI],
  ['turn', 360],
  ['grad', 0.9],
  ['px', 1],
]);

function toUserUnits(argument: string): string {
  const match = /^([-+\d.e]+)(deg|rad|turn|grad|px)$/i.exec(argument);
  const factor = DEGREES.get(match?.[2]?.toLowerCase() ?? '');
  return match === null || factor === undefined ? argument : String(Number(match[1]) * factor);
}
