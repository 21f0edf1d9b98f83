import { expect, test } from 'vitest';
import { DECISIONS } from './support/decisions.ts';
import { checkTargets, embedded } from './support/conformance.ts';
import { bytesOf, get, listOf, sizeOfPng, statusOf } from './support/read.ts';
import { WORD, type Embedded, type Target } from './support/target.ts';

type Own = Target & { embedded: Embedded };

/** Decisions that this catalog of three sets cannot show, and the tests that do. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'PNG of an icon that cannot be drawn': 'test/server/download.test.ts',
  '`color` on files of several tones': 'test/server/colorize.test.ts',
  'Texts of licences': 'test/build/license-texts.test.ts',
  'Which colour an icon has of its own': 'test/server/colorize.test.ts',
  'Which styles an icon has': 'test/server/style.test.ts',
};

const CHECKS: Readonly<Record<string, (target: Own) => Promise<void>>> = {
  'Signature method and transport': async (target) => {
    const seconds = Math.floor(target.embedded.clock.now / 1000);
    const status = async (timestamp: number): Promise<number> =>
      (await target.ask('/v2/client/usage', { timestamp })).status;
    expect(await Promise.all([-301, -300, 300, 301].map((by) => status(seconds + by)))).toEqual([
      401, 200, 200, 401,
    ]);
  },
  'Shape of an error body': async (target) => {
    for (const path of ['/v2/icon/1', '/v2/icon?limit=0', '/nowhere'])
      expect((await target.ask(path)).body).toEqual({ message: expect.any(String) });
  },
  'Status of an invalid parameter, path token or body': async (target) => {
    const paths = ['styles=x', 'limit=0', 'limit=1&limit=1', 'next_page=x', 'thumbnail_size=1'];
    for (const query of paths) expect(await statusOf(target, `/v2/icon?${query}`)).toBe(400);
    const write = (body: unknown) =>
      target.ask('/v2/client/blacklist/id', { method: 'POST', body });
    expect((await write({ blacklist: 'x' })).status).toBe(400);
    expect((await write({ blacklist: [1], overwrite: 'yes' })).status).toBe(400);
    expect((await write({ blacklist: [], more: 'x'.repeat(5 * 1024 * 1024) })).status).toBe(413);
  },
  'Status of a download that the access level forbids': async (target) => {
    const credentials = target.embedded.free;
    const { icons } = await target.subjects();
    const { id } = icons.find((icon) => icon.license_description !== 'public-domain')!;
    expect((await target.ask(`/v2/icon/${id}/download`, { credentials })).status).toBe(403);
    const { icon } = await target.clientOf(credentials).icon(id);
    expect(icon).not.toHaveProperty('icon_url');
  },
  'Status of an unknown id, a path that is none of the interface, HEAD or another method': async (
    target,
  ) => {
    for (const path of ['/v2/icon/1', '/v2/collection/1', '/v2', '/v2/user', '/icon'])
      expect([path, await statusOf(target, path)]).toEqual([path, 404]);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'POST'])
      expect((await target.ask('/v2/icon', { method })).status).toBe(404);
  },
  'Integer flags with other values than 1': async (target) => {
    const total = async (flag: number): Promise<unknown> =>
      (await get(target, `/v2/icon?limit=1&limit_to_public_domain=${flag}`))['total'];
    const [off, on, other, negative] = await Promise.all([0, 1, 2, -1].map(total));
    expect(on).not.toBe(off);
    expect([other, negative]).toEqual([on, on]);
  },
  'Default and largest `limit`': async (target) => {
    const count = async (path: string, field = 'icons'): Promise<number> =>
      ((await get(target, path))[field] as unknown[]).length;
    expect(await count('/v2/icon')).toBe(50);
    expect(await count(`/icons/${WORD}`)).toBe(50);
    expect(await count('/v2/icon?limit=1001')).toBe(1000);
    expect(await count('/v2/icon/autocomplete?query=a', 'suggestions')).toBe(10);
  },
  'Default `thumbnail_size`': async (target) => {
    const { icons } = await target.client.icons({ limit: 1 });
    const thumbnail = await bytesOf(await target.fetchAsset(icons[0]!.thumbnail_url!));
    expect(sizeOfPng(thumbnail)).toEqual([200, 200]);
  },
  'Defaults of a download': async (target) => {
    const { id } = (await target.subjects()).publicDomain;
    const plain = await get(target, `/v2/icon/${id}/download`);
    const black = await get(target, `/v2/icon/${id}/download?filetype=svg&color=000000`);
    expect(plain['base64_encoded_file']).toBe(black['base64_encoded_file']);
    const { bytes } = await target.client.download(id, { filetype: 'png' });
    expect(sizeOfPng(bytes)).toEqual([1200, 1200]);
  },
  'No `query` in a list': async (target) => {
    const { total } = await target.client.icons({ limit: 1 });
    const counts = (await target.client.collections()).collections.map((one) => one.icon_count);
    expect(total).toBe(counts.reduce((sum, count) => sum! + count!, 0));
    expect(await statusOf(target, '/v2/icon/autocomplete')).toBe(400);
  },
  '`total`': async (target) => {
    const { collectionId, icons } = await target.subjects();
    const { total, collection } = await target.client.collection(collectionId, { limit: 1 });
    expect(total).toBe(collection.icon_count);
    expect((await target.client.icon(icons[0]!.id)).total).toBe(1);
  },
  'Page tokens': async (target) => {
    const { next_page } = await target.client.icons({ query: WORD, limit: 2 });
    const token = encodeURIComponent(next_page!);
    expect(await statusOf(target, `/v2/icon?query=house&next_page=${token}`)).toBe(400);
    expect(await statusOf(target, `/v2/icon?query=${WORD}&limit=9&next_page=${token}`)).toBe(200);
    const all = await get(target, '/v2/collection?limit=1000');
    expect(all).not.toHaveProperty('next_page');
  },
  'Blacklisted item asked by its id with `blacklist` set': async (target) => {
    const credentials = target.embedded.take('paid');
    const { icons, collectionId } = await target.subjects();
    const client = target.clientOf(credentials);
    await client.blacklistIds([icons[0]!.id]);
    await client.blacklistIds([collectionId], { type: 'collection' });
    for (const path of [`/v2/icon/${icons[0]!.id}`, `/v2/collection/${collectionId}`])
      expect((await target.ask(`${path}?blacklist=1`, { credentials })).status).toBe(404);
  },
  'What a blacklisted term matches': async (target) => {
    const client = target.clientOf(target.embedded.take('paid'));
    const query = { query: 'arrow left', limit: 100, blacklist: 1 } as const;
    const terms = async (): Promise<string[]> =>
      (await client.icons(query)).icons.map(({ term }) => term!.toLowerCase());
    expect(await terms()).toContain('arrow left');
    await client.blacklistTerms(['LEFT arrow'], { overwrite: true });
    expect(await terms()).toContain('arrow left');
    await client.blacklistTerms(['Arrow LEFT'], { overwrite: true });
    expect(await terms()).not.toContain('arrow left');
    expect((await client.autocomplete('arrow l', { blacklist: 1 })).suggestions).not.toContain(
      'arrow left',
    );
  },
  'Default of `overwrite`': async (target) => {
    const client = target.clientOf(target.embedded.take('paid'));
    await client.blacklistIds([1]);
    expect((await client.blacklistIds([2])).blacklist.icon_ids).toEqual([1, 2]);
  },
  'What the ten-minute blacklist cache covers': async (target) => {
    const client = target.clientOf(target.embedded.take('paid'));
    await client.blacklist();
    const { icons } = await client.icons({ query: WORD, limit: 1, blacklist: 1 });
    const written = await client.blacklistIds([icons[0]!.id]);
    expect(written.blacklist.icon_ids).toHaveLength(1);
    const after = await client.icons({ query: WORD, limit: 1, blacklist: 1 });
    expect(after.icons[0]?.id).not.toBe(icons[0]!.id);
    expect((await client.blacklist()).blacklist.icon_ids).toEqual([]);
  },
  'Hourly and daily limits': async (target) => {
    const credentials = target.embedded.limited.hourly;
    const ask = () => target.ask('/v2/icon/1', { credentials });
    await ask();
    await ask();
    const { status, headers } = await ask();
    const { now } = target.embedded.clock;
    const untilNextHour = Math.ceil((3_600_000 - (now % 3_600_000)) / 1000);
    expect([status, headers.get('retry-after')]).toEqual([429, String(untilNextHour)]);
  },
  'Which operations count toward usage': async (target) => {
    const credentials = target.embedded.take('paid');
    const client = target.clientOf(credentials);
    await target.ask('/v2/icon/1', { credentials, timestamp: 1 });
    const { icon } = await target.client.icon((await target.subjects()).publicDomain.id);
    await target.fetchAsset(icon.icon_url!);
    expect((await client.usage()).monthly.usage).toBe(1);
    expect((await client.usage()).monthly.usage).toBe(2);
  },
  'Values of `license_description`': async (target) => {
    const { collections } = await target.client.collections();
    const values = await Promise.all(
      collections.map(async ({ id }) => {
        const { collection } = await target.client.collection(id, { limit: 1 });
        return collection.icons[0]!.license_description!;
      }),
    );
    expect(values.toSorted()).toEqual(['MIT', 'creative-commons-attribution', 'public-domain']);
  },
  Permalinks: async (target) => {
    const { icon } = await target.client.v1.icon('aerialway');
    expect(icon.permalink).toBe('/maki/aerialway/');
  },
  'v1 search without a hit': async (target) => {
    const { icons } = await get(target, '/icons/xyzzyqqq');
    expect(listOf(icons)).toEqual([]);
  },
  'v1 icon by term': async (target) => {
    const { icon } = await target.client.v1.icon('ARROW left');
    expect(icon.term_slug).toBe('arrow-left');
    expect(await statusOf(target, '/icon/arrow-lef')).toBe(404);
  },
  'v1 address of the 1200 px PNG': async (target) => {
    const { id } = (await target.subjects()).publicDomain;
    const { icon } = await get(target, `/icon/${id}?include_png_1200=1`);
    expect(icon).toHaveProperty('preview_url_1200');
    expect((await get(target, `/icon/${id}`))['icon']).not.toHaveProperty('preview_url_1200');
  },
  'v1 attribution preview': async (target) => {
    const { icons, publicDomain } = await target.subjects();
    const { id } = icons.find((each) => each.license_description !== 'public-domain')!;
    const { icon } = await target.client.v1.icon(id);
    const response = await target.fetchAsset(icon.attribution_preview_url!);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toContain(icon.term);
    const free = await target.client.v1.icon(publicDomain.id);
    expect(free.icon).not.toHaveProperty('attribution_preview_url');
    const { icon: forFree } = await target.clientOf(target.embedded.free).v1.icon(id);
    expect(forFree).not.toHaveProperty('icon_url');
  },
  'Whether addresses of thumbnails and previews expire': async (target) => {
    const { icons } = await target.subjects();
    const { id } = icons.find((each) => each.license_description !== 'public-domain')!;
    const { icon } = await target.client.v1.icon(id);
    expect(icon.preview_url).not.toContain('?');
    expect(icon.attribution_preview_url).not.toContain('?');
    expect(icon.icon_url).toContain('Expires=');
  },
  'A path with a slash at its end': async (target) => {
    const { id } = (await target.subjects()).publicDomain;
    const lists = ['/v2/icon/', '/v2/collection/', '/collections/', '/v2/client/usage/'];
    const paths = [...lists, `/v2/icon/${id}/`, `/v2/icon/${id}/download/`, `/icon/${id}/`];
    for (const path of paths) {
      const [slashed, plain] = [await target.ask(path), await target.ask(path.slice(0, -1))];
      expect([path, slashed.status]).toEqual([path, 200]);
      expect(Object.keys(slashed.body as object)).toEqual(Object.keys(plain.body as object));
    }
    expect(await statusOf(target, '/v2/icon//')).toBe(404);
    expect(await statusOf(target, '/')).toBe(404);
  },
  'v1 users': async (target) => {
    const { collection } = await target.client.v1.collection('maki');
    expect([collection.slug, collection.author?.username]).toEqual(['maki', 'maki']);
  },
  'v1 sponsors, campaigns and templates': async (target) => {
    const { collection } = await target.client.v1.collection('maki');
    expect(collection).toMatchObject({ sponsor: {}, sponsor_id: '', template: '' });
    expect(Object.keys(collection.sponsor!)).toEqual([]);
  },
  'v1 dates': async (target) => {
    const { collections } = await target.client.v1.collections();
    for (const { date_created, date_updated } of collections)
      expect(date_created).toBe(date_updated);
  },
};

test('each decision is checked here, or by the test that is named', () => {
  const known = [...Object.keys(CHECKS), ...Object.keys(ELSEWHERE)];
  expect(known.toSorted()).toEqual(DECISIONS.map(({ question }) => question).toSorted());
});

checkTargets(
  Object.entries(CHECKS).map(([question, check]) => [`Not shown: ${question}`, embedded(check)]),
);
