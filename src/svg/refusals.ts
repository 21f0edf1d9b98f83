import { IconCatalogError } from '../errors.ts';
import { type MarkupToken, readTokens } from '../markup/tokens.ts';
import type { RemovalCounts, SvgLimits } from '../types.ts';

/**
 * The limits were measured so that every hostile file is finished in well under two seconds; real icons stay far below
 * each limit.
 */
export const LIMITS = {
  elements: 20_000,
  depth: 64,
  attributes: 128,
  attributeLength: 262_144,
  /** Namespace declarations: the parser looks each name up through all of them. */
  namespaces: 500,
  ids: 4_000,
  /** The number of gradient stops: the colours of each are read one by one. */
  stops: 4_000,
  /** Characters of drawn text: WebKit lays them out in quadratic time, 1,000 of one text in 0.4 s. */
  text: 1_000,
  /** Milliseconds, as estimated in expansion.ts. */
  filterCost: 400,
  animations: 500,
  /** Seconds: 500 animations of 10 ms are smooth in Chromium and Firefox, 500 of 1 ms stall both. */
  shortestAnimation: 0.01,
  styleRules: 500,
  styleLength: 262_144,
  styleSteps: 250_000,
  /** Parts of one style that are not CSS. */
  styleErrors: 100,
  transforms: 64,
  /** The number of elements after every `use`, pattern, marker, mask and filter has been followed. */
  expansion: 200_000,
  /** Levels that a renderer sees: 600 nested `use` are a short file that takes forever to lay out. */
  expandedDepth: 128,
  /** Animations that begin with another: each event starts all that depend on it, possibly in circles. */
  syncs: 200,
  entities: 64,
  entityLength: 1_024,
  /**
   * Beyond these svgo takes quadratic time: in path data (20,000 segments took 6 s) and in the children of one element.
   */
  slowElements: 2_000,
  slowCharacters: 200_000,
  slowPath: 30_000,
  /**
   * Several long paths cost as much as one longer path: characters of the file times those of its longest attribute.
   */
  slowProduct: 1.5e9,
  magnitude: 1e9,
  /** Shapes, and elements in them, that masks and uses may copy, more than any icon has: the next steps work on these, too. */
  copies: 64,
  copiedElements: 1_000,
  /** The widest ratio between the sides of a viewBox: `1em` must stay icon-sized. */
  aspectRatio: 100,
  /** The number of dashes that one file may make a renderer draw. */
  dashes: 100_000,
} as const;

const BEYOND: Readonly<Record<keyof SvgLimits, string>> = {
  elements: 'it has more elements than',
  expansion: 'drawing it takes the work of more elements than',
  filterCost: 'drawing its filters takes more milliseconds than',
  text: 'it draws more characters of text than',
  animations: 'it has more animations than',
};

/** @throws IconCatalogError SVG_TOO_LARGE for limits that the option `svg.limits` may raise */
export function checkLimit(
  name: keyof SvgLimits,
  count: number,
  { id, limits }: { id: number; limits?: SvgLimits | undefined },
): void {
  const most = limits?.[name] ?? LIMITS[name];
  if (count > most)
    throw new IconCatalogError('SVG_TOO_LARGE', {
      message: `icon ${id}: ${BEYOND[name]} ${most}.`,
      icon: id,
      remedy: `Choose a simpler icon, or raise \`svg.limits.${name}\`.`,
    });
}

export function invalidSvg(id: number, reason: string): IconCatalogError {
  return new IconCatalogError('SVG_INVALID', { message: `icon ${id}: ${reason}.`, icon: id });
}

export function tooLargeSvg(id: number, reason: string): IconCatalogError {
  return new IconCatalogError('SVG_TOO_LARGE', {
    message: `icon ${id}: ${reason}.`,
    icon: id,
    remedy: 'Choose a simpler icon.',
  });
}

export interface MarkupSize {
  elements: number;
  longestAttribute: number;
}

/**
 * Walks the tags once, before anything that recurses or backtracks reads the text: svgo parses without limits and
 * accepts a file that was cut off.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE
 */
