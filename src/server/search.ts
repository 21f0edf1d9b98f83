import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import type { Icon, Library } from './library.ts';
import { tagsOf } from './tags.ts';
import { fold, words } from './words.ts';

/** Answers kept for the next page. */
const MAX_RECENT = 32;

export interface IconSearch {
  /** Icons that match all words of the text, best first; every icon, in the library's order, for a text without words. */
  find(text: string): readonly Icon[];
  /** Terms that begin with the text, then terms with a word that does, then spellings nearby; at most `limit`. */
  suggest(text: string, accept: (suggestion: string) => boolean, limit: number): string[];
}

/**
 * Search over terms, tags, synonyms and collection names. The index is built for the first query:
 * 100,000 icons take about a second, which a server that only gets ids never spends.
 */
export function createIconSearch(library: Library): IconSearch {
  let index: MiniSearch<Icon> | undefined;
  let terms: { text: string; count: number }[] | undefined;
  const recent = new Map<string, readonly Icon[]>();

  function find(text: string): readonly Icon[] {
    const query = words(text).join(' ');
    if (query === '') return text.trim() === '' ? library.icons : [];
    const known = recent.get(query);
    if (known) return known;
    index ??= createIndex(library);
    const found = searchIndex(index, query).map(({ id }) => library.icons[id as number]);
    const icons = exactFirst(
      found.filter((icon) => icon !== undefined),
      query,
    );
    // Clients read the pages of a list one after the other.
    recent.set(query, icons);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
    return icons;
  }

  function suggest(text: string, accept: (suggestion: string) => boolean, limit: number): string[] {
    const start = fold(text).trimStart();
    if (start === '') return [];
    terms ??= countTerms(library);
    const all = new Set<string>();
    for (const [test, order] of [
      [(term: string) => term.startsWith(start), byCount],
      [(term: string) => term.includes(` ${start}`), byCount],
    ] as const) {
      if (all.size >= limit) break;
      for (const term of terms.filter((entry) => test(entry.text)).sort(order)) {
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

function createIndex(library: Library): MiniSearch<Icon> {
  const index = new MiniSearch<Icon>({
    idField: 'index',
    fields: ['term', 'tags', 'set'],
    extractField: (icon, field) => {
      if (field === 'index') return icon.index;
      if (field === 'term') return icon.name;
      return field === 'set' ? icon.collection.name : otherTags(icon);
    },
    tokenize: words,
    processTerm: (term) => term,
  });
  index.addAll(library.icons);
  return index;
}

/** Tags that are not words of the name, which the index already has. */
function otherTags(icon: Icon): string {
  const own = new Set(words(icon.name));
  return tagsOf(icon)
    .filter((tag) => !own.has(tag))
    .join(' ');
}

function searchIndex(index: MiniSearch<Icon>, query: string): SearchResult[] {
  const options: SearchOptions = {
    combineWith: 'AND',
    boost: { term: 4, tags: 2, set: 0.5 },
    prefix: (term) => term.length > 1,
  };
  const found = index.search(query, options);
  // Similar spellings are used only if the given one finds nothing: `lock` does not mean `clock`.
  return found.length > 0 ? found : index.search(query, { ...options, fuzzy: allowedTypos });
}

/** Icons whose name is exactly the query precede those whose name contains it. */
function exactFirst(icons: Icon[], query: string): Icon[] {
  const isExact = ({ name }: Icon): boolean =>
    name.length <= query.length * 2 && words(name).join(' ') === query;
  const exact = icons.filter(isExact);
  return exact.length === 0 ? icons : [...exact, ...icons.filter((icon) => !isExact(icon))];
}

function allowedTypos(term: string): number | false {
  if (term.length < 4) return false;
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
