import type { Items, Page } from './client-types.ts';

export interface TokenPage<Item> {
  items: readonly Item[];
  total: number | undefined;
  /** Token of the next page. */
  next: string | undefined;
}

/** Empty pages in a row that are followed where a blacklist may have emptied them. */
const MOST_EMPTY_PAGES = 100;

/**
 * Items of a list with page tokens: one call a page. Ends where there is no token, a token that was followed before, or an empty page.
 * An item that a shifting list shows twice comes once.
 * @param options.filtered pages may be empty though more follow (the key's blacklist is applied to pages)
 */
export function followTokens<Item extends { id: string }>(
  load: (token: string | undefined) => Promise<TokenPage<Item>>,
  { start, filtered }: { start: string | undefined; filtered: boolean },
): Items<Item, string> {
  return itemsOf(async function* pages() {
    const followed = new Set<string>();
    const given = new Set<string>();
    let token = start;
    for (let empty = 0; empty < (filtered ? MOST_EMPTY_PAGES : 1);) {
      if (token !== undefined) followed.add(token);
      const { items, total, next } = await load(token);
      const isLast = next === undefined || followed.has(next);
      yield { items: unseen(items, given), total, next: isLast ? undefined : next };
      if (isLast) return;
      empty = items.length === 0 ? empty + 1 : 0;
      token = next;
    }
  });
}

/**
 * Items of a list with offsets. The offset grows by what a page held, not by what was asked for: a service that gives less
 * than `limit` loses nothing, and one that filters its pages repeats nothing. Ends at a page without anything new.
 */
export function followOffsets<Item extends { id: string }>(
  load: (offset: number) => Promise<readonly Item[]>,
  start: number,
): Items<Item, number> {
  return itemsOf(async function* pages() {
    const given = new Set<string>();
    for (let offset = start; ;) {
      const items = await load(offset);
      const fresh = unseen(items, given);
      if (fresh.length === 0) return;
      offset += items.length;
      yield { items: fresh, total: undefined, next: offset };
    }
  });
}

function itemsOf<Item, Token>(
  pages: () => AsyncGenerator<Page<Item, Token>, void, undefined>,
): Items<Item, Token> {
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }
  return Object.assign(items(), { pages });
}

function unseen<Item extends { id: string }>(items: readonly Item[], given: Set<string>): Item[] {
  return items.filter(({ id }) => !given.has(id) && given.add(id));
}
