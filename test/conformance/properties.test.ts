import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalogClient, type CatalogClient } from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { listen } from '../../src/server/listen.ts';
import type { FetchPort } from '../../src/types.ts';

const KEY = { key: 'kéy with spaces & signs', secret: 's€cret+%/=' };
const keys = [{ ...KEY, monthlyLimit: 10_000_000 }];

interface Seen {
  method: string;
  url: URL;
  status: number;
}

/** A catalog that notes what reached it, and the client of it. */
interface Wiretap {
  client: CatalogClient;
  last(): Seen;
  close(): Promise<void>;
}

async function openWiretap(transport: 'in process' | 'on a port'): Promise<Wiretap> {
  const server = createCatalogServer({ sets: ['maki'], keys });
  let seen: Seen | undefined;
  const fetch: FetchPort = async (request) => {
    const response = await server.fetch(request);
    seen = { method: request.method, url: new URL(request.url), status: response.status };
    return response;
  };
  const port = transport === 'on a port' ? await listen(fetch) : undefined;
  const options = { ...KEY, retries: 0 };
  return {
    client: createCatalogClient(
      port
        ? { baseUrl: port.url, ...options }
        : { baseUrl: 'http://catalog.test', fetch, ...options },
    ),
    last() {
      if (!seen) throw new Error('No request has reached the catalog.');
      return seen;
    },
    close: async () => port?.close(),
  };
}

/** What addresses, signatures and decoders treat in ways of their own. */
const RESERVED: readonly string[] = Array.from('%+&=?#/\\;: ~!\'()*"<>é漢').concat([
  '%20',
  '%2F',
  '%',
  '../',
  'oauth_nonce',
  '🏴‍☠️',
  '\u0000',
]);

/** Any text that UTF-8 can hold: emoji, joiners, marks, controls, all planes. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc
    .array(fc.constantFrom(...RESERVED), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join('')),
);
/** The client sends no blank text. */
const phrase = text.filter((value) => value.trim() !== '');
const query = phrase;
/** Digits address by id, and dot segments are no name that an address can hold. */
const name = phrase.filter((value) => !/^\d+$|^\.{1,2}$/.test(value));

/** 404 is an answer to a signed call; 401 would be one to a wrong signature. */
async function settle(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined);
}

/** The variable part of a path, decoded as the catalog does it. */
function segmentAt({ url }: Seen, index: number): string {
  return decodeURIComponent(url.pathname.split('/')[index] ?? '');
}

describe.each(['in process', 'on a port'] as const)('any Unicode text, %s', (transport) => {
  let tap: Wiretap;
  beforeAll(async () => {
    tap = await openWiretap(transport);
  });
  afterAll(() => tap.close());
  const runs = { numRuns: transport === 'in process' ? 120 : 40 };

  test('as a query: arrives unchanged and rightly signed', () =>
    fc.assert(
      fc.asyncProperty(query, async (value) => {
        await tap.client.icons({ query: value, limit: 1 });
        expect(tap.last()).toMatchObject({ method: 'GET', status: 200 });
        expect(tap.last().url.searchParams.get('query')).toBe(value);
        await tap.client.collections({ query: value });
        expect(tap.last().url.searchParams.get('query')).toBe(value);
        await tap.client.autocomplete(value);
        expect(tap.last().url.searchParams.get('query')).toBe(value);
      }),
      runs,
    ));

  test('as a term: is one segment of the path, unchanged and rightly signed', () =>
    fc.assert(
      fc.asyncProperty(name, async (value) => {
        await tap.client.v1.icons(value, { limit: 1 });
        expect([tap.last().status, segmentAt(tap.last(), 2)]).toEqual([200, value]);
        await settle(tap.client.v1.icon(value));
        expect([200, 404]).toContain(tap.last().status);
        expect([tap.last().url.pathname.split('/').length, segmentAt(tap.last(), 2)]).toEqual([
          3,
          value,
        ]);
      }),
      runs,
    ));

  test('as a slug or user name: likewise', () =>
    fc.assert(
      fc.asyncProperty(name, async (value) => {
        for (const [ask, segments, index] of [
          [() => tap.client.v1.collection(value), 3, 2],
          [() => tap.client.v1.collectionIcons(value), 4, 2],
          [() => tap.client.v1.userUploads(value), 4, 2],
          [() => tap.client.v1.userCollection(1, value), 5, 4],
        ] as const) {
          await settle(ask());
          expect([200, 404]).toContain(tap.last().status);
          expect(tap.last().url.pathname.split('/')).toHaveLength(segments);
          expect(segmentAt(tap.last(), index)).toBe(value);
        }
      }),
      runs,
    ));

  test('as phrases of a blacklist: come back as they were sent', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(phrase, { minLength: 1, maxLength: 8 }), async (phrases) => {
        const { blacklist } = await tap.client.blacklistTerms(phrases, { overwrite: true });
        expect(blacklist.search_terms).toEqual(phrases);
        const added = await tap.client.blacklistTerms(phrases, { overwrite: false });
        expect(added.blacklist.search_terms).toEqual(phrases);
        const { icons } = await tap.client.icons({ blacklist: 1, limit: 1 });
        expect(icons.length).toBeLessThanOrEqual(1);
      }),
      runs,
    ));
});
