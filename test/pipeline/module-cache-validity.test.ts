import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createModuleCache,
  createModuleValidity,
  type ModuleCache,
  entryHashOf,
  type ModuleValidity,
} from '../../src/pipeline/module-cache.ts';
import type { IconLock } from '../../src/pipeline/lock.ts';
import { toDefaultId } from '../../src/request/key.ts';
import { parseRequest } from '../../src/request/parse-request.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createTextPack, type TextPack } from '../../src/store/packs.ts';
import type { Credit, IconRequest, LockEntry } from '../../src/types.ts';
import { lockEntry } from '../store/lock-entries.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OPTIONS = resolveOptions({}, { root: '/', env: {} });
const CREDIT = {
  credit: { required: false },
  license: { status: 'public-domain', version: null, spdx: 'CC0-1.0' },
} as Credit;
const request = (id: number, color = ''): IconRequest =>
  parseRequest(`icon:${id}${color && `?color=${color}`}`, OPTIONS);

type Lock = Record<string, LockEntry>;

/** What a lock file of these lines answers; its hash is that of its text, as on disk. */
function pinsOf(lock: Lock, looked: () => void): Pick<IconLock, 'find' | 'record' | 'hash'> {
  return {
    find(key) {
      looked();
      return lock[key];
    },
    hash: () => (Object.keys(lock).length === 0 ? '' : JSON.stringify(lock)),
    record(id) {
      const entry = Object.entries(lock).find(([key]) => key.startsWith(`${id}:`))?.[1];
      return entry && { ...entry, id: String(id) };
    },
  };
}

interface Run {
  modules: ModuleCache;
  validity: ModuleValidity;
  values: TextPack;
  records: TextPack;
  /** Finishes the icon as the lock has it. */
  finish(id: number, options?: { color?: string; value?: string }): void;
  end(): Promise<void>;
  /** How often a line of the lock was asked for, which reads all of it. */
  looks(): number;
  has(id: number, color?: string): boolean;
}

/** One process with this lock on the packs of a folder. */
async function run(folder: string, lock: Lock): Promise<Run> {
  let looks = 0;
  const iconLock = pinsOf(lock, () => (looks += 1));
  const log = recordingLog();
  const key = Buffer.alloc(32, 1);
  const records = createTextPack({ file: join(folder, 'records'), identity: 'one', key, log });
  const values: TextPack = createTextPack({
    file: join(folder, 'values'),
    identity: 'one',
    key,
    log,
    keepValid: (lines) => validity.keepValid(lines),
  });
  const validity = createModuleValidity({ iconLock, values, records });
  const modules = createModuleCache(OPTIONS, { values, records, validity });
  await values.open();
  await validity.begin();
  return {
    modules,
    validity,
    values,
    records,
    finish(id, { color, value = `"drawing of ${id}"` } = {}) {
      const files = [`${id}:svg`, `${id}:svg:${color}`].map((key) => lock[key]?.integrity ?? '');
      const record = iconLock.record(id);
      if (record === undefined) throw new Error('not in the lock');
      const entryHash = entryHashOf(files.slice(0, color === undefined ? 1 : 2), record);
      const parts = { value, credit: '"{}"', icon: '{}' };
      modules.set(request(id, color), { parts, credit: CREDIT, entryHash });
    },
    async end() {
      validity.end();
      await records.flush();
      await values.flush();
    },
    looks: () => looks,
    has: (id, color) => modules.get(toDefaultId(request(id, color).canonical)) !== undefined,
  };
}

const icon = (term: string, content = term): LockEntry => lockEntry({ term }, content);

