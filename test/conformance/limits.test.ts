import { expect } from 'vitest';
import { withBlacklist } from './support/blacklists.ts';
import { conformance, embedded, legacy, writing } from './support/conformance.ts';
import { bytesOf, expectRefusal, get, listOf, sizeOfPng, statusOf } from './support/read.ts';
import { WORD, type Credentials, type Target } from './support/target.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;

/** Statuses of so many calls of one key. */
async function callTimes(target: Target, credentials: Credentials, times: number) {
  const statuses: number[] = [];
  for (let call = 0; call < times; call++)
    statuses.push((await target.ask('/v2/icon/1', { credentials })).status);
  return statuses;
}

/** Statuses of writes: so many ids or terms in one request. */
async function write(
  target: Target,
  credentials: Credentials,
  { kind, entries, overwrite = false }: { kind: string; entries: unknown[]; overwrite?: boolean },
): Promise<number> {
  const body = { blacklist: entries, overwrite };
  const path = `/v2/client/blacklist/${kind}`;
  return (await target.ask(path, { method: 'POST', credentials, body })).status;
}

const range = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index);
const phrases = (count: number, from = 1): string[] =>
  range(count, from).map((number) => `phrase ${number}`);

conformance({
  'Limits: Usage per key': {
    hourly: embedded(async (target) => {
      const credentials = target.embedded.limited.hourly;
      expect(await callTimes(target, credentials, 3)).toEqual([404, 404, 429]);
      target.embedded.clock.now += HOUR;
      expect(await callTimes(target, credentials, 1)).toEqual([404]);
    }),
    daily: embedded(async (target) => {
      const credentials = target.embedded.limited.daily;
      expect(await callTimes(target, credentials, 3)).toEqual([404, 404, 429]);
      target.embedded.clock.now += HOUR;
      expect(await callTimes(target, credentials, 1)).toEqual([429]);
      target.embedded.clock.now += DAY;
      expect(await callTimes(target, credentials, 1)).toEqual([404]);
    }),
    monthly: embedded(async (target) => {
      const credentials = target.embedded.limited.monthly;
      expect(await callTimes(target, credentials, 3)).toEqual([404, 404, 429]);
      target.embedded.clock.now += DAY;
      expect(await callTimes(target, credentials, 1)).toEqual([429]);
      target.embedded.clock.now += 31 * DAY;
      expect(await callTimes(target, credentials, 1)).toEqual([404]);
    }),
    'all requests count, of both generations': embedded(async (target) => {
      const credentials = target.embedded.take('paid');
      const paths = ['/v2/icon?limit=1', '/v2/icon/1', '/collections', '/oauth/usage', '/icon/1'];
      for (const path of paths) await target.ask(path, { credentials });
      const { usage } = await target.clientOf(credentials).v1.usage();
      expect(usage.monthly).toBe(paths.length + 1);
    }),
    'another key is not touched': embedded(async (target) => {
      const credentials = target.embedded.take('paid');
      await callTimes(target, target.embedded.take('paid'), 3);
      expect((await target.clientOf(credentials).usage()).monthly.usage).toBe(1);
    }),
  },

  'Limits: Blacklist array length per request': {
    '1,000 for paid keys': embedded(async (target) => {
      const paid = target.embedded.take('paid');
      for (const [kind, make] of [['id', range] as const, ['term', phrases] as const]) {
        expect(await write(target, paid, { kind, entries: make(1000) })).toBe(200);
        expect(await write(target, paid, { kind, entries: make(1001) })).toBe(400);
      }
    }),
    '5 for free keys': embedded(async (target) => {
      const free = target.embedded.take('free');
      for (const [kind, make] of [['id', range] as const, ['term', phrases] as const]) {
        expect(await write(target, free, { kind, entries: make(5), overwrite: true })).toBe(200);
        expect(await write(target, free, { kind, entries: make(6), overwrite: true })).toBe(400);
      }
    }),
    'a refused write changes nothing': embedded(async (target) => {
      const free = target.embedded.take('free');
      const client = target.clientOf(free);
      await client.blacklistIds([1, 2], { overwrite: true });
      expect(await write(target, free, { kind: 'id', entries: range(6, 10) })).toBe(400);
      expect((await client.blacklistIds([], { overwrite: false })).blacklist.icon_ids).toEqual([
        1, 2,
      ]);
    }),
    'the client refuses more than 1,000 before it sends': async (target) => {
      await expect(target.client.blacklistIds(range(1001))).rejects.toMatchObject({
        code: 'CATALOG_BAD_REQUEST',
        path: 'blacklist',
      });
    },
  },

  'Limits: Blacklist total length': {
    '20,000 icon and collection ids together': embedded(async (target) => {
      const paid = target.embedded.take('paid');
      for (let thousand = 0; thousand < 19; thousand++)
        await write(target, paid, { kind: 'id', entries: range(1000, thousand * 1000) });
      const kind = 'id?type=collection';
      expect(await write(target, paid, { kind, entries: range(1000) })).toBe(200);
      expect(await write(target, paid, { kind, entries: [1001] })).toBe(400);
      expect(await write(target, paid, { kind: 'id', entries: [19_001] })).toBe(400);
      expect(await write(target, paid, { kind: 'term', entries: ['separate'] })).toBe(200);
    }),
    '20,000 terms': embedded(async (target) => {
      const paid = target.embedded.take('paid');
      for (let thousand = 0; thousand < 20; thousand++) {
        const entries = phrases(1000, thousand * 1000);
        expect(await write(target, paid, { kind: 'term', entries })).toBe(200);
      }
      expect(await write(target, paid, { kind: 'term', entries: ['one more'] })).toBe(400);
      expect(await write(target, paid, { kind: 'id', entries: [1] })).toBe(200);
    }),
    '5 for free keys': embedded(async (target) => {
      const free = target.embedded.take('free');
      expect(await write(target, free, { kind: 'id', entries: [1, 2, 3] })).toBe(200);
      const kind = 'id?type=collection';
      expect(await write(target, free, { kind, entries: [4, 5] })).toBe(200);
      expect(await write(target, free, { kind, entries: [6] })).toBe(400);
      expect(await write(target, free, { kind: 'term', entries: phrases(5) })).toBe(200);
      expect(await write(target, free, { kind: 'term', entries: ['six'] })).toBe(400);
    }),
  },

  'Limits: Autocomplete limit': async (target) => {
    const path = '/v2/icon/autocomplete?query=a';
    const { suggestions } = await get(target, `${path}&limit=10`);
    expect((suggestions as unknown[]).length).toBeGreaterThan(0);
    expect((suggestions as unknown[]).length).toBeLessThanOrEqual(10);
    const { status, body } = await target.ask(`${path}&limit=11`);
    if (status === 200)
      expect((body as { suggestions: [] }).suggestions.length).toBeLessThanOrEqual(10);
    else expect(status).toBeLessThan(500);
    await expect(target.client.autocomplete('a', { limit: 11 as 10 })).rejects.toMatchObject({
      code: 'CATALOG_BAD_REQUEST',
    });
  },

  'Limits: Download size': async (target) => {
    const { publicDomain } = await target.subjects();
    for (const size of [20, 1200]) {
      const { bytes } = await target.client.download(publicDomain.id, { filetype: 'png', size });
      expect(Math.max(...sizeOfPng(bytes))).toBe(size);
    }
    for (const size of [19, 1201, 0, -64, 64.5]) {
      const path = `/v2/icon/${publicDomain.id}/download?filetype=png&size=${size}`;
      expectRefusal(await target.ask(path));
      await expect(
        target.client.download(publicDomain.id, { filetype: 'png', size }),
      ).rejects.toMatchObject({ code: 'CATALOG_BAD_REQUEST', path: 'size' });
    }
  },

  'Limits: Line weight': async (target) => {
    for (const weight of ['1', '60', '1-60'])
      expect(await statusOf(target, `/v2/icon?query=${WORD}&line_weight=${weight}`)).toBe(200);
    for (const weight of ['0', '61', '0-10', '10-61', '10-4', '4-', '-4', '4-5-6', 'thick', '4.5'])
      expectRefusal(await target.ask(`/v2/icon?query=${WORD}&line_weight=${weight}`));
  },

  'Limits: Thumbnail size': async (target) => {
    const { icons, collectionId } = await target.subjects();
    const paths = [`/v2/icon/${icons[0]!.id}?`, '/v2/icon?limit=1&'];
    for (const path of [...paths, `/v2/collection/${collectionId}?limit=1&`]) {
      for (const size of [42, 84, 200])
        expect(await statusOf(target, `${path}thumbnail_size=${size}`)).toBe(200);
      for (const size of ['41', '100', '0', 'large', '42.0'])
        expectRefusal(await target.ask(`${path}thumbnail_size=${size}`));
    }
  },

  'Limits: Asset address lifetime': {
    'an address works after the call': async (target) => {
      const { publicDomain } = await target.subjects();
      const { icon } = await target.client.icon(publicDomain.id);
      const response = await target.fetchAsset(icon.icon_url!);
      expect(response.status).toBe(200);
      expect(Buffer.from(await bytesOf(response)).toString()).toContain('<svg');
    },
    'and dies within an hour': embedded(async (target) => {
      const { publicDomain } = await target.subjects();
      const { icon } = await target.client.icon(publicDomain.id);
      target.embedded.clock.now += HOUR - 1000;
      expect((await target.fetchAsset(icon.icon_url!)).status).toBe(200);
      target.embedded.clock.now += 1000;
      expect((await target.fetchAsset(icon.icon_url!)).status).toBe(403);
      const again = await target.client.icon(publicDomain.id);
      expect(again.icon.icon_url).not.toBe(icon.icon_url);
      expect((await target.fetchAsset(again.icon.icon_url!)).status).toBe(200);
    }),
    'of v1, too': embedded(async (target) => {
      const { publicDomain } = await target.subjects();
      const { icon } = await target.client.v1.icon(publicDomain.id);
      expect((await target.fetchAsset(icon.icon_url!)).status).toBe(200);
      target.embedded.clock.now += HOUR;
      expect((await target.fetchAsset(icon.icon_url!)).status).toBe(403);
    }),
  },

  'Limits: Blacklist cache': embedded((target) =>
    withBlacklist(target, async (client) => {
      expect((await client.blacklist()).blacklist.icon_ids).toEqual([]);
      await client.blacklistIds([31], { overwrite: true });
      target.embedded.clock.now += 10 * MINUTE - 1;
      const seen = (await client.blacklist()).blacklist.icon_ids;
      expect(seen).toEqual([]);
      target.embedded.clock.now += 1;
      expect((await client.blacklist()).blacklist.icon_ids).toEqual([31]);
    }),
  ),

  'Limits: v1 list size': legacy(async (target) => {
    const icons = async (query: string): Promise<number> =>
      listOf((await get(target, `/icons/${WORD}${query}`))['icons']).length;
    expect(await icons('')).toBe(50);
    expect(await icons('?offset=1')).toBe(50);
    expect(await icons('?limit=51')).toBe(51);
  }),

  'Limits: usage reports of both generations': {
    'v2: a monthly limit and what is used of it': async (target) => {
      const before = (await target.client.usage()).monthly;
      const after = (await target.client.icons({ limit: 1 })).usage_limits.monthly;
      expect(after.limit).toBe(before.limit);
      expect(after.usage).toBeGreaterThanOrEqual(Number(before.usage));
      expect(after.usage).toBeLessThanOrEqual(after.limit!);
    },
    'v1: null where there is no limit': embedded(async (target) => {
      const credentials = target.embedded.take('paid');
      expect(await target.clientOf(credentials).v1.usage()).toEqual({
        limits: { daily: null, hourly: null, monthly: 1_000_000 },
        usage: { daily: 1, hourly: 1, monthly: 1 },
      });
    }),
  },

  'What the service does 5: a blacklist for each key': writing((target) =>
    withBlacklist(target, async (client) => {
      await client.blacklistTerms(['only mine'], { overwrite: true });
      const other = target.embedded?.take('paid');
      if (other === undefined) return;
      const { blacklist } = await target.clientOf(other).blacklist();
      expect(blacklist.search_terms).toEqual([]);
    }),
  ),
});
