import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alone, createHolds } from '../../src/build/list-files.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icon-catalog-holds-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('keeps other builds from a list until its folder has been emptied', async () => {
  const list = join(folder, 'icon-attribution.json');
  const holds = createHolds();
  const order: string[] = [];
  await holds.take(folder, list);
  const other = alone(list, async () => {
    order.push('another build writes');
    await turn();
  });
  await turn();
  order.push('emptied');
  await holds.release(folder);
  await other;
  expect(order).toEqual(['emptied', 'another build writes']);
  // The lock is not in the folder, which the bundler empties meanwhile.
  expect(await readdir(folder)).toEqual([]);
});

it('takes a list of its own again, and releases all of them at once', async () => {
  const list = join(folder, 'icon-attribution.json');
  const holds = createHolds();
  await holds.take(folder, list);
  await holds.take(folder, list);
  await holds.take(join(folder, 'sub'), join(folder, 'sub/icon-attribution.json'));
  await holds.release();
  let ran = 0;
  for (const each of [list, join(folder, 'sub/icon-attribution.json')])
    await alone(each, () => Promise.resolve(void (ran += 1)));
  expect(ran).toBe(2);
});
