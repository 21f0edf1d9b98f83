import type { Blacklist, CatalogClient } from '../../../src/client.ts';
import type { Target } from './target.ts';

/** Most entries of one write. */
const CHUNK = 1000;

/**
 * A client whose blacklists a test may overwrite. A catalog of our own gives a key for it; elsewhere the lists are put back as
 * the service told them.
 */
export async function withBlacklist(
  target: Target,
  run: (client: CatalogClient) => Promise<void>,
): Promise<void> {
  if (target.embedded) return run(target.clientOf(target.embedded.take('paid')));
  const { blacklist } = await target.client.blacklist();
  try {
    await run(target.client);
  } finally {
    await restore(target.client, blacklist);
  }
}

async function restore(client: CatalogClient, list: Blacklist): Promise<void> {
  await inChunks(list.icon_ids, (ids, overwrite) =>
    client.blacklistIds(ids, { type: 'icon', overwrite }),
  );
  await inChunks(list.collection_ids, (ids, overwrite) =>
    client.blacklistIds(ids, { type: 'collection', overwrite }),
  );
  await inChunks(list.search_terms, (terms, overwrite) =>
    client.blacklistTerms(terms, { overwrite }),
  );
}

async function inChunks<Entry>(
  entries: readonly Entry[],
  write: (chunk: readonly Entry[], overwrite: boolean) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at === 0 || at < entries.length; at += CHUNK) {
    await write(entries.slice(at, at + CHUNK), at === 0);
  }
}
