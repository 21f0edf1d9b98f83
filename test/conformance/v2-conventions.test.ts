import { expect } from 'vitest';
import { withBlacklist } from './support/blacklists.ts';
import { conformance, writing } from './support/conformance.ts';
import { bytesOf, get, listOf, sizeOfPng } from './support/read.ts';
import { WORD } from './support/target.ts';

conformance({
  'v2 conventions: thumbnail_size': async (target) => {
    const { icons } = await target.subjects();
    for (const thumbnail_size of [42, 84, 200] as const) {
      const { icon } = await target.client.icon(icons[0]!.id, { thumbnail_size });
      const thumbnail = await target.fetchAsset(icon.thumbnail_url!);
      expect(Math.max(...sizeOfPng(await bytesOf(thumbnail)))).toBe(thumbnail_size);
    }
  },

  'v2 conventions: blacklist': writing((target) =>
    withBlacklist(target, async (client) => {
      const { icons } = await client.icons({ query: WORD, limit: 3 });
      await client.blacklistIds([icons[0]!.id], { overwrite: true });
      const ids = async (blacklist: number): Promise<string[]> =>
        (await client.icons({ query: WORD, limit: 3, blacklist })).icons.map(({ id }) => id);
      expect(await ids(1)).not.toContain(icons[0]!.id);
      const { icons: all } = await client.icons({ query: WORD, limit: 3 });
      expect(all.map(({ id }) => id)).toContain(icons[0]!.id);
    }),
  ),

  'v2 conventions: include_svg': async (target) => {
    const free = '/v2/icon?limit_to_public_domain=1&limit=3';
    for (const icon of listOf((await get(target, `${free}&include_svg=1`))['icons']))
      expect(icon['icon_url']).toBeTypeOf('string');
    for (const icon of listOf((await get(target, free))['icons'])) {
      expect(icon['icon_url'] ?? '').toBe('');
      expect(icon['thumbnail_url']).toBeTypeOf('string');
    }
  },

  'v2 conventions: limit': async (target) => {
    for (const limit of [1, 2, 17]) {
      const { icons } = await target.client.icons({ query: WORD, limit });
      expect(icons).toHaveLength(limit);
    }
    const { collectionId } = await target.subjects();
    const { collection } = await target.client.collection(collectionId, { limit: 3 });
    expect(collection.icons).toHaveLength(3);
    expect((await target.client.collections({ limit: 1 })).collections).toHaveLength(1);
  },

  'v2 conventions: next_page and prev_page': {
    'lead forward without a gap and back to where they came from': async (target) => {
      const query = { query: WORD, limit: 4 };
      const first = await target.client.icons(query);
      const second = await target.client.icons({ ...query, next_page: first.next_page });
      const both = await target.client.icons({ ...query, limit: 8 });
      const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);
      expect(ids([...first.icons, ...second.icons])).toEqual(ids(both.icons));
      const back = await target.client.icons({ ...query, prev_page: second.prev_page });
      expect(ids(back.icons)).toEqual(ids(first.icons));
    },
    'stand where there is a page to go to': async (target) => {
      const all = await target.client.icons({ query: WORD, limit: 1 });
      expect([all.prev_page, typeof all.next_page]).toEqual([undefined, 'string']);
    },
    'walk a whole list, each item once': async (target) => {
      const query = { query: `${WORD} left`, limit: 7 };
      const { total } = await target.client.icons(query);
      const ids: string[] = [];
      for await (const { id } of target.client.iterateIcons(query)) ids.push(id);
      expect([ids.length, new Set(ids).size]).toEqual([total, total]);
    },
  },
});
