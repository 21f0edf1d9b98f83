import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  ENDPOINTS,
  describeParam,
  isIdSegment,
  readQuery,
  type Endpoint,
} from '../../src/catalog/endpoints.ts';

const rows: Endpoint[] = Object.values(ENDPOINTS);

/** The tables of the interface document: method, path, query. */
const INTERFACE = [
  'GET /v2/client/blacklist',
  'POST /v2/client/blacklist/id type',
  'POST /v2/client/blacklist/term',
  'GET /v2/client/usage',
  'GET /v2/icon/{icon_id} thumbnail_size blacklist',
  'GET /v2/icon/{icon_id}/download color filetype size',
  'GET /v2/icon query styles line_weight limit_to_public_domain thumbnail_size blacklist include_svg limit prev_page next_page',
  'GET /v2/collection query blacklist limit prev_page next_page',
  'GET /v2/collection/{collection_id} blacklist thumbnail_size include_svg limit prev_page next_page',
  'GET /v2/icon/autocomplete query blacklist limit',
  'GET /collection/{id}',
  'GET /collection/{slug}',
  'GET /collection/{id}/icons limit offset page',
  'GET /collection/{slug}/icons limit offset page',
  'GET /collections limit offset page',
  'GET /icon/{id} include_png_1200',
  'GET /icon/{term}',
  'GET /icons/{term} limit_to_public_domain limit offset page',
  'GET /oauth/usage',
  'GET /user/{username}/uploads limit offset page',
  'GET /user/{user_id}/collections',
  'GET /user/{user_id}/collections/{slug}',
];

describe('the endpoint table', () => {
  it('has the 22 rows of the interface', () => {
    const written = rows.map(({ method, path, query }) =>
      [method, path, ...Object.keys(query)].join(' '),
    );
    expect(written.sort()).toEqual(INTERFACE.toSorted());
  });

  it('takes the ids in paths for integers, and other variables for text', () => {
    const names = new Set(
      rows.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
    );
    const [ids, texts] = [
      [...names].filter(isIdSegment),
      [...names].filter((one) => !isIdSegment(one)),
    ];
    expect(ids.toSorted()).toEqual(['collection_id', 'icon_id', 'id', 'user_id']);
    expect(texts.toSorted()).toEqual(['slug', 'term', 'username']);
  });

  it('loads nothing but itself', async () => {
    const source = await readFile(
      new URL('../../src/catalog/endpoints.ts', import.meta.url),
      'utf8',
    );
    expect([...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from)).toEqual([]);
  });
});

describe('readQuery', () => {
  it('reads every kind of value', () => {
    const entries = new URLSearchParams(
      'query=caf%C3%A9&styles=line,solid&line_weight=4-10&thumbnail_size=42&blacklist=1&limit=5&next_page=abc&oauth_nonce=x',
    );
    expect(readQuery('icons', entries)).toEqual({
      ok: true,
      values: {
        query: 'café',
        styles: ['line', 'solid'],
        line_weight: [4, 10],
        thumbnail_size: 42,
        blacklist: 1,
        limit: 5,
        next_page: 'abc',
      },
    });
    expect(readQuery('icons', [['line_weight', '7']])).toMatchObject({
      values: { line_weight: [7, 7] },
    });
    expect(readQuery('download', [['color', '#Ff0000']])).toMatchObject({
      values: { color: 'Ff0000' },
    });
  });

  it.each([
    ['download', 'size', '19'],
    ['download', 'size', '1201'],
    ['download', 'size', '64.0'],
    ['download', 'size', ' 64'],
    ['download', 'size', '0x40'],
    ['download', 'color', 'ff00'],
    ['icons', 'line_weight', '4-'],
    ['icons', 'line_weight', '1-2-3'],
    ['icons', 'line_weight', '4-61'],
    ['icons', 'styles', 'line,'],
    ['icons', 'limit', '99999999999999999'],
    ['icons', 'blacklist', 'yes'],
    ['autocomplete', 'limit', '11'],
    ['v1Icons', 'offset', '-1'],
  ] as const)('refuses %s %s=%s', (endpoint, param, value) => {
    expect(readQuery(endpoint, [[param, value]])).toMatchObject({
      ok: false,
      param,
      message: expect.stringContaining(param),
    });
  });

  it('refuses a size for svg, in any order', () => {
    const pairs: [string, string][] = [
      ['size', '64'],
      ['filetype', 'svg'],
    ];
    expect(readQuery('download', pairs)).toMatchObject({ ok: false, param: 'size' });
    expect(readQuery('download', pairs.toReversed())).toMatchObject({ ok: false, param: 'size' });
    expect(readQuery('download', [['size', '64']])).toMatchObject({ ok: true });
  });

  it('says what is allowed', () => {
    expect(describeParam('thumbnailSize')).toBe('one of 42, 84, 200');
    expect(describeParam('downloadSize')).toBe('an integer 20 to 1200');
    expect(describeParam('lineWeight')).toContain('4-10');
    expect(describeParam('styles')).toContain('solid, line');
    expect(describeParam('color')).toContain('3 or 6');
    expect(describeParam('limit')).toContain('1 or more');
  });
});
