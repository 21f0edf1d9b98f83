import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { FREE, type Harness, createHarness } from './support.ts';

const ARROW = embeddedIconId('tabler', 'arrow-left');
const AERIALWAY = embeddedIconId('maki', 'aerialway');
const HOUSE = embeddedIconId('game-icons', 'house');

let harness: Harness;
beforeAll(() => {
  harness = createHarness();
});

interface Found {
  id: string;
  term: string;
  icon_url?: string;
  license_description: string;
  styles: { style: string; line_weight?: number }[];
}
const icons = (body: object): Found[] => (body as { icons: Found[] }).icons;
const total = (body: object): number => (body as { total: number }).total;

describe('icon', () => {
  test('has every field of the interface', async () => {
    const { status, body } = await harness.get(`/v2/icon/${ARROW}?thumbnail_size=84`);
    expect(status).toBe(200);
    expect(body).toEqual({
      generated_at: '2026-03-04 05:06:07.089000',
      icon: {
        id: String(ARROW),
        term: 'Arrow left',
        attribution:
          '“Arrow left” by Paweł Kuna (https://github.com/tabler/tabler-icons) from Tabler Icons, MIT',
        creator: { name: 'Paweł Kuna', permalink: '/tabler/', username: 'tabler' },
        collections: [
          {
            creator: { name: 'Paweł Kuna', permalink: '/tabler/', username: 'tabler' },
            id: '42343146533624',
            name: 'Tabler Icons',
            permalink: '/tabler/',
          },
        ],
        license_description: 'MIT',
        permalink: '/tabler/arrow-left/',
        site_url: 'https://icon-sets.iconify.design',
        creator_url: 'https://github.com/tabler/tabler-icons',
        license_url: 'https://github.com/tabler/tabler-icons/blob/master/LICENSE',
        styles: [{ style: 'line', line_weight: 43 }],
        tags: ['arrow', 'left'],
        thumbnail_url: `http://catalog.test/asset/thumbnail/${ARROW}-84.png`,
        icon_url: expect.stringMatching(
          new RegExp(
            `^http://catalog.test/asset/icon/${ARROW}\\.svg\\?Expires=1772604367&Signature=[\\w-]{43}$`,
          ),
        ),
      },
      total: 1,
      usage_limits: { monthly: { limit: 5000, usage: expect.any(Number) } },
    });
  });

  test('a search lists the icon whose tag is the word before those that have it among many words', async () => {
    const { get } = createHarness({ sets: ['tabler'] });
    const { body } = await get('/v2/icon?query=house&limit=100');
    const terms = (body['icons'] as { term: string }[]).map(({ term }) => term);
    expect(terms[0]).toBe('Home');
    expect(terms.indexOf('Brand google home')).toBeGreaterThan(terms.length / 2);
  });

  test.each([
    // One word for what others write as two, and the other way round.
    ['log out', ['Logout']],
    ['Trash can', ['Trash']],
    ['check mark', ['Check']],
    ['arrowleft', ['Arrow left']],
    // Another word for the same.
    ['sign in', ['Login']],
    ['user profile', ['User']],
    ['dark mode', ['Moon']],
    ['save', ['Device floppy']],
    ['undo', ['Arrow back']],
    ['globe', ['Globe', 'World']],
    // A typing mistake: letters swapped, the nearest spelling alone.
    ['hosue', ['Home']],
    ['calender', ['Calendar']],
    // A sentence: icons that have the most of its words.
    ['arrow pointing right', ['Arrow right']],
    ['copy to clipboard', ['Clipboard copy']],
    ['close button', ['X']],
    ['an arrow that is pointing right and then further down', ['Arrow right']],
  ])('“%s” finds %j first', async (query, expected) => {
    const { get } = createHarness({ sets: ['tabler'] });
    const { body } = await get(`/v2/icon?query=${encodeURIComponent(query)}&limit=5`);
    const terms = (body['icons'] as { term: string }[]).map(({ term }) => term);
    expect(terms.slice(0, expected.length)).toEqual(expected);
  });

  test('licences: CC BY, CC0 and others, each in its words', async () => {
    const of = async (id: number): Promise<object> =>
      (await harness.get(`/v2/icon/${id}`)).body['icon'] as object;
    expect(await of(HOUSE)).toMatchObject({
      license_description: 'creative-commons-attribution',
      attribution:
        '“House” by GameIcons (https://github.com/game-icons/icons) from Game Icons, CC BY 3.0',
    });
    expect(await of(AERIALWAY)).toMatchObject({ license_description: 'public-domain' });
    expect(await of(ARROW)).toMatchObject({ license_description: 'MIT' });
  });

  test('icon_url is absent if the tier may not have the file', async () => {
    const credentials = FREE;
    const paidOnly = await harness.get(`/v2/icon/${HOUSE}`, { credentials });
    expect(paidOnly.body['icon']).not.toHaveProperty('icon_url');
    const free = await harness.get(`/v2/icon/${AERIALWAY}`, { credentials });
    expect(free.body['icon']).toHaveProperty('icon_url');
  });

  test.each([
    ['/v2/icon/1', 404],
    ['/v2/icon/abc', 404],
    ['/v2/icon/-1', 404],
    ['/v2/icon/99999999999999999999', 404],
    [`/v2/icon/${ARROW}?thumbnail_size=100`, 400],
    [`/v2/icon/${ARROW}?blacklist=yes`, 400],
  ])('%s → %i', async (path, status) => {
    const answer = await harness.get(path);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(/./);
  });
});

