import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalogClient, type CatalogClient, type Icon } from '../../src/client.ts';
import { ENDPOINTS, type EndpointName, endpointOf } from '../../src/catalog/endpoints.ts';
import { createCatalogServer } from '../../src/server.ts';
import { createFolder, fakeSet } from '../server/project.ts';
import { freshNonce, sign, toHeader } from './support/sign.ts';

const pair = (access: 'free' | 'paid', number: number) => ({
  key: `${access}-${number}`,
  secret: 'secret-0815',
  access,
  monthlyLimit: 1_000_000,
});
const stroke = (width: number): string =>
  `<path d="M1 1h9" fill="none" stroke="currentColor" stroke-width="${width}"/>`;
const SOLID = '<circle cx="12" cy="12" r="4" fill="currentColor"/>';
const BODIES = [SOLID, stroke(0.05), stroke(1), stroke(2), stroke(2.8), SOLID + stroke(1)];
const WORDS = ['arrow', 'left', 'Pfeil', '矢印'];

/** Three sets of every style and licence, under names of few words. */
async function createRoot(): Promise<string> {
  const sets = ['CC-BY-4.0', 'CC0-1.0', 'MIT'].map((spdx, set) => {
    const icons: Record<string, { body: string }> = {};
    for (let at = 0; at < 48; at++) {
      const words = WORDS.filter((_, bit) => ((at + set) & (1 << bit)) !== 0);
      icons[[...words, `n${at}`].join('-')] = { body: BODIES[(at * 5 + set) % BODIES.length]! };
    }
    return fakeSet(`set-${set}`, { icons, license: { title: spdx, spdx } });
  });
  return createFolder(Object.assign({}, ...sets) as Record<string, string>);
}

async function openCatalog(keys: ReturnType<typeof pair>[]) {
  const server = createCatalogServer({ root: await createRoot(), keys });
  const clientOf = ({ key, secret }: { key: string; secret: string }): CatalogClient =>
    createCatalogClient({ baseUrl: 'http://catalog.test', key, secret, fetch: server.fetch });
  return { server, clientOf };
}

const styles = fc.option(fc.subarray(['solid', 'line'] as const, { minLength: 1 }), {
  nil: undefined,
});
const weights = fc.option(
  fc
    .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 59 }))
    .map(([low, more]) => `${low}-${Math.min(60, low + more)}` as const),
  { nil: undefined },
);
const publicDomain = fc.constantFrom(undefined, 1);

test('any filters together give what is left of the whole list after each of them', async () => {
  const { clientOf } = await openCatalog([pair('paid', 0)]);
  const client = clientOf(pair('paid', 0));
  const { icons: all } = await client.icons({ limit: 1000 });
  expect(all).toHaveLength(144);
  const phrases = fc.subarray(['n1', 'N2', 'arrow left', 'left arrow', '矢印', 'Pfeil n6']);

  await fc.assert(
    fc.asyncProperty(styles, weights, publicDomain, phrases, async (some, weight, free, terms) => {
      await client.blacklistTerms(terms, { overwrite: true });
      const [low = 0, high = 0] = (weight ?? '').split('-').map(Number);
      const kept = all.filter((icon: Icon) => {
        const own = icon.styles!.map(({ style }) => style);
        const width = icon.styles!.find(({ line_weight }) => line_weight)?.line_weight ?? -1;
        const words = ` ${icon.term!.toLowerCase()} `;
        return (
          (some === undefined || some.some((style) => own.includes(style))) &&
          (weight === undefined || (width >= low && width <= high)) &&
          (free === undefined || icon.license_description === 'public-domain') &&
          !terms.some((term) => words.includes(` ${term.toLowerCase()} `))
        );
      });
      const { icons, total } = await client.icons({
        styles: some,
        line_weight: weight,
        limit_to_public_domain: free,
        blacklist: 1,
        limit: 1000,
      });
      expect(icons.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
      expect(total).toBe(kept.length);
    }),
    { numRuns: 80 },
  );
});

const LIMITS = { paid: { perRequest: 1000, total: 20_000 }, free: { perRequest: 5, total: 5 } };
const write = fc.record({
  kind: fc.constantFrom('icon_ids' as const, 'collection_ids' as const, 'search_terms' as const),
  overwrite: fc.boolean(),
  from: fc.integer({ min: 0, max: 12 }),
  count: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.constantFrom(999, 1000)),
});

