import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { DOT, createFolder, fakeSet } from '../server/project.ts';

const KEY = { key: 'key-4711', secret: 'secret-0815' };

/** Names that are found by themselves: what folds to one text is one name, digits are an id. */
const names = fc.uniqueArray(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((name) => name.trim() === name && !/^\d+$|^\.{1,2}$|^__proto__$/.test(name))
    .filter((name) => /[\p{L}\p{N}]/u.test(name)),
  { minLength: 1, maxLength: 40, selector: (name) => name.normalize('NFKC').toLowerCase() },
);

test('icons of any name are found by it, in both generations', () =>
  fc.assert(
    fc.asyncProperty(names, async (all) => {
      const icons = Object.fromEntries(all.map((name) => [name, { body: DOT }]));
      const root = await createFolder(fakeSet('any', { icons }));
      const keys = [{ ...KEY, monthlyLimit: 1_000_000 }];
      const server = createCatalogServer({ root, sets: ['any'], keys });
      const client = createCatalogClient({
        baseUrl: 'http://catalog.test',
        ...KEY,
        fetch: server.fetch,
      });
      for (const name of all) {
        const { icon } = await client.v1.icon(name);
        expect(icon.term_slug).toBe(name);
        const found = await client.icons({ query: name, limit: 1000 });
        expect(found.icons.map(({ id }) => id)).toContain(icon.id);
      }
    }),
    { numRuns: 10 },
  ));
