import { elements } from './families/elements.ts';
import { page } from './families/page.ts';
import { parser } from './families/parser.ts';
import { styles } from './families/styles.ts';
import type { Family } from './families/svg-file.ts';
import { weight } from './families/weight.ts';
import { words } from './families/words.ts';

export interface HostileCase {
  id: number;
  name: string;
  bytes: Uint8Array;
}

const FAMILIES: readonly Family[] = [parser, elements, styles, page, words, weight];

/** Every case of every family; ids count from 1. */
export const corpus: readonly HostileCase[] = FAMILIES.flatMap((family) =>
  Object.entries(family),
).map(([name, content], index) => ({
  id: index + 1,
  name,
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
}));

export const heavy: ReadonlySet<string> = new Set(Object.keys(weight));

/** False: nothing in the file could be kept by the option `animation`. */
export function hasAnimation(bytes: Uint8Array): boolean {
  return /animate|set|mpath|discard/i.test(new TextDecoder().decode(bytes));
}