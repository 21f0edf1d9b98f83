import leven from 'leven';
import type { Collection, Icon, Library } from './library.ts';
import { sameMeaning, tagsOf, fold, words } from './words.ts';

/** Answers kept for the next page. */
const MAX_RECENT = 32;

export interface IconSearch {
  /** Icons that match all words of the text, best first; every icon, in the library's order, for a text without words. */
  find(text: string): readonly Icon[];
  /** Terms that begin with the text, then terms with a word that does, then spellings nearby; at most `limit`. */
  suggest(text: string, accept: (suggestion: string) => boolean, limit: number): string[];
}

/**
 * Search over names, tags, synonyms and names of collections. The texts are read for the first query: 100,000 icons take a
 * moment that a server which only gets ids never spends. They are compared one after the other, which costs a command less
 * than an index would before its first answer.
 */
export function createIconSearch(library: Library): IconSearch {
  let texts: SearchTexts | undefined;
  let terms: { text: string; count: number }[] | undefined;
  const recent = new Map<string, readonly Icon[]>();

  function find(text: string): readonly Icon[] {
    const query = words(text);
    if (query.length === 0) return text.trim() === '' ? library.icons : [];
    const key = query.join(' ');
    const known = recent.get(key);
    if (known) return known;
    const icons = search(query);
    // Clients read the pages of a list one after the other.
    recent.set(key, icons);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
    return icons;
  }

  function search(query: readonly string[]): readonly Icon[] {
    const read = (texts ??= readTexts(library));
    const icons = rankIcons(query, library, read);
    // Similar spellings are used only if the given one finds nothing: `lock` does not mean `clock`.
    if (icons.length > 0) return icons;
    return [
      ...new Set(similarQueries(query, read).flatMap((each) => rankIcons(each, library, read))),
    ];
  }

  function suggest(text: string, accept: (suggestion: string) => boolean, limit: number): string[] {
    const start = fold(text).trimStart();
    if (start === '') return [];
    terms ??= countTerms(library);
    const all = new Set<string>();
    const isBeginning = (term: string): boolean => term.startsWith(start);
    const hasWord = (term: string): boolean => term.includes(` ${start}`);
    for (const fits of [isBeginning, hasWord]) {
      if (all.size >= limit) break;
      for (const term of terms.filter(({ text }) => fits(text)).sort(byCount)) {
        if (accept(term.text)) all.add(term.text);
        if (all.size >= limit) break;
      }
    }
    if (all.size === 0) {
      for (const icon of find(text).slice(0, 100)) {
        const term = fold(icon.term);
        if (all.size < limit && accept(term)) all.add(term);
      }
    }
    return [...all];
  }

  return { find, suggest };
}

/** What is searched: the words of each icon between spaces, by its position in the library. */
interface SearchTexts {
  names: string[];
  tags: string[];
  /** The same for all icons of a set. */
  sets: Map<Collection, string>;
}

function readTexts({ icons, collections }: Library): SearchTexts {
  // Thousands of icons share their categories and most of their words.
  const known = new Map<string, string>();
  const plain = (text: string): string => {
    const made = known.get(text) ?? words(text).join(' ');
    known.set(text, made);
    return made;
  };
  return {
    names: icons.map(({ name }) => ` ${plain(name)} `),
    tags: icons.map((icon) => ` ${tagsOf(icon).map(plain).join(' ')} `),
    sets: new Map(collections.map((each) => [each, spaced(words(each.name))])),
  };
}

const spaced = (all: readonly string[]): string => ` ${all.join(' ')} `;

/** What a word of the query is worth, by the text that has it as a word, and by the text that has a word which begins with it. */
const WORTH = { name: 8, tag: 5, nameStart: 4, tagStart: 2, set: 1 };
/** What a word of the name that the query lacks costs. */
const EXTRA = 0.75;
/** More than any sum of words of a query. */
const EXACT = 1_000_000;

/** Icons that match every word of the query, best first. */
function rankIcons(query: readonly string[], { icons }: Library, texts: SearchTexts): Icon[] {
  const ranked: { icon: Icon; value: number }[] = [];
  const whole = spaced(query);
  for (const [at, icon] of icons.entries()) {
    const name = texts.names[at] ?? '';
    const value = worthOf(query, name, texts.tags[at] ?? '', texts.sets.get(icon.collection) ?? '');
    if (value === 0) continue;
    const count = name.split(' ').length - 2;
    const isMeant = count === query.length && meansQuery(name, query);
    const exact = name === whole ? EXACT : isMeant ? EXACT / 2 : 0;
    ranked.push({ icon, value: exact + value - EXTRA * Math.max(0, count - query.length) });
  }
  return ranked
    .sort(
      (a, b) =>
        b.value - a.value || a.icon.name.length - b.icon.name.length || a.icon.index - b.icon.index,
    )
    .map(({ icon }) => icon);
}

/** 0: a word of the query is nowhere. */
function worthOf(query: readonly string[], name: string, tags: string, set: string): number {
  let sum = 0;
  for (const word of query) {
    const start = ` ${word}`;
    const [inName, inTags] = [name.includes(start), tags.includes(start)];
    const isWord = `${start} `;
    // One letter is the beginning of too many words.
    const isStart = word.length > 1;
    if (inName && name.includes(isWord)) sum += WORTH.name;
    else if (inTags && tags.includes(isWord)) sum += WORTH.tag;
    else if (inName && isStart) sum += WORTH.nameStart;
    else if (inTags && isStart) sum += WORTH.tagStart;
    else if (set.includes(isStart ? start : isWord)) sum += WORTH.set;
    else return 0;
  }
  return sum;
}

/** True if the words of a name are those of the query, or mean the same: `home` is what `house` asks for. */
function meansQuery(name: string, query: readonly string[]): boolean {
  return name
    .trim()
    .split(' ')
    .every((word, at) => word === query[at] || sameMeaning(word).includes(query[at] ?? ''));
}

/**
 * The query with its unknown words replaced by known ones of a similar spelling, in every combination that there is.
 */
function similarQueries(query: readonly string[], { names, tags }: SearchTexts): string[][] {
  const known = new Set([...names, ...tags].flatMap((text) => text.trim().split(' ')));
  let queries: string[][] = [[]];
  for (const word of query) {
    const allowed = allowedTypos(word);
    const similar = [...known].filter(
      (other) =>
        Math.abs(other.length - word.length) <= allowed &&
        leven(word, other, { maxDistance: allowed + 1 }) <= allowed,
    );
    queries = queries.flatMap((before) =>
      [word, ...similar.filter((other) => other !== word)].map((each) => before.concat(each)),
    );
    if (queries.length > MOST_SIMILAR) queries.length = MOST_SIMILAR;
  }
  return queries;
}

const MOST_SIMILAR = 64;

function allowedTypos(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 8 ? 1 : 2;
}

/** Every term and every single word of a term, with how often it occurs. */
function countTerms(library: Library): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  const add = (text: string): unknown => counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { name, term } of library.icons) {
    const parts = words(name);
    add(fold(term));
    if (parts.length > 1) for (const part of new Set(parts)) if (part.length > 2) add(part);
  }
  return [...counts].map(([text, count]) => ({ text, count }));
}

function byCount(a: { text: string; count: number }, b: { text: string; count: number }): number {
  return b.count - a.count || a.text.length - b.text.length || (a.text < b.text ? -1 : 1);
}
