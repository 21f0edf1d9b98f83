import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import type { SearchPorts } from '../../src/build/search-outputs.ts';
import { strayIcons } from '../../src/build/stray-icons.ts';
import { parseRequest } from '../../src/request/parse-request.ts';
import { writeProject } from '../support/write-project.ts';

const HOUSE = 'M5 12h-2l9-9 9 9h-2v7a2 2 0 0 1-2 2H7v-8';
const DOOR = 'M9 21v-6a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2v6h-6V15';
const CROSS = 'M18 6 6 18M6 6l12 12';

/** Numbers of the icons of the cache that are found in what a library has drawn, which all come from it. */
async function foundOf(
  path: string,
  { cache, listed = [] }: { cache: Record<number, string>; listed?: number[] },
): Promise<number[]> {
  const drawing = `export default '<svg viewBox="0 0 24 24"><path d="${path}"/></svg>';`;
  const root = await writeProject({ 'home.js': drawing });
  const pipeline = {
    iconLock: { open: async () => undefined, keys: () => [] },
    prefetched: async () => true,
    async drawnHere(isWanted: (id: number) => boolean) {
      // Nothing is looked up for what needs no search.
      expect(listed.some(isWanted)).toBe(false);
      return new Map(Object.entries(cache).filter(([id]) => isWanted(Number(id))));
    },
    fingerprint: async (id: number) => cache[id],
    source: async () => undefined,
  };
  const { usages } = await strayIcons(
    { listed: new Set(listed.map(String)), also: new Set() },
    {
      pipeline: pipeline as unknown as SearchPorts['pipeline'],
      loaded: new Set(),
      isRedrawn: false,
      request: (id) => parseRequest(id, { aliases: {}, defaults: {} }),
      unlisted: new Map([[join(root, 'home.js'), false]]),
      originOf: (module) => relative(root, module),
      contents: async () => new Map([['main.js', drawing]]),
    },
  );
  expect(usages.map(({ from }) => from)).toEqual(usages.map(() => 'home.js'));
  return usages.map(({ id }) => Number(/\d+/.exec(id)?.[0]));
}

const bare = (path: string): string => path.replaceAll(' ', '');

it('takes one of the icons of the cache that are drawn the same', async () => {
  const cache = { 7: bare(HOUSE), 8: bare(HOUSE), 9: bare(DOOR) };
  expect(await foundOf(HOUSE, { cache })).toEqual([7]);
  expect(await foundOf(DOOR, { cache })).toEqual([9]);
});

it('takes no icon of the cache for one that a build lists and that is drawn the same', async () => {
  expect(await foundOf(HOUSE, { cache: { 7: bare(HOUSE), 8: bare(HOUSE) }, listed: [8] })).toEqual(
    [],
  );
});

it('takes no simple drawing for an icon of the cache', async () => {
  expect(await foundOf(CROSS, { cache: { 7: bare(CROSS) } })).toEqual([]);
});