export function scanMarkup(
  text: string,
  context: { id: number; limits?: SvgLimits | undefined },
): MarkupSize {
  const { id } = context;
  const size: MarkupSize = { elements: 0, longestAttribute: 0 };
  if ((text.match(/\bxmlns\b/g)?.length ?? 0) > LIMITS.namespaces)
    throw tooLargeSvg(id, `it declares more than ${LIMITS.namespaces} namespaces`);
  if ((text.match(/<(?:[\w.-]+:)?stop\b/g)?.length ?? 0) > LIMITS.stops)
    throw tooLargeSvg(id, `its gradients have more than ${LIMITS.stops} stops`);
  let depth = 0;
  let roots = 0;
  for (const token of readTokens(text)) {
    if (token.kind === 'broken' || token.kind === 'declaration')
      throw invalidSvg(id, reasonOf(token));
    if (token.kind !== 'open' && token.kind !== 'close') continue;
    if (token.longestValue > LIMITS.attributeLength)
      throw tooLargeSvg(id, 'it has an attribute of more than 256 kB');
    if (token.values > LIMITS.attributes)
      throw tooLargeSvg(id, `an element has more than ${LIMITS.attributes} attributes`);
    size.longestAttribute = Math.max(size.longestAttribute, token.longestValue);
    if (token.kind === 'close') depth -= 1;
    else {
      size.elements += 1;
      if (depth === 0) roots += 1;
      if (!token.empty) depth += 1;
    }
    if (depth < 0 || roots > 1) throw invalidSvg(id, 'it is not one well-formed document');
    if (depth > LIMITS.depth)
      throw tooLargeSvg(id, `its elements are nested deeper than ${LIMITS.depth}`);
    checkLimit('elements', size.elements, context);
  }
  if (roots === 0) throw invalidSvg(id, 'it is not SVG');
  if (depth !== 0) throw invalidSvg(id, 'it ends before its last element is closed');
  return size;
}

function reasonOf({ kind, name }: MarkupToken): string {
  if (kind === 'declaration' || name === '') return 'it is not well-formed XML';
  return `it ends in the middle of ${name === 'attribute' ? 'an' : 'a'} ${name}`;
}

/** `active`: it could run, load something or be clicked, so `svg.strict` refuses it. `visible`: it could be seen. */
type Kind = readonly [one: string, many: string, is?: 'active' | 'visible' | 'active visible'];

/** In the order of the report. Things that every editor leaves behind (titles, metadata, comments) are not reported. */
const KINDS = {
  script: ['<script>', '<script>', 'active'],
  'event-attribute': ['event attribute', 'event attributes', 'active'],
  'script-address': ['script address', 'script addresses', 'active'],
  'external-reference': ['external reference', 'external references', 'active'],
  'foreign-object': ['<foreignObject>', '<foreignObject>', 'active visible'],
  'html-element': ['HTML element', 'HTML elements', 'active visible'],
  'processing-instruction': ['processing instruction', 'processing instructions', 'active'],
  'unsafe-animation': ['unsafe animation', 'unsafe animations', 'active'],
  image: ['<image>', '<image>', 'visible'],
  // Credits have another count and name for these.
  animation: ['animation', 'animations'],
  link: ['link', 'links'],
  'unknown-element': ['unknown element', 'unknown elements', 'visible'],
  directive: ['framework directive', 'framework directives'],
  'dangling-reference': ['reference to nothing', 'references to nothing'],
  'conditional-style': ['conditional style', 'conditional styles', 'visible'],
  'unsupported-style': ['unsupported style', 'unsupported styles', 'visible'],
  'invalid-value': ['invalid value', 'invalid values', 'visible'],
  'text-character': ['character of text', 'characters of text', 'visible'],
} as const;

export type RemovalKind = keyof typeof KINDS;

const entries = Object.entries<Kind>(KINDS);

export interface Removals {
  readonly counts: Map<RemovalKind, number>;
  note(kind: RemovalKind): void;
  active(): boolean;
  /** True if something visible was removed other than an animation. */
  visible(): boolean;
  toCounts(): RemovalCounts;
}

export function createRemovals(): Removals {
  const counts = new Map<RemovalKind, number>();
  const has = (flag: string): boolean =>
    [...counts.keys()].some((name) => (KINDS[name] as Kind)[2]?.includes(flag));
  return {
    counts,
    note: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    active: () => has('active'),
    visible: () => has('visible'),
    toCounts: () => Object.fromEntries(counts),
  };
}

/**
 * One line for a log: `icon 12345: removed 1 <script>, 2 event attributes, 1 external reference`; empty if nothing
 * was removed. Counts only, never the file's text.
 */
export function describeRemovals(id: number, counts: RemovalCounts, name?: string): string {
  const parts = entries.flatMap(([kind, [one, many]]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const icon = name === undefined ? `icon ${id}` : `icon ${id} ("${name}")`;
  return parts.length === 0 ? '' : `${icon}: removed ${parts.join(', ')}`;
}
