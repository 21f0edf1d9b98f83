import type { RemovalCounts } from '../types.ts';

/** `active`: it could run, load something or be clicked, so `svg.strict` refuses it. `visible`: it could be seen. */
type Kind = readonly [one: string, many: string, is?: 'active' | 'visible' | 'active visible'];

export type RemovalKind =
  | 'script'
  | 'event-attribute'
  | 'script-address'
  | 'external-reference'
  | 'foreign-object'
  | 'html-element'
  | 'processing-instruction'
  | 'unsafe-animation'
  | 'image'
  | 'animation'
  | 'link'
  | 'unknown-element'
  | 'directive'
  | 'dangling-reference'
  | 'conditional-style'
  | 'unsupported-style'
  | 'invalid-value'
  | 'text-character';

/** In the order of the report. Things that every editor leaves behind (titles, metadata, comments) are not reported. */
const KINDS: Readonly<Record<RemovalKind, Kind>> = {
  script: ['<script>', '<script>', 'active'],
  'event-attribute': ['event attribute', 'event attributes', 'active'],
  'script-address': ['script address', 'script addresses', 'active'],
  'external-reference': ['external reference', 'external references', 'active'],
  'foreign-object': ['<foreignObject>', '<foreignObject>', 'active visible'],
  'html-element': ['HTML element', 'HTML elements', 'active visible'],
  'processing-instruction': ['processing instruction', 'processing instructions', 'active'],
  'unsafe-animation': ['unsafe animation', 'unsafe animations', 'active'],
  image: ['<image>', '<image>', 'visible'],
  animation: ['animation', 'animations', 'visible'],
  link: ['link', 'links'],
  'unknown-element': ['unknown element', 'unknown elements', 'visible'],
  directive: ['framework directive', 'framework directives'],
  'dangling-reference': ['reference to nothing', 'references to nothing'],
  'conditional-style': ['conditional style', 'conditional styles', 'visible'],
  'unsupported-style': ['unsupported style', 'unsupported styles', 'visible'],
  'invalid-value': ['invalid value', 'invalid values', 'visible'],
  'text-character': ['character of text', 'characters of text', 'visible'],
};

const has = (name: RemovalKind, flag: string): boolean => KINDS[name][2]?.includes(flag) === true;

export interface Removals {
  readonly counts: Map<RemovalKind, number>;
  note(kind: RemovalKind): void;
  active(): boolean;
  /** True if something visible was removed other than an animation, which has its own count and name. */
  visible(): boolean;
  toCounts(): RemovalCounts;
}

export function createRemovals(): Removals {
  const counts = new Map<RemovalKind, number>();
  return {
    counts,
    note: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
    active: () => [...counts.keys()].some((name) => has(name, 'active')),
    visible: () => [...counts.keys()].some((name) => has(name, 'visible') && name !== 'animation'),
    toCounts() {
      const result: RemovalCounts = {};
      for (const name of Object.keys(KINDS) as RemovalKind[]) {
        const count = counts.get(name);
        if (count !== undefined) result[name] = count;
      }
      return result;
    },
  };
}

/**
 * One line for a log: `icon 12345: removed 1 <script>, 2 event attributes, 1 external reference`; empty if nothing
 * was removed. Counts only, never the file's text.
 */
export function describeRemovals(id: number, counts: RemovalCounts, name?: string): string {
  const parts: string[] = [];
  for (const name of Object.keys(KINDS) as RemovalKind[]) {
    const count = counts[name];
    if (count !== undefined && count > 0)
      parts.push(`${count} ${KINDS[name][count === 1 ? 0 : 1]}`);
  }
  const icon = name === undefined ? `icon ${id}` : `icon ${id} ("${name}")`;
  return parts.length === 0 ? '' : `${icon}: removed ${parts.join(', ')}`;
}