describe('icons', () => {
  test('finds by name, best first, all words', async () => {
    const { body } = await harness.get('/v2/icon?query=arrow%20left');
    expect(icons(body)[0]?.term).toBe('Arrow left');
    expect(icons(body)).toHaveLength(50);
    expect(icons(body).every(({ icon_url }) => icon_url === undefined)).toBe(true);
    expect(total(body)).toBeGreaterThan(50);
  });

  test('finds by the first letters, by synonym, by collection and across a typing error', async () => {
    const terms = async (query: string): Promise<string[]> =>
      icons((await harness.get(`/v2/icon?query=${encodeURIComponent(query)}`)).body).map(
        ({ term }) => term,
      );
    expect(await terms('aerialw')).toContain('Aerialway');
    expect(await terms('house')).toContain('Home');
    expect(await terms('aerialway maki')).toContain('Aerialway');
    expect(await terms('aeralway')).toContain('Aerialway');
    expect((await terms('lock')).every((term) => !/^clock/i.test(term))).toBe(true);
    expect(await terms('no such icon')).toEqual([]);
    expect(await terms('qq zz')).toEqual([]);
    expect(await terms('★')).toEqual([]);
  });

  test.each([
    // The name itself, then a name of one word that means the same, then names with further words.
    ['house', ['House', 'Home', 'Home']],
    ['home', ['Home', 'Home', 'House']],
    ['settings', ['Settings', 'Cog', 'Adjustments']],
    ['mail', ['Mail', 'Envelope', 'Mail x']],
    ['arrow left', ['Arrow left', 'Arrow up left']],
    ['left arrow', ['Arrow left', 'Arrow up left']],
    // A typing error.
    ['calender', ['Calendar', 'Calendar']],
  ])('%s begins with %j', async (query, expected) => {
    const { body } = await harness.get(
      `/v2/icon?limit=${expected.length}&query=${encodeURIComponent(query)}`,
    );
    expect(icons(body).map(({ term }) => term)).toEqual(expected);
  });

  test('without a query: all of them; with the name of a set: all of it', async () => {
    expect(total((await harness.get('/v2/icon?limit=1')).body)).toBe(10_944);
    const { get } = createHarness({ sets: ['tabler'] });
    const [all, named] = [
      await get('/v2/icon?limit=1'),
      await get('/v2/icon?query=tabler&limit=1'),
    ];
    expect(total(named.body)).toBe(total(all.body));
  });

  test('styles: any of those given', async () => {
    const solid = total((await harness.get('/v2/icon?styles=solid&limit=1')).body);
    const line = total((await harness.get('/v2/icon?styles=line&limit=1')).body);
    expect(solid).toBeGreaterThan(4000);
    expect(line).toBeGreaterThan(5000);
    expect(total((await harness.get('/v2/icon?styles=solid,line&limit=1')).body)).toBe(
      solid + line,
    );
  });

  test('line_weight: a number or a range, alone or with styles', async () => {
    const count = async (query: string): Promise<number> =>
      total((await harness.get(`/v2/icon?limit=1&${query}`)).body);
    expect(await count('line_weight=43')).toBe(await count('styles=line'));
    expect(await count('line_weight=40-43&styles=line')).toBe(await count('styles=line'));
    expect(await count('line_weight=43&styles=solid')).toBe(0);
    expect(await count('line_weight=1-42')).toBe(0);
    expect(await count('line_weight=44-60')).toBe(0);
  });

  test('limit_to_public_domain', async () => {
    const { body } = await harness.get('/v2/icon?query=bus&limit_to_public_domain=1');
    expect(icons(body).length).toBeGreaterThan(0);
    expect(new Set(icons(body).map((icon) => icon.license_description))).toEqual(
      new Set(['public-domain']),
    );
    const off = await harness.get('/v2/icon?query=bus&limit_to_public_domain=0');
    expect(total(off.body)).toBeGreaterThan(total(body));
  });

  test('include_svg gives addresses of what the tier may have', async () => {
    const all = await harness.get('/v2/icon?query=house&include_svg=1');
    expect(icons(all.body).every(({ icon_url }) => icon_url !== undefined)).toBe(true);
    const free = await harness.get('/v2/icon?query=bus&include_svg=1&limit=200', {
      credentials: FREE,
    });
    for (const { icon_url, license_description } of icons(free.body)) {
      expect(icon_url !== undefined).toBe(license_description === 'public-domain');
    }
  });

  test.each([
    'styles=bold',
    'styles=',
    'styles=line,',
    'line_weight=0',
    'line_weight=61',
    'line_weight=9-4',
    'line_weight=1-61',
    'line_weight=1.5',
    'line_weight=a',
    'line_weight=1-2-3',
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'limit=5&limit=6',
    'thumbnail_size=43',
    'next_page=abc',
    'prev_page=',
    'next_page=bjEuMTIzNDU2Nzg5MDEy',
    'limit_to_public_domain=true',
  ])('%s is refused with 400', async (query) => {
    const { status, body } = await harness.get(`/v2/icon?${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(query.slice(0, query.indexOf('=')));
  });

  test('parameters that the interface does not have are left alone', async () => {
    expect((await harness.get('/v2/icon?query=bus&limit=1&colour=red&__proto=1')).status).toBe(200);
  });

  test('a limit above 1000 is read as 1000', async () => {
    expect(icons((await harness.get('/v2/icon?limit=5000')).body)).toHaveLength(1000);
  });
});

describe('collections', () => {
  test('list', async () => {
    const { body } = await harness.get('/v2/collection');
    expect(body).toMatchObject({
      total: 3,
      generated_at: '2026-03-04 05:06:07.089000',
      usage_limits: { monthly: {} },
    });
    expect((body['collections'] as object[])[1]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Maki',
      creator: { name: 'Mapbox', permalink: '/maki/', username: 'maki' },
      icon_count: 394,
      permalink: '/maki/',
      site_url: 'https://icon-sets.iconify.design',
      tags: ['Flags / Maps', 'Precise Shapes', 'Has Padding'],
    });
  });

  test('list by query', async () => {
    const names = async (query: string): Promise<string[]> =>
      (
        (await harness.get(`/v2/collection?query=${query}`)).body['collections'] as {
          name: string;
        }[]
      ).map(({ name }) => name);
    expect(await names('icons')).toEqual(['Game Icons', 'Tabler Icons']);
    expect(await names('mapbox')).toEqual(['Maki']);
    expect(await names('nothing-like-it')).toEqual([]);
    expect(await names('%E2%98%85')).toEqual([]);
  });

  test('single, with a page of icons', async () => {
    const { status, body } = await harness.get(
      '/v2/collection/42343146533624?limit=3&include_svg=1&thumbnail_size=42',
    );
    expect(status).toBe(200);
    const collection = body['collection'] as { icons: (Found & { thumbnail_url: string })[] };
    expect(collection).toMatchObject({
      id: '42343146533624',
      name: 'Tabler Icons',
      icon_count: 6414,
      permalink: '/tabler/',
      next_page: expect.any(String),
    });
    expect(collection.icons).toHaveLength(3);
    expect(collection.icons[0]).toHaveProperty('icon_url');
    expect(collection.icons[0]?.thumbnail_url).toMatch(/-42\.png$/);
    expect(total(body)).toBe(6414);
    expect((await harness.get('/v2/collection/7')).status).toBe(404);
    expect((await harness.get('/v2/collection/tabler')).status).toBe(404);
  });
});

describe('autocomplete', () => {
  const suggest = async (query: string): Promise<string[]> =>
    (await harness.get(`/v2/icon/autocomplete?${query}`)).body['suggestions'] as string[];

  test('suggests terms that begin so, ten at most', async () => {
    const suggestions = await suggest('query=arr');
    expect(suggestions).toHaveLength(10);
    expect(suggestions[0]).toBe('arrow');
    expect(suggestions.every((term) => term.startsWith('arr'))).toBe(true);
    expect(await suggest('query=arr&limit=3')).toEqual(suggestions.slice(0, 3));
    expect(await suggest('query=ARR&limit=3')).toEqual(suggestions.slice(0, 3));
    expect(await suggest('query=aeralway')).toContain('aerialway');
    expect(await suggest('query=')).toEqual([]);
  });

  test.each(['query=a&limit=11', 'query=a&limit=0', 'limit=3'])('%s is refused', async (query) => {
    expect((await harness.get(`/v2/icon/autocomplete?${query}`)).status).toBe(400);
  });
});

test('paths and methods of no endpoint are 404 in JSON, HEAD too', async () => {
  for (const path of [
    '/',
    '/v2',
    '/v2/icons',
    '/v3/icon',
    '/asset/thumbnail/1-43.png',
    '//v2/icon',
  ]) {
    const { status, body, headers } = await harness.get(path);
    expect([path, status, typeof body.message]).toEqual([path, 404, 'string']);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
  for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    expect(
      (await harness.server.fetch(new Request('http://catalog.test/v2/icon', { method }))).status,
    ).toBe(404);
  }
  expect((await harness.post('/v2/icon', {})).status).toBe(404);
});
