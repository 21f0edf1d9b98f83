import { expect } from 'vitest';
import { withBlacklist } from './support/blacklists.ts';
import { conformance, writing } from './support/conformance.ts';
import { MICROSECONDS, fieldsOf, get, isPng, listOf, read, type Fields } from './support/read.ts';
import { WORD, type Target } from './support/target.ts';

const USAGE = { monthly: { limit: expect.any(Number), usage: expect.any(Number) } };
const ENVELOPE = {
  generated_at: expect.stringMatching(MICROSECONDS),
  total: expect.any(Number),
  usage_limits: USAGE,
};
const BLACKLIST = {
  blacklist: {
    collection_ids: expect.any(Array),
    icon_ids: expect.any(Array),
    search_terms: expect.any(Array),
  },
  usage_limits: USAGE,
};

async function write(target: Target, path: string, body: Fields): Promise<Fields> {
  const credentials = target.embedded?.take('paid');
  return read(
    await target.ask(path, { method: 'POST', body, ...(credentials && { credentials }) }),
  );
}

conformance({
  'v2 endpoints, row 1: GET /v2/client/blacklist': async (target) => {
    expect(await get(target, '/v2/client/blacklist')).toMatchObject(BLACKLIST);
  },

  'v2 endpoints, row 2: POST /v2/client/blacklist/id': {
    'a JSON body is written and the whole blacklist answered': writing((target) =>
      withBlacklist(target, async (client) => {
        const answer = await client.blacklistIds([7, 8], { type: 'icon', overwrite: true });
        expect(answer).toMatchObject(BLACKLIST);
        expect(answer.blacklist.icon_ids).toEqual([7, 8]);
      }),
    ),
    'the answer is the same as that of GET, on the wire': writing(async (target, context) => {
      if (!target.embedded) return context.skip('needs a key of its own');
      const path = '/v2/client/blacklist/id?type=icon';
      const answer = await write(target, path, { blacklist: [7], overwrite: true });
      expect(answer).toMatchObject({ ...BLACKLIST, blacklist: { icon_ids: [7] } });
      expect(Object.keys(answer).sort()).toEqual(['blacklist', 'usage_limits']);
    }),
  },

  'v2 endpoints, row 3: POST /v2/client/blacklist/term': writing((target) =>
    withBlacklist(target, async (client) => {
      const terms = ['naïve phrase', 'さくら', '🌵'];
      const answer = await client.blacklistTerms(terms, { overwrite: true });
      expect(answer).toMatchObject(BLACKLIST);
      expect(answer.blacklist.search_terms).toEqual(terms);
    }),
  ),

  'v2 endpoints, row 4: GET /v2/client/usage': async (target) => {
    const usage = await get(target, '/v2/client/usage');
    expect(usage['monthly']).toBeTypeOf('object');
    expect(usage['usage_limits']).toBeUndefined();
  },

  'v2 endpoints, row 5: GET /v2/icon/{icon_id}': async (target) => {
    const { icons } = await target.subjects();
    const { id } = icons[0]!;
    const answer = await get(target, `/v2/icon/${id}?thumbnail_size=84&blacklist=1`);
    expect(answer).toMatchObject({ ...ENVELOPE, icon: { id } });
  },

  'v2 endpoints, row 6: GET /v2/icon/{icon_id}/download': {
    'svg in a colour': async (target) => {
      const { publicDomain } = await target.subjects();
      const path = `/v2/icon/${publicDomain.id}/download`;
      const answer = await get(target, `${path}?color=ff0000&filetype=svg`);
      expect(answer).toMatchObject({ content_type: 'image/svg+xml', usage_limits: USAGE });
      const file = Buffer.from(String(answer['base64_encoded_file']), 'base64').toString();
      expect(file).toContain('<svg');
    },
    'png in a colour and a size': async (target) => {
      const { publicDomain } = await target.subjects();
      const { bytes, content_type } = await target.client.download(publicDomain.id, {
        color: '#0f0',
        filetype: 'png',
        size: 64,
      });
      expect(content_type).toBe('image/png');
      expect(isPng(bytes)).toBe(true);
    },
  },

  'v2 endpoints, row 7: GET /v2/icon': {
    'a search with every filter': async (target) => {
      const path = `/v2/icon?query=${WORD}&styles=solid,line&line_weight=1-60&thumbnail_size=42&blacklist=1&include_svg=1&limit=3`;
      const answer = await get(target, path);
      expect(answer).toMatchObject(ENVELOPE);
      const icons = listOf(answer['icons']);
      expect(icons.length).toBeGreaterThan(0);
      expect(icons.length).toBeLessThanOrEqual(3);
    },
    'limited to the public domain': async (target) => {
      const answer = await get(target, '/v2/icon?limit_to_public_domain=1&limit=2');
      expect(answer).toMatchObject(ENVELOPE);
      expect(listOf(answer['icons']).length).toBeGreaterThan(0);
    },
    'the next page by its token': async (target) => {
      const first = await get(target, `/v2/icon?query=${WORD}&limit=2`);
      const token = encodeURIComponent(String(first['next_page']));
      const second = await get(target, `/v2/icon?query=${WORD}&limit=2&next_page=${token}`);
      expect(second).toMatchObject(ENVELOPE);
      expect(second['prev_page']).toBeTypeOf('string');
    },
  },

  'v2 endpoints, row 8: GET /v2/collection': {
    'the list': async (target) => {
      const answer = await get(target, '/v2/collection?blacklist=1&limit=2');
      expect(answer).toMatchObject(ENVELOPE);
      expect(listOf(answer['collections']).length).toBeGreaterThan(0);
    },
    'by a word of a name': async (target) => {
      const [first] = listOf((await get(target, '/v2/collection?limit=1'))['collections']);
      const query = encodeURIComponent(String(first?.['name']));
      const { collections } = await get(target, `/v2/collection?query=${query}&limit=50`);
      expect(listOf(collections).map(({ id }) => id)).toContain(first?.['id']);
    },
  },

  'v2 endpoints, row 9: GET /v2/collection/{collection_id}': async (target) => {
    const { collectionId } = await target.subjects();
    const path = `/v2/collection/${collectionId}?blacklist=1&thumbnail_size=42&include_svg=1&limit=2`;
    const answer = await get(target, path);
    expect(answer).toMatchObject({ ...ENVELOPE, collection: { id: collectionId } });
    const collection = fieldsOf(answer['collection']);
    expect(listOf(collection['icons'])).toHaveLength(2);
    const token = encodeURIComponent(String(collection['next_page']));
    const next = await get(target, `${path}&next_page=${token}`);
    const icons = listOf(fieldsOf(next['collection'])['icons']);
    expect(icons.map(({ id }) => id)).not.toContain(listOf(collection['icons'])[0]?.['id']);
  },

  'v2 endpoints, row 10: GET /v2/icon/autocomplete': async (target) => {
    const answer = await get(target, '/v2/icon/autocomplete?query=arr&blacklist=1&limit=4');
    expect(answer).toMatchObject({
      generated_at: expect.stringMatching(MICROSECONDS),
      usage_limits: USAGE,
    });
    const suggestions = answer['suggestions'] as unknown[];
    expect(suggestions.length).toBeGreaterThan(0);
    expect(suggestions.length).toBeLessThanOrEqual(4);
    expect(suggestions.every((text) => typeof text === 'string')).toBe(true);
  },
});
