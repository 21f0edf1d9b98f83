import type { Host } from './host.ts';
import { createProgressBar } from './progress-bar.ts';

/**
 * A list whose first page is there: that page and everything after it, with a bar on a terminal.
 * What a shifting list shows on both sides comes once.
 */
export async function listAll<Item extends { id: string }>(
  first: { items: readonly Item[]; total: number | undefined },
  rest: AsyncIterable<Item>,
  { host, noun }: { host: Host; noun: string },
): Promise<Item[]> {
  const bar = createProgressBar(host.stderr, { noun, total: first.total ?? first.items.length });
  const byId = new Map<string, Item>();
  const add = (item: Item): void => {
    if (!byId.has(item.id)) bar.advance();
    byId.set(item.id, item);
  };
  try {
    for (const item of first.items) add(item);
    for await (const item of rest) add(item);
  } finally {
    bar.end();
  }
  return [...byId.values()];
}