describe('validity of finished modules', () => {
  it('spares a build with the same lock the look at each of them', async () => {
    const folder = await temporaryFolder();
    const lock = { '1:svg': icon('one'), '2:svg': icon('two') };
    const first = await run(folder, lock);
    expect(first.validity.matchesLock).toBe(false);
    first.finish(1);
    first.finish(2);
    await first.end();
    const before = await readFile(join(folder, 'values'));
    const second = await run(folder, lock);
    expect(second.validity.matchesLock).toBe(true);
    expect([second.has(1), second.has(2)]).toEqual([true, true]);
    await second.end();
    expect(await readFile(join(folder, 'values'))).toEqual(before);
  });

  it('gives no records of another build than that of the value', async () => {
    const folder = await temporaryFolder();
    const lock = { '1:svg': icon('one') };
    const first = await run(folder, lock);
    first.finish(1);
    await first.end();
    // Another build wrote its records, and was killed before it wrote its values.
    const other = await run(folder, lock);
    other.finish(1, { value: '"another drawing"' });
    await other.records.flush();

    const later = await run(folder, lock);
    const id = toDefaultId(request(1).canonical);
    expect(later.validity.matchesLock).toBe(true);
    expect(later.modules.get(id)?.value).toBe('"drawing of 1"');
    expect(await later.modules.records(id)).toBeUndefined();
  });

  it('does not speak for what the lock said before, while it is written and afterwards', async () => {
    const folder = await temporaryFolder();
    const before = icon('one');
    const lock = { '1:svg': before, '2:svg': icon('two') };
    const first = await run(folder, lock);
    first.finish(1);
    first.finish(2);
    await first.end();

    const second = await run(folder, lock);
    lock['1:svg'] = icon('uno', 'one');
    // The build writes its packs, and meanwhile somebody asks.
    second.validity.end();
    await second.validity.begin();
    expect([second.has(1), second.has(2)]).toEqual([false, true]);
    await second.end();
    await second.validity.begin();
    expect(second.validity.matchesLock).toBe(true);
    expect([second.has(1), second.has(2)]).toEqual([false, true]);

    // What was on its way meanwhile.
    const after = lock['1:svg'];
    lock['1:svg'] = before;
    second.finish(1);
    lock['1:svg'] = after;
    expect([second.has(1), second.has(2)]).toEqual([false, true]);
  });

  it.each<[string, (lock: Lock) => Lock, boolean[]]>([
    ['other bytes', (lock) => ({ ...lock, '1:svg': icon('one', 'redrawn') }), [false, true, true]],
    ['another word', (lock) => ({ ...lock, '1:svg': icon('uno', 'one') }), [false, true, true]],
    [
      'another file of a colour',
      (lock) => ({ ...lock, '3:svg:ff0000': icon('three', 'repainted') }),
      [true, true, false],
    ],
    ['no such line', ({ '2:svg': _gone, ...lock }) => lock, [true, false, true]],
    ['one more line', (lock) => ({ ...lock, '9:svg': icon('nine') }), [true, true, true]],
  ])(
    'is none for a lock with %s, and modules of the old one are dropped',
    async (_, change, still) => {
      const folder = await temporaryFolder();
      const lock: Lock = {
        '1:svg': icon('one'),
        '2:svg': icon('two'),
        '3:svg': icon('three'),
        '3:svg:ff0000': icon('three', 'painted'),
      };
      const first = await run(folder, lock);
      first.finish(1);
      first.finish(2);
      first.finish(3, { color: 'ff0000' });
      await first.end();

      const has = (each: Run): boolean[] => [each.has(1), each.has(2), each.has(3, 'ff0000')];
      const changed = await run(folder, change(lock));
      expect(changed.validity.matchesLock).toBe(false);
      expect(has(changed)).toEqual(still);
      await changed.end();
      const after = await run(folder, change(lock));
      expect(after.validity.matchesLock).toBe(true);
      expect(has(after)).toEqual(still);
      // With the old lock the same is found, and the rest is made again.
      const back = await run(folder, lock);
      expect(back.validity.matchesLock).toBe(false);
      expect(has(back)).toEqual(still);
    },
  );

  it('covers no module that another process finished for another lock', async () => {
    const folder = await temporaryFolder();
    const ours = { '1:svg': icon('one'), '2:svg': icon('two') };
    const theirs = { '1:svg': icon('one'), '2:svg': icon('two', 'redrawn') };
    const [one, other] = [await run(folder, ours), await run(folder, theirs)];
    one.finish(1);
    other.finish(2, { value: '"redrawn"' });
    await other.end();
    await one.end();
    const next = await run(folder, ours);
    expect(next.validity.matchesLock).toBe(true);
    expect([next.has(1), next.has(2)]).toEqual([true, false]);
  });

  it('is put on no modules at all without a look into the lock', async () => {
    const folder = await temporaryFolder();
    const synced = await run(folder, { '1:svg': icon('one') });
    await synced.end();
    expect(synced.looks()).toBe(0);
    const next = await run(folder, { '1:svg': icon('one') });
    expect(next.validity.matchesLock).toBe(true);
    next.finish(1);
    await next.end();
    expect(next.looks()).toBeGreaterThan(0);
  });

  it('is not put on modules of a build without a lock', async () => {
    const folder = await temporaryFolder();
    const locked = await run(folder, { '1:svg': icon('one') });
    locked.finish(1);
    await locked.end();
    const free = await run(folder, {});
    expect([free.validity.matchesLock, free.has(1)]).toEqual([false, false]);
    await free.end();
    expect((await run(folder, {})).validity.matchesLock).toBe(false);
  });
});
