import type { Host } from './host.ts';

/**
 * A list whose first page is there: that page and everything after it, with a bar on a terminal.
 * What a shifting list shows on both sides comes once.
 */
export async function listAll<Item extends { id: string }>(
  first: { items: readonly Item[]; total: number },
  rest: AsyncIterable<Item>,
  { host, noun }: { host: Host; noun: string },
): Promise<Item[]> {
  const byId = new Map(first.items.map((item) => [item.id, item]));
  const { total } = first;
  const label = (): string => `${byId.size} of ${total} ${noun}`;
  const bar = host.stderr.isTerminal ? await host.progress(label(), total) : undefined;
  for (let done = 0; done < byId.size; done += 1) bar?.advance(label());
  try {
    for await (const item of rest) {
      byId.set(item.id, item);
      bar?.advance(label());
    }
  } catch (error) {
    bar?.fail(label());
    throw error;
  }
  bar?.stop(label());
  return [...byId.values()];
}
