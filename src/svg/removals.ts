import type { RemovalCounts } from '../types.ts';

interface Kind {
  /** True for what could run, load something or be clicked: `svg.strict` refuses it. */
  active: boolean;
  /** True for what could be visible. */
  visible: boolean;
  one: string;
  many: string;
}

const kind = (one: string, many: string, flags = ''): Kind => ({
  active: flags.includes('active'),
  visible: flags.includes('visible'),
  one,
  many,
});

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
  script: kind('<script>', '<script>', 'active'),
  'event-attribute': kind('event attribute', 'event attributes', 'active'),
  'script-address': kind('script address', 'script addresses', 'active'),
  'external-reference': kind('external reference', 'external references', 'active'),
  'foreign-object': kind('<foreignObject>', '<foreignObject>', 'active visible'),
  'html-element': kind('HTML element', 'HTML elements', 'active visible'),
  'processing-instruction': kind('processing instruction', 'processing instructions', 'active'),
  'unsafe-animation': kind('unsafe animation', 'unsafe animations', 'active'),
  image: kind('<image>', '<image>', 'visible'),
  animation: kind('animation', 'animations', 'visible'),
  link: kind('link', 'links'),
  'unknown-element': kind('unknown element', 'unknown elements', 'visible'),
  directive: kind('framework directive', 'framework directives'),
  'dangling-reference': kind('reference to nothing', 'references to nothing'),
  'conditional-style': kind('conditional style', 'conditional styles', 'visible'),
  'unsupported-style': kind('unsupported style', 'unsupported styles', 'visible'),
  'invalid-value': kind('invalid value', 'invalid values', 'visible'),
  'text-character': kind('character of text', 'characters of text', 'visible'),
};

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
    active: () => [...counts.keys()].some((name) => KINDS[name].active),
    visible: () => [...counts.keys()].some((name) => KINDS[name].visible && name !== 'animation'),
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
      parts.push(`${count} ${count === 1 ? KINDS[name].one : KINDS[name].many}`);
  }
  const icon = name === undefined ? `icon ${id}` : `icon ${id} ("${name}")`;
  return parts.length === 0 ? '' : `${icon}: removed ${parts.join(', ')}`;
}
