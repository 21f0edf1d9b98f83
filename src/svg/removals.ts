import type { RemovalCounts } from '../types.ts';

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
