import leven from 'leven';
import type { Collection, Icon, Library } from './library.ts';
import { fold, joinedPairs, otherTags, sameMeaning, words } from './words.ts';

/** Answers kept for the next page. */
const MAX_RECENT = 32;

export interface IconSearch {
  /**
   * Icons that match all words of the text, best first; if there are none, those that match words of a similar spelling, and
   * then those that match the most words. Every icon, in the library's order, for an empty text.
   */
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
    const icons = rankIcons(joinings(query), library, read);
    if (icons.length > 0) return icons;
    // Similar spellings are used only if the given one finds nothing: `lock` does not mean `clock`.
    const similar = rankIcons(similarQueries(query, read), library, read);
    if (similar.length > 0) return similar;
    // Of a sentence, words such as `to` and `in`, and beginnings of words, would be all that is found.
    const telling = query.filter((word) => word.length > 2).slice(0, MOST_WORDS);
    let shorter = telling.length > 0 ? [telling] : [];
    while (shorter.length > 0) {
      const found = rankIcons(shorter.flatMap(joinings), library, read, () => false);
      if (found.length > 0) return found;
      shorter = withoutOneWord(shorter);
    }
    return [];
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

/** `log out now` is also `logout now` and `log outnow`. */
function joinings(query: readonly string[]): (readonly string[])[] {
  return [query, ...joinedPairs(query).map((pair, at) => query.toSpliced(at, 2, pair))];
}

/** Every way to leave one word out of one of the queries, each once. */
function withoutOneWord(queries: readonly string[][]): string[][] {
  const shorter = new Map<string, string[]>();
  for (const query of queries)
    for (const at of query.length > 1 ? query.keys() : []) {
      const rest = query.toSpliced(at, 1);
      shorter.set(rest.join(' '), rest);
    }
  return [...shorter.values()];
}

/** Of a sentence; each way to leave some of them out is a search of its own. */
const MOST_WORDS = 5;

/** What is searched: the words of each icon between spaces, by its position in the library. */
interface SearchTexts {
  names: string[];
  /** Tags that are no words of the name, and neighbouring words of the name written as one. */
  tags: string[];
  /** The same for all icons of a set. */
  sets: Map<Collection, string>;
}

function readTexts({ icons, collections }: Library): SearchTexts {
  // Thousands of icons share their categories and the words of the same meaning.
  const known = new Map<string, string>();
  const plain = (text: string): string => {
    const made = known.get(text) ?? words(text).join(' ');
    known.set(text, made);
    return made;
  };
  const texts: SearchTexts = { names: [], tags: [], sets: new Map() };
  for (const icon of icons) {
    const own = words(icon.name);
    const pairs = joinedPairs(own);
    texts.names.push(spaced(own));
    texts.tags.push(spaced([...otherTags(icon, own, pairs).map(plain), ...pairs]));
  }
  for (const each of collections) texts.sets.set(each, spaced(words(each.name)));
  return texts;
}

const spaced = (all: readonly string[]): string => ` ${all.join(' ')} `;

/** What a word of the query is worth, by the text that has it as a word, and by the text that has a word which begins with it. */
const WORTH = { name: 8, tag: 5, nameStart: 4, tagStart: 2, set: 1 };
/** What a word of the name that the query lacks costs. */
const EXTRA = 0.75;
/** More than any sum of words of a query. */
const EXACT = 1_000_000;

/** One letter is the beginning of too many words. */
const isBeginning = (word: string): boolean => word.length > 1;

/** Icons that match every word of one of the queries, best first. */
function rankIcons(
  queries: readonly (readonly string[])[],
  { icons }: Library,
  texts: SearchTexts,
  mayBegin: (word: string) => boolean = isBeginning,
): Icon[] {
  const ranked: { icon: Icon; value: number }[] = [];
  for (const [at, icon] of icons.entries()) {
    const text = {
      name: texts.names[at] ?? '',
      tags: texts.tags[at] ?? '',
      set: texts.sets.get(icon.collection) ?? '',
    };
    const value = Math.max(...queries.map((query) => worthOf(query, text, mayBegin)));
    if (value !== NOWHERE) ranked.push({ icon, value });
  }
  return ranked
    .sort(
      (a, b) =>
        b.value - a.value || a.icon.name.length - b.icon.name.length || a.icon.index - b.icon.index,
    )
    .map(({ icon }) => icon);
}

interface IconText {
  name: string;
  tags: string;
  set: string;
}

/** Less than any sum: a long name can cost more than the one word that fits is worth. */
const NOWHERE = -Infinity;

/** What an icon is worth for a query; `NOWHERE` if a word of the query is. */
function worthOf(
  query: readonly string[],
  text: IconText,
  mayBegin: (word: string) => boolean,
): number {
  let sum = 0;
  for (const word of query) {
    const worth = wordWorth(word, text, mayBegin(word));
    if (worth === 0) return NOWHERE;
    sum += worth;
  }
  const count = text.name.split(' ').length - 2;
  const isMeant = count === query.length && meansQuery(text.name, query);
  const exact = text.name === spaced(query) ? EXACT : isMeant ? EXACT / 2 : 0;
  return exact + sum - EXTRA * Math.max(0, count - query.length);
}

function wordWorth(word: string, { name, tags, set }: IconText, mayBegin: boolean): number {
  const start = ` ${word}`;
  const isWord = `${start} `;
  const [inName, inTags] = [name.includes(start), tags.includes(start)];
  if (inName && name.includes(isWord)) return WORTH.name;
  if (inTags && tags.includes(isWord)) return WORTH.tag;
  if (inName && mayBegin) return WORTH.nameStart;
  if (inTags && mayBegin) return WORTH.tagStart;
  return set.includes(mayBegin ? start : isWord) ? WORTH.set : 0;
}

/** True if the words of a name are those of the query, or mean the same: `home` is what `house` asks for. */
function meansQuery(name: string, query: readonly string[]): boolean {
  return name
    .trim()
    .split(' ')
    .every((word, at) => word === query[at] || sameMeaning(word).includes(query[at] ?? ''));
}

/**
 * The query with its unknown words replaced by the known ones of the nearest spelling, in every combination. Few people
 * mistype the first letter, and what begins with another one is seldom what they mean.
 */
function similarQueries(query: readonly string[], { names, tags }: SearchTexts): string[][] {
  const known = new Set([...names, ...tags].flatMap((text) => text.trim().split(' ')));
  let queries: string[][] = [[]];
  for (const word of query) {
    const similar = known.has(word) ? [word] : nearest(word, known);
    queries = queries
      .flatMap((before) =>
        (similar.length > 0 ? similar : [word]).map((each) => before.concat(each)),
      )
      .slice(0, MOST_QUERIES);
  }
  return queries;
}

const MOST_QUERIES = 64;

/** Words that two swapped letters make of this one; otherwise those that differ least, by at most one letter, or two from eight letters on. */
function nearest(word: string, known: ReadonlySet<string>): string[] {
  const swapped = Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ).filter((other) => known.has(other));
  if (swapped.length > 0 || word.length < 4) return swapped;
  let allowed = word.length < 8 ? 1 : 2;
  let found: string[] = [];
  for (const other of known) {
    if (other[0] !== word[0] || Math.abs(other.length - word.length) > allowed) continue;
    const distance = leven(word, other, { maxDistance: allowed + 1 });
    if (distance > allowed) continue;
    if (distance < allowed) found = [];
    allowed = distance;
    found.push(other);
  }
  return found;
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
