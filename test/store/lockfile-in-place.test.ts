import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeLockfile } from '../../src/store/lockfile-format.ts';
import { mergeLockfiles, readLockfile, updateLockfile } from '../../src/store/lockfile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { lockEntry } from './lock-entries.ts';

const { integrity: catalog = '' } = lockEntry({}, 'a catalog');
const THEIRS = encodeLockfile({ catalog, entries: new Map([['5:svg', lockEntry()]]) });

/** A lock that an editor has emptied to write it again, and what a reader finds who came in between. */
async function found<Found>(read: (path: string) => Promise<Found>): Promise<Found> {
  const path = join(await temporaryFolder(), 'icons.lock');
  await writeFile(path, '');
  const reading = read(path);
  await readFile(path);
  await writeFile(path, THEIRS);
  return reading;
}

describe('a lock that somebody else is writing', () => {
  it('is read when it is there', async () => {
    const lock = await found((path) => readLockfile(path, 'icons.lock'));
    expect([...lock.content().entries.keys()]).toEqual(['5:svg']);
  });

  it('keeps its lines when others are added', async () => {
    const added = { catalog, entries: new Map([['7:svg', lockEntry()]]) };
    const lock = await found((path) =>
      updateLockfile(path, {
        name: 'icons.lock',
        change: (present) => mergeLockfiles(present, added),
      }),
    );
    expect([...lock.content().entries.keys()]).toEqual(['5:svg', '7:svg']);
  });

  it('is an empty one if it stays empty', async () => {
    const path = join(await temporaryFolder(), 'icons.lock');
    await writeFile(path, '');
    const lock = await readLockfile(path, 'icons.lock');
    expect(lock.content().entries.size).toBe(0);
  });
});

describe('the keys of the files that a lock names', () => {
  const keys = ['5:svg', '5:svg:00ff00', '6:png:64', '7:svg:ff0000', '8:svg:original'];
  const entries = new Map(keys.map((key) => [key, lockEntry({ term: '"4:svg"\n"3:svg"' })]));

  it.each([
    ['as they are written', (text: string) => text],
    ['with other ends of lines', (text: string) => text.replaceAll('\n', '\r\n  ')],
    ['though their lines are damaged', (text: string) => text.replaceAll('"rev":1', '"rev":')],
  ])('are found before it is parsed, %s', async (_, change) => {
    const path = join(await temporaryFolder(), 'icons.lock');
    await writeFile(path, change(encodeLockfile({ catalog, entries })));
    const lock = await readLockfile(path, 'icons.lock');
    expect(lock.keys()).toEqual(keys);
  });

  it('are the same afterwards', async () => {
    const path = join(await temporaryFolder(), 'icons.lock');
    await writeFile(path, encodeLockfile({ catalog, entries }));
    const lock = await readLockfile(path, 'icons.lock');
    lock.content();
    expect(lock.keys()).toEqual(keys);
  });
});
