import { expect, test } from 'vitest';
import { createCatalogClient, type CatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { createFolder } from '../server/project.ts';

const KEY = { key: 'key-4711', secret: 'secret-0815' };

function open(stateDir: string): CatalogClient {
  const keys = [{ ...KEY, monthlyLimit: 1_000_000 }];
  const server = createCatalogServer({ sets: ['maki'], keys, stateDir });
  const options = { ...KEY, fetch: server.fetch, concurrency: 64, retries: 0 };
  return createCatalogClient({ baseUrl: 'http://catalog.test', ...options });
}

test('writes that come at once are all kept across a restart', async () => {
  const stateDir = await createFolder();
  const client = open(stateDir);
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const terms = ids.map((id) => `term ${id}`);
  await Promise.all([
    ...ids.map((id) => client.blacklistIds([id])),
    ...terms.map((term) => client.blacklistTerms([term])),
  ]);
  const { monthly } = await client.usage();

  const again = open(stateDir);
  const { blacklist } = await again.blacklist();
  expect(blacklist.icon_ids.toSorted((a, b) => a - b)).toEqual(ids);
  expect(blacklist.search_terms.toSorted()).toEqual(terms.toSorted());
  expect((await again.usage()).monthly.usage).toBe(Number(monthly.usage) + 2);
});