test('any writes of blacklists end where a model of the rules ends', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('paid' as const, 'free' as const),
      fc.array(write, { minLength: 1, maxLength: 12 }),
      async (access, writes) => {
        const key = pair(access, number++);
        const server = createCatalogServer({ sets: ['maki'], keys: [key] });
        const client = createCatalogClient({
          baseUrl: 'http://catalog.test',
          ...key,
          fetch: server.fetch,
        });
        const model: Record<'icon_ids' | 'collection_ids' | 'search_terms', (number | string)[]> = {
          icon_ids: [],
          collection_ids: [],
          search_terms: [],
        };
        for (const { kind, overwrite, from, count } of writes) {
          const ids = Array.from({ length: count }, (_, index) => from + index);
          const entries = kind === 'search_terms' ? ids.map((id) => `term ${id}`) : ids;
          const next = {
            ...model,
            [kind]: [...new Set([...(overwrite ? [] : model[kind]), ...entries])],
          };
          const size =
            kind === 'search_terms'
              ? next.search_terms.length
              : next.icon_ids.length + next.collection_ids.length;
          const { perRequest, total } = LIMITS[access];
          const allowed = count <= perRequest && size <= total;
          const answer =
            kind === 'search_terms'
              ? client.blacklistTerms(entries.map(String), { overwrite })
              : client.blacklistIds(ids, {
                  type: kind === 'icon_ids' ? 'icon' : 'collection',
                  overwrite,
                });
          if (allowed) {
            Object.assign(model, next);
            expect((await answer).blacklist).toEqual(model);
          } else {
            await expect(answer).rejects.toMatchObject({ code: 'CATALOG_BAD_REQUEST' });
          }
        }
        expect((await client.blacklistTerms([])).blacklist).toEqual(model);
      },
    ),
    { numRuns: 30 },
  );
});

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '0', '1', '-1', '1e3', '١', '9007199254740993', 'null', '%', '%zz', '\u0000'),
  fc.integer().map(String),
);
const path = fc.constantFrom(...NAMES).chain((name) => {
  const { path, query, method } = endpointOf(name);
  const parameters = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...Object.keys(query), 'limit', 'other'), value), value),
    { maxLength: 4 },
  );
  const segment = fc.oneof(value.map(encodeURIComponent), fc.constantFrom('maki', '1', '%zz'));
  return fc
    .tuple(fc.array(segment, { minLength: 3, maxLength: 3 }), parameters)
    .map(([segments, pairs]) => {
      let at = 0;
      const filled = path.replace(/\{\w+\}/g, () => segments[at++] ?? '');
      // The signer refuses this one name, and so does the catalog: see `catalog/authorization`.
      const search = pairs
        .filter(([parameter]) => parameter !== '__proto__')
        .map((pair) => pair.map(encodeURIComponent).join('='))
        .join('&');
      return { method, path: `${filled}?${search}` };
    });
});
const body = fc.oneof(
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc
    .record({ blacklist: fc.jsonValue(), overwrite: fc.jsonValue() })
    .map((json) => JSON.stringify(json)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

test('nothing that is rightly signed makes the catalog fail: 200, 400 or 404, in JSON', async () => {
  const key = pair('paid', 0);
  const { server } = await openCatalog([key]);
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(path, body, async (call, text) => {
      const url = new URL(`http://catalog.test${call.path}`).href;
      const timestamp = Math.floor(Date.now() / 1000);
      const parameters = sign({ ...call, url, ...key, nonce: freshNonce(), timestamp });
      const response = await server.fetch(
        new Request(url, {
          method: call.method,
          headers: { authorization: toHeader(parameters), 'content-type': 'application/json' },
          ...(call.method === 'POST' && { body: text }),
        }),
      );
      seen.add(response.status);
      expect([200, 400, 404]).toContain(response.status);
      expect(await response.json()).toBeTypeOf('object');
    }),
    { numRuns: 800 },
  );
  expect(seen).toEqual(new Set([200, 400, 404]));
});
