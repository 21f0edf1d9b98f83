import { BLACKLIST_LIMITS } from '../catalog/endpoints.ts';
import type { Collection, Icon } from './library.ts';
import { badRequest } from './params.ts';
import { tagsOf, fold, words } from './words.ts';

export interface BlacklistRecord {
  collection_ids: number[];
  icon_ids: number[];
  search_terms: string[];
}

export type BlacklistKind = keyof BlacklistRecord;

export function emptyBlacklist(): BlacklistRecord {
  return { collection_ids: [], icon_ids: [], search_terms: [] };
}

/**
 * The list after one write; entries are kept once, in the order in which they came.
 * @throws 400 when the request or the list would pass the tier's limits; nothing is changed then
 */
export function writeBlacklist(
  { blacklist: list, access }: { blacklist: BlacklistRecord; access: 'free' | 'paid' },
  kind: BlacklistKind,
  { entries, overwrite }: { entries: readonly (number | string)[]; overwrite: boolean },
): BlacklistRecord {
  const { perRequest, total } = BLACKLIST_LIMITS[access];
  if (entries.length > perRequest)
    throw badRequest(
      `\`blacklist\` has ${entries.length} entries; one request of this key may have ${perRequest}.`,
    );
  const kept: readonly (number | string)[] = overwrite ? [] : list[kind];
  const changed = { ...list, [kind]: [...new Set([...kept, ...entries])] };
  const size =
    kind === 'search_terms'
      ? changed.search_terms.length
      : changed.icon_ids.length + changed.collection_ids.length;
  if (size > total)
    throw badRequest(
      `The blacklist would have ${size} ${kind === 'search_terms' ? 'terms' : 'ids'}; this key may have ${total}.`,
    );
  return changed;
}

/**
 * Returns what a blacklist removes. A phrase matches if its words stand side by side in a name or a
 * tag, in any case.
 */
export interface BlacklistFilter {
  icon(icon: Icon): boolean;
  collection(collection: Collection): boolean;
  text(text: string): boolean;
}

export function createBlacklistFilter(list: BlacklistRecord): BlacklistFilter {
  const known = filters.get(list);
  if (known) return known;
  const icons = new Set(list.icon_ids);
  const collections = new Set(list.collection_ids);
  const text = createPhraseMatcher(list.search_terms);
  const verdicts = new WeakMap<Icon, boolean>();

  function isNamed(icon: Icon): boolean {
    const verdict = verdicts.get(icon) ?? [icon.name, icon.term, ...tagsOf(icon)].some(text);
    verdicts.set(icon, verdict);
    return verdict;
  }
  const filter: BlacklistFilter = {
    text,
    collection: ({ id, name, tags }) => collections.has(id) || [name, ...tags].some(text),
    icon: (icon) =>
      icons.has(icon.id) ||
      collections.has(icon.collection.id) ||
      (list.search_terms.length > 0 && isNamed(icon)),
  };
  filters.set(list, filter);
  return filter;
}

/** A list is never changed, only replaced, so that what was computed from it stays true. */
const filters = new WeakMap<BlacklistRecord, BlacklistFilter>();

/**
 * Phrases are found by their first word, so that 20,000 of them cost a text no more than its own words.
 * Phrases without a word (emoji, symbols) are compared as they stand.
 */
function createPhraseMatcher(phrases: readonly string[]): (text: string) => boolean {
  const byFirstWord = new Map<string, string[][]>();
  const symbols: string[] = [];
  for (const phrase of phrases) {
    const parts = words(phrase);
    const [first] = parts;
    if (first !== undefined) byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), parts]);
    else if (phrase.trim() !== '') symbols.push(fold(phrase).trim());
  }
  return (text) => {
    const parts = words(text);
    const startsHere =
      (at: number) =>
      (phrase: string[]): boolean =>
        phrase.every((word, step) => parts[at + step] === word);
    return (
      parts.some((word, at) => byFirstWord.get(word)?.some(startsHere(at)) ?? false) ||
      symbols.some((symbol) => fold(text).includes(symbol))
    );
  };
}
