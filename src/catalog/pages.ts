export interface TokenPage<Item> {
  items: readonly Item[];
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
export async function* followTokens<Item extends { id: string }>(
  load: (token: string | undefined) => Promise<TokenPage<Item>>,
  { start, filtered }: { start: string | undefined; filtered: boolean },
): AsyncGenerator<Item, void, undefined> {
  const followed = new Set<string>();
  const given = new Set<string>();
  let token = start;
  for (let empty = 0; empty < (filtered ? MOST_EMPTY_PAGES : 1);) {
    if (token !== undefined) followed.add(token);
    const { items, next } = await load(token);
    yield* unseen(items, given);
    if (next === undefined || followed.has(next)) return;
    empty = items.length === 0 ? empty + 1 : 0;
    token = next;
  }
}

/**
 * Items of a list with offsets. The offset grows by what a page held, not by what was asked for: a service that gives less
 * than `limit` loses nothing, and one that filters its pages repeats nothing. Ends at a page without anything new.
 */
export async function* followOffsets<Item extends { id: string }>(
  load: (offset: number) => Promise<readonly Item[]>,
  start: number,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>();
  for (let offset = start; ;) {
    const items = await load(offset);
    const before = given.size;
    yield* unseen(items, given);
    if (given.size === before) return;
    offset += items.length;
  }
}

function* unseen<Item extends { id: string }>(
  items: readonly Item[],
  given: Set<string>,
): Generator<Item> {
  for (const item of items) {
    if (given.has(item.id)) continue;
    given.add(item.id);
    yield item;
  }
}
