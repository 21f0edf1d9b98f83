import { expect, test } from 'vitest';
import { collectionId, termId, userId } from '../../src/server/ids.ts';
import { readLibrary } from '../../src/server/create-app.ts';
import { createLibrary } from '../../src/server/library.ts';
import { embeddedIconId } from '../../src/server.ts';

test('ids are what they were in every version', () => {
  expect(embeddedIconId('tabler', 'arrow-left')).toBe(268826518292681);
  expect(embeddedIconId('tabler', '123')).toBe(107844887146865);
  expect(embeddedIconId('game-icons', 'house')).toBe(34328506983830);
  expect(embeddedIconId('maki', 'aerialway')).toBe(192607189371886);
  expect(collectionId('tabler')).toBe(42343146533624);
  expect(userId('tabler')).toBe(210598324408563);
  expect(termId('arrow-left')).toBe(51109865560983);
});

test('every id of the installed sets is a safe integer, and no two are equal', async () => {
  const { icons } = await readLibrary({});
  const ids = new Set(icons.map(({ id }) => id));
  expect(ids.size).toBe(icons.length);
  expect(icons.length).toBeGreaterThan(10_000);
  for (const id of ids) expect(Number.isSafeInteger(id) && id > 0 && id < 2 ** 48).toBe(true);
});

test('two icons with one id are refused, and both are named', async () => {
  const { collections } = await readLibrary({ sets: ['maki'] });
  const [maki] = collections;
  if (!maki) throw new Error('maki is not installed');
  const [first] = maki.icons;
  const double = { ...maki, id: 1, prefix: 'other', icons: [] as typeof maki.icons };
  double.icons = maki.icons.map((icon) => ({ ...icon, collection: double }));
  expect(() => createLibrary([maki, double])).toThrow(
    new RegExp(`maki:${first?.name} and other:${first?.name}`),
  );
});
