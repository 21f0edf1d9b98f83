import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { collectionId, userId } from '../../src/server/ids.ts';
import { embeddedIconId } from '../../src/server.ts';
import { FREE, type Harness, createHarness } from './support.ts';

let harness: Harness;
beforeAll(() => {
  harness = createHarness({
    keys: [{ key: 'test-key-paid', secret: 'test-secret-paid', monthlyLimit: 1e6 }, FREE],
  });
});

const AERIALWAY = embeddedIconId('maki', 'aerialway');
const MAKI = collectionId('maki');
const author = { location: '', name: 'Mapbox', permalink: '/maki/', username: 'maki' };
const listed = {
  id: String(MAKI),
  name: 'Maki',
  slug: 'maki',
  description: 'Maki 8.2.0, CC0',
  permalink: '/maki/',
  author,
  author_id: String(userId('maki')),
  date_created: '2025-02-27 06:26:55',
  date_updated: '2025-02-27 06:26:55',
  is_collaborative: '0',
  is_featured: '0',
  is_published: '1',
  is_store_item: '0',
  sponsor: {},
  sponsor_campaign_link: '',
  sponsor_id: '',
  tags: ['Flags / Maps', 'Precise Shapes', 'Has Padding'],
  template: '',
};
const icon = {
  id: String(AERIALWAY),
  term: 'Aerialway',
  term_id: expect.any(Number),
  term_slug: 'aerialway',
  attribution: expect.stringContaining('Mapbox'),
  date_uploaded: '2025-02-27',
  icon_url: expect.stringMatching(/\.svg\?Expires=\d+&Signature=/),
  preview_url: `http://catalog.test/asset/thumbnail/${AERIALWAY}-200.png`,
  preview_url_42: `http://catalog.test/asset/thumbnail/${AERIALWAY}-42.png`,
  preview_url_84: `http://catalog.test/asset/thumbnail/${AERIALWAY}-84.png`,
  is_active: '1',
  license_description: 'public-domain',
  permalink: '/maki/aerialway/',
  sponsor: {},
  sponsor_campaign_link: null,
  sponsor_id: '',
  uploader: author,
  uploader_id: String(userId('maki')),
  year: 2025,
};
const generated_at = 'Wed, 04 Mar 2026 05:06:07 GMT';

describe('collections', () => {
  test.each([
    `/collection/${MAKI}`,
    '/collection/maki',
    `/user/${userId('maki')}/collections/maki`,
  ])('%s', async (path) => {
    expect((await harness.get(path)).body).toEqual({
      collection: { ...listed, icon_count: '394' },
    });
  });

  test('lists, where icon_count is not given', async () => {
    const { body } = await harness.get('/collections?limit=1&offset=1');
    expect(body).toEqual({ collections: [listed] });
    expect((await harness.get(`/user/${userId('maki')}/collections`)).body).toEqual({
      collections: [listed],
    });
  });

  test.each([`/collection/${MAKI}/icons?limit=1`, '/collection/maki/icons?limit=1'])(
    '%s',
    async (path) => {
      expect((await harness.get(path)).body).toEqual({ generated_at, icons: [icon] });
    },
  );

  test.each([
    '/collection/7',
    '/collection/none',
    '/collection/none/icons',
    '/collection/7/icons',
    '/user/7/collections',
    '/user/maki/collections',
    `/user/${userId('maki')}/collections/tabler`,
    '/user/7/collections/maki',
    '/user/nobody/uploads',
  ])('%s is not found', async (path) => {
    expect((await harness.get(path)).status).toBe(404);
  });
});

describe('icons', () => {
  test('by id and by term, with collections and tags', async () => {
    const single = {
      ...icon,
      collections: [listed],
      tags: [
        { id: expect.stringMatching(/^\d+$/), slug: 'aerialway' },
        { id: expect.any(String), slug: 'aerialway-15' },
      ],
    };
    expect((await harness.get(`/icon/${AERIALWAY}`)).body).toEqual({ icon: single });
    expect((await harness.get('/icon/aerialway')).body).toEqual({ icon: single });
    expect((await harness.get(`/icon/${AERIALWAY}?include_png_1200=1`)).body['icon']).toMatchObject(
      { preview_url_1200: expect.stringMatching(/-1200\.png\?Expires=/) },
    );
  });

  test('a term is a name, in any case or as a slug; digits are an id', async () => {
    const term = async (text: string): Promise<unknown> =>
      (
        (await harness.get(`/icon/${encodeURIComponent(text)}`)).body['icon'] as
          | { id?: string }
          | undefined
      )?.id;
    expect(await term('Arrow Left')).toBe(String(embeddedIconId('tabler', 'arrow-left')));
    expect(await term('arrow-left')).toBe(String(embeddedIconId('tabler', 'arrow-left')));
    expect(await term('123')).toBeUndefined();
    expect(await term('arrow-lef')).toBeUndefined();
  });

  test('by term in lists, with collections; no hit is an empty list', async () => {
    expect((await harness.get('/icons/aerialway?limit=1')).body).toEqual({
      generated_at,
      icons: [{ ...icon, collections: [listed] }],
    });
    expect((await harness.get('/icons/no%20such%20thing')).body).toEqual({
      generated_at,
      icons: [],
    });
    const { body } = await harness.get('/icons/bus?limit_to_public_domain=1');
    const found = body['icons'] as { license_description: string }[];
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ license_description }) => license_description === 'public-domain')).toBe(
      true,
    );
  });

  test('uploads of a user', async () => {
    expect((await harness.get('/user/maki/uploads?limit=1')).body).toEqual({
      generated_at,
      uploads: [icon],
    });
  });

  test('free keys see no address of what they may not have', async () => {
    const { body } = await harness.get('/icon/arrow-left', { credentials: FREE });
    expect(body['icon']).not.toHaveProperty('icon_url');
  });
});

test('any Unicode term, slug or user name is one segment and arrives as it was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
      // `.` and `..` are no segments of an address: they are gone before a request is sent.
      fc.pre(!/^\.{1,2}$/.test(text));
      const segment = encodeURIComponent(text);
      expect((await harness.get(`/icons/${segment}?limit=1`)).status).toBe(200);
      expect([200, 404]).toContain((await harness.get(`/icon/${segment}`)).status);
      expect([200, 404]).toContain((await harness.get(`/collection/${segment}`)).status);
      expect((await harness.get(`/v2/icon?limit=1&query=${segment}`)).status).toBe(200);
    }),
    { numRuns: 40 },
  );
});
