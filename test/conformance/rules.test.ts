import { expect } from 'vitest';
import type { Icon } from '../../src/client.ts';
import { withBlacklist } from './support/blacklists.ts';
import { conformance, embedded, writing } from './support/conformance.ts';
import { expectRefusal, get, statusOf } from './support/read.ts';
import { WORD, type Target } from './support/target.ts';

const stylesOf = ({ styles }: Icon): string[] => styles!.map(({ style }) => style);
const weightOf = ({ styles }: Icon): number | undefined =>
  styles!.find(({ line_weight }) => line_weight !== undefined)?.line_weight;

async function totalOf(target: Target, filter: string): Promise<number> {
  return Number((await get(target, `/v2/icon?query=${WORD}&limit=1&${filter}`))['total']);
}

conformance({
  'Rules 1: ids are integers in the path': async (target) => {
    for (const path of ['/v2/icon/abc', '/v2/icon/1.5', '/v2/icon/-1', '/v2/collection/abc'])
      expectRefusal(await target.ask(path));
    const { collectionId, icons } = await target.subjects();
    expect(await statusOf(target, `/v2/icon/${icons[0]!.id}`)).toBe(200);
    expect(await statusOf(target, `/v2/collection/${collectionId}?limit=1`)).toBe(200);
  },

  'Rules 2: styles': {
    'one style matches icons that have it': async (target) => {
      for (const styles of ['solid', 'line'] as const) {
        const { icons } = await target.client.icons({ query: WORD, styles, limit: 50 });
        expect(icons.length).toBeGreaterThan(0);
        for (const icon of icons) expect(stylesOf(icon)).toContain(styles);
      }
    },
    'several match any of them': async (target) => {
      const [solid, line, any, turned] = await Promise.all(
        ['solid', 'line', 'solid,line', 'line,solid'].map((styles) =>
          totalOf(target, `styles=${styles}`),
        ),
      );
      expect(any).toBeGreaterThanOrEqual(Math.max(solid!, line!));
      expect(any).toBeLessThanOrEqual(solid! + line!);
      expect(turned).toBe(any);
    },
    'other values are refused': async (target) => {
      for (const styles of ['bold', 'solid,bold', 'solid;line'])
        expectRefusal(await target.ask(`/v2/icon?query=${WORD}&styles=${styles}`));
    },
  },

  'Rules 3: line_weight': {
    'one integer': async (target) => {
      const { line } = await target.subjects();
      const line_weight = weightOf(line)!;
      const { icons } = await target.client.icons({ query: WORD, line_weight, limit: 50 });
      expect(icons.length).toBeGreaterThan(0);
      for (const icon of icons) expect(weightOf(icon)).toBe(line_weight);
    },
    'a range, both ends included': async (target) => {
      const weight = weightOf((await target.subjects()).line)!;
      const low = Math.max(1, weight - 1);
      const high = Math.min(60, weight + 1);
      const { icons } = await target.client.icons({
        query: WORD,
        line_weight: `${low}-${high}`,
        limit: 50,
      });
      for (const icon of icons) {
        expect(weightOf(icon)).toBeGreaterThanOrEqual(low);
        expect(weightOf(icon)).toBeLessThanOrEqual(high);
      }
      const exact = await totalOf(target, `line_weight=${weight}`);
      expect(exact).toBeGreaterThan(0);
      for (const range of [`${weight}-${weight}`, `${low}-${weight}`, `${weight}-${high}`])
        expect(await totalOf(target, `line_weight=${range}`)).toBeGreaterThanOrEqual(exact);
    },
    'applies to line icons, alone or with styles': async (target) => {
      const alone = await totalOf(target, 'line_weight=1-60');
      expect(alone).toBeGreaterThan(0);
      expect(await totalOf(target, 'line_weight=1-60&styles=line')).toBe(alone);
      expect(await totalOf(target, 'styles=line')).toBeGreaterThanOrEqual(alone);
      const { icons } = await target.client.icons({
        query: WORD,
        line_weight: '1-60',
        limit: 20,
      });
      for (const icon of icons) expect(stylesOf(icon)).toContain('line');
    },
  },

  'Rules 4: svg downloads take no size': async (target) => {
    const path = `/v2/icon/${(await target.subjects()).publicDomain.id}/download`;
    expectRefusal(await target.ask(`${path}?filetype=svg&size=64`));
    expect(await statusOf(target, `${path}?filetype=svg`)).toBe(200);
    expect(await statusOf(target, `${path}?filetype=png&size=64`)).toBe(200);
  },

  'Rules 5: free access downloads public-domain icons': embedded(async (target) => {
    const { icons, publicDomain } = await target.subjects();
    const other = icons.find(({ license_description }) => license_description !== 'public-domain')!;
    const status = async (id: string, credentials = target.embedded.free): Promise<number> =>
      (await target.ask(`/v2/icon/${id}/download`, { credentials })).status;
    expect(await status(publicDomain.id)).toBe(200);
    expect(await status(other.id)).toBe(403);
    const paid = target.embedded.take('paid');
    expect([await status(publicDomain.id, paid), await status(other.id, paid)]).toEqual([200, 200]);
  }),

  'Rules 6: limit_to_public_domain': async (target) => {
    const { icons, total } = await target.client.icons({ limit_to_public_domain: 1, limit: 50 });
    expect(icons.length).toBeGreaterThan(0);
    for (const icon of icons) expect(icon.license_description).toBe('public-domain');
    expect(total).toBeLessThan((await target.client.icons({ limit: 1 })).total!);
  },

  'Rules 7: overwrite replaces or adds, the answer is complete': {
    ids: writing((target) =>
      withBlacklist(target, async (client) => {
        await client.blacklistIds([1, 2], { overwrite: true });
        const added = await client.blacklistIds([2, 3], { overwrite: false });
        expect(added.blacklist.icon_ids).toEqual(expect.arrayContaining([1, 2, 3]));
        const replaced = await client.blacklistIds([4], { overwrite: true });
        expect(replaced.blacklist.icon_ids).toEqual([4]);
      }),
    ),
    terms: writing((target) =>
      withBlacklist(target, async (client) => {
        await client.blacklistTerms(['one', 'two'], { overwrite: true });
        const added = await client.blacklistTerms(['three'], { overwrite: false });
        expect(added.blacklist.search_terms.toSorted()).toEqual(['one', 'three', 'two']);
        const replaced = await client.blacklistTerms(['four'], { overwrite: true });
        expect(replaced.blacklist.search_terms).toEqual(['four']);
      }),
    ),
    'only the kind that is written': writing((target) =>
      withBlacklist(target, async (client) => {
        await client.blacklistTerms(['kept'], { overwrite: true });
        await client.blacklistIds([9], { type: 'collection', overwrite: true });
        const { blacklist } = await client.blacklistIds([5], { overwrite: true });
        expect(blacklist).toEqual({
          collection_ids: [9],
          icon_ids: [5],
          search_terms: ['kept'],
        });
      }),
    ),
  },

  'Rules 8: type=collection writes collection ids, type=icon is the default': writing((target) =>
    withBlacklist(target, async (client) => {
      await client.blacklistIds([11], { type: 'collection', overwrite: true });
      await client.blacklistIds([12], { type: 'icon', overwrite: true });
      const { blacklist } = await client.blacklistIds([13], { overwrite: false });
      expect([blacklist.collection_ids, blacklist.icon_ids]).toEqual([[11], [12, 13]]);
    }),
  ),

  'Rules 9: blacklist removes matching entries': {
    'from lists of icons, by id, collection and term': writing((target) =>
      withBlacklist(target, async (client) => {
        const ids = async (): Promise<string[]> => {
          const { icons } = await client.icons({ query: WORD, blacklist: 1, limit: 100 });
          return icons.map(({ id }) => id);
        };
        const { icons } = await client.icons({ query: WORD, limit: 100 });
        const [first] = icons;
        await client.blacklistIds([first!.id], { overwrite: true });
        expect(await ids()).not.toContain(first!.id);
        await client.blacklistIds([], { overwrite: true });
        const collection = first!.collections![0]!.id;
        await client.blacklistIds([collection], { type: 'collection', overwrite: true });
        const inside = icons.filter(({ collections }) => collections?.[0]?.id === collection);
        const left = await ids();
        for (const { id } of inside) expect(left).not.toContain(id);
        await client.blacklistIds([], { type: 'collection', overwrite: true });
        await client.blacklistTerms([WORD], { overwrite: true });
        const named = await client.icons({ query: WORD, blacklist: 1, limit: 100 });
        expect(named.total!).toBeLessThan((await client.icons({ query: WORD, limit: 1 })).total!);
        for (const { tags } of named.icons) expect(tags).not.toContain(WORD);
      }),
    ),
    'from a collection and the list of collections': writing((target) =>
      withBlacklist(target, async (client) => {
        const { collectionId } = await target.subjects();
        const query = { limit: 3, blacklist: 1 };
        const { collection } = await client.collection(collectionId, query);
        await client.blacklistIds([collection.icons[0]!.id], { overwrite: true });
        const after = await client.collection(collectionId, query);
        expect(after.collection.icons.map(({ id }) => id)).not.toContain(collection.icons[0]!.id);
        await client.blacklistIds([collectionId], { type: 'collection', overwrite: true });
        const { collections } = await client.collections({ limit: 50, blacklist: 1 });
        expect(collections.map(({ id }) => id)).not.toContain(collectionId);
      }),
    ),
    'from single icons and from suggestions': writing((target) =>
      withBlacklist(target, async (client) => {
        const { icons } = await target.subjects();
        const { id } = icons[0]!;
        await client.blacklistIds([id], { overwrite: true });
        await expect(client.icon(id, { blacklist: 1 })).rejects.toMatchObject({
          code: 'CATALOG_NOT_FOUND',
        });
        expect((await client.icon(id)).icon.id).toBe(id);
        await client.blacklistTerms([WORD], { overwrite: true });
        const { suggestions } = await client.autocomplete(WORD, { blacklist: 1 });
        for (const text of suggestions) expect(text.split(' ')).not.toContain(WORD);
      }),
    ),
    'and nothing without the parameter': writing((target) =>
      withBlacklist(target, async (client) => {
        const before = await client.icons({ query: WORD, limit: 20 });
        await client.blacklistTerms([WORD], { overwrite: true });
        const after = await client.icons({ query: WORD, limit: 20 });
        expect(after.icons.map(({ id }) => id)).toEqual(before.icons.map(({ id }) => id));
      }),
    ),
  },

  'Rules 10: the default of overwrite is not shown': writing((target) =>
    withBlacklist(target, async (client) => {
      await client.blacklistIds([21], { overwrite: true });
      const { blacklist } = await client.blacklistIds([22]);
      // Replaced or added: either is a whole answer that holds what was sent.
      expect(blacklist.icon_ids).toContain(22);
      expect(blacklist.icon_ids.every((id) => id === 21 || id === 22)).toBe(true);
    }),
  ),
});
