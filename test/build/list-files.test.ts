import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFolderLists } from '../../src/build/folder-lists.ts';
import { alone } from '../../src/build/list-files.ts';
import { USUAL_NAMES } from '../../src/options/resolve-attribution.ts';
import { removeFolder } from '../support/temporary-folder.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icon-catalog-holds-'));
});
afterAll(() => removeFolder(folder));

it('keeps other builds from a list until its folder has been emptied', async () => {
  const list = join(folder, 'icon-attribution.json');
  const order: string[] = [];
  const lists = createFolderLists();
  await lists.readAhead(folder, USUAL_NAMES, folder);
  const other = alone(list, async () => {
    order.push('another build writes');
    await turn();
  });
  await turn();
  order.push('emptied');
  lists.emptied(folder);
  await other;
  expect(order).toEqual(['emptied', 'another build writes']);
  // The lock is not in the folder, which the bundler empties meanwhile.
  expect(await readdir(folder)).toEqual([]);
});

describe('a lock that looks older than it is', () => {
  async function watchLock(): Promise<{ list: string; lock: string }> {
    const temporary = await mkdtemp(join(folder, 'held-'));
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const list = join(temporary, 'icon-attribution.json');
    let lock = '';
    await alone(list, async () => void ([lock = ''] = await readdir(temporary)));
    return { list, lock: join(temporary, lock) };
  }

  it('is kept in the process that holds it, whatever clock the file system has', async () => {
    const { list, lock } = await watchLock();
    const order: string[] = [];
    let other: Promise<void> | undefined;
    await alone(list, async () => {
      await utimes(lock, 1, 1);
      other = alone(list, () => Promise.resolve(void order.push('another build')));
      // It has looked at the lock by now, and would hold it if it counted as abandoned.
      await turn();
      order.push('this build');
    });
    await other;
    expect(order).toEqual(['this build', 'another build']);
  });

  it('is kept for half a minute by another process that is alive', async () => {
    const { list, lock } = await watchLock();
    await writeFile(lock, JSON.stringify({ host: hostname(), pid: process.ppid, token: '' }));
    const since = Date.now() / 1000 - 30;
    await utimes(lock, since, since);
    const order: string[] = [];
    const other = alone(list, () => Promise.resolve(void order.push('another build')));
    await turn();
    order.push('released');
    await rm(lock);
    await other;
    expect(order).toEqual(['released', 'another build']);
  });
});

it('takes a list of its own again, and releases all of them at once', async () => {
  const lists = createFolderLists();
  const folders = [folder, join(folder, 'sub')];
  const [first = ''] = folders;
  await lists.readAhead(folder, USUAL_NAMES, folder);
  for (const each of folders) await lists.readAhead(each, USUAL_NAMES, each);
  let ran = 0;
  const other = alone(join(first, 'icon-attribution.json'), () => Promise.resolve(void (ran += 1)));
  // The other folder is emptied first.
  lists.emptied(folders[1]);
  await turn();
  expect(ran).toBe(0);
  lists.emptied();
  await other;
  ran = 0;
  for (const each of folders)
    await alone(join(each, 'icon-attribution.json'), () => Promise.resolve(void (ran += 1)));
  expect(ran).toBe(2);
});

describe('a list whose lock cannot be taken', () => {
  it('is left as it is, with an error that says why, if temporary files cannot be created', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'not-there'));
    onTestFinished(() => void vi.unstubAllEnvs());
    let ran = 0;
    const writing = alone(join(folder, 'icon-attribution.json'), () =>
      Promise.resolve(void (ran += 1)),
    );
    await expect(writing).rejects.toThrow(
      /The list of icons in .* cannot be written: its lock icon-catalog-.*\.lock cannot be created in .*not-there, .*\(ENOENT.*set TMPDIR/,
    );
    expect(ran).toBe(0);
  });

  it('passes on what fails under the lock', async () => {
    const failure = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const writing = alone(join(folder, 'icon-attribution.json'), () => Promise.reject(failure));
    await expect(writing).rejects.toBe(failure);
  });

  it('is written if a folder has the name of the lock', async () => {
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const list = join(folder, 'icon-attribution.json');
    let lock = '';
    await alone(list, async () => void ([lock = ''] = await readdir(temporary)));
    await mkdir(join(temporary, lock));
    let ran = 0;
    await alone(list, () => Promise.resolve(void (ran += 1)));
    expect([lock.endsWith('.lock'), ran]).toEqual([true, 1]);
  });
});
