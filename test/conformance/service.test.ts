import { expect } from 'vitest';
import { conformance, legacy } from './support/conformance.ts';
import { get, isPng, listOf, statusOf } from './support/read.ts';
import { WORD } from './support/target.ts';

conformance({
  'What the service does 1: records as JSON': async (target) => {
    const { icons } = await get(target, '/v2/icon?limit=2');
    const { collections } = await get(target, '/v2/collection?limit=2');
    expect([listOf(icons).length, listOf(collections).length > 0]).toEqual([2, true]);
  },

  'What the service does 2: search and filters': async (target) => {
    const total = async (query: object): Promise<number> =>
      (await target.client.icons({ ...query, limit: 1 })).total!;
    const [all, found, lines] = await Promise.all([
      total({}),
      total({ query: WORD }),
      total({ query: WORD, styles: 'line', line_weight: '1-60' }),
    ]);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(all);
    expect(lines).toBeLessThan(found);
    expect(await total({ query: 'xyzzyqqq wvutsr' })).toBe(0);
  },

  'What the service does 3: suggestions': async (target) => {
    const { suggestions } = await target.client.autocomplete(WORD.slice(0, 3), { limit: 10 });
    expect(suggestions.some((text) => text.toLowerCase().includes(WORD.slice(0, 3)))).toBe(true);
    expect(new Set(suggestions).size).toBe(suggestions.length);
  },

  'What the service does 4: a file in base64 within JSON': async (target) => {
    const { publicDomain } = await target.subjects();
    const red = await target.client.download(publicDomain.id, { color: 'ff0000' });
    const blue = await target.client.download(publicDomain.id, { color: '00f' });
    expect(Buffer.from(red.bytes).toString().toLowerCase()).toMatch(/#ff0000|#f00|rgb\(255/);
    expect(Buffer.from(blue.bytes).toString().toLowerCase()).toMatch(/#0000ff|#00f|rgb\(0/);
    const png = await target.client.download(publicDomain.id, { filetype: 'png' });
    expect(isPng(png.bytes)).toBe(true);
  },

  'What the service does 6: usage against limits': async (target) => {
    const { monthly } = await target.client.usage();
    expect(monthly.usage).toBeGreaterThan(0);
    expect(monthly.limit).toBeGreaterThanOrEqual(Number(monthly.usage));
  },

  'Versioning 1: v2 has a prefix': async (target) => {
    expect(await statusOf(target, '/v2/icon?limit=1')).toBe(200);
    expect(await statusOf(target, '/v2/collections')).toBe(404);
  },

  'Versioning 2: v1 has none': legacy(async (target) => {
    expect(await statusOf(target, '/collections?limit=1')).toBe(200);
    expect(await statusOf(target, `/icons/${WORD}?limit=1`)).toBe(200);
  }),

  'Versioning 3: styles and line weights are filters of v2 only': legacy(async (target) => {
    const ids = async (query: string): Promise<unknown[]> =>
      listOf((await get(target, `/icons/${WORD}?limit=20${query}`))['icons']).map(({ id }) => id);
    expect(await ids('&styles=solid&line_weight=1')).toEqual(await ids(''));
    const [first] = (await target.client.v1.icons(WORD, { limit: 1 })).icons;
    expect(first).not.toHaveProperty('styles');
  }),

  'Versioning 4: records differ between generations': legacy(async (target) => {
    const { id } = (await target.client.v1.icons(WORD, { limit: 1 })).icons[0]!;
    const v2 = (await get(target, `/v2/icon/${id}`))['icon'];
    const v1 = (await get(target, `/icon/${id}`))['icon'];
    for (const field of ['creator', 'thumbnail_url', 'styles']) {
      expect(v2).toHaveProperty(field);
      expect(v1).not.toHaveProperty(field);
    }
    for (const field of ['uploader', 'preview_url', 'is_active']) {
      expect(v1).toHaveProperty(field);
      expect(v2).not.toHaveProperty(field);
    }
    expect(await get(target, `/icon/${id}`)).not.toHaveProperty('usage_limits');
  }),
});
