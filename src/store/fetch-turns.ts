import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { createHolder, removeAbandonedLocks, withFileLock, type LockHolder } from './file-lock.ts';
import { sha256Hex } from './hash.ts';

export interface FetchLocks {
  /**
   * What `find` finds, or else fetches what no process of this machine has fetched yet: whoever comes second waits for
   * the first, and finds what that one has left. Where no lock can be made, fetching is not held up.
   */
  take<Found>(
    key: string,
    ports: { find: () => Promise<Found | undefined>; download: () => Promise<Found> },
  ): Promise<Found>;
  /** Takes away what was made for taking turns. */
  close(): Promise<void>;
}

/** After so many misses in a row the cache is taken for empty, and looked into once an icon instead of twice. */
const MISSES = 32;

/** Waiting costs a look at the disk now and then: thousands of icons that another process fetches must not all look. */
const PAUSE = 40;

/**
 * @param options.dir holds a lock file for each icon that is being fetched
 * @param options.longest milliseconds that one fetch may take, all attempts included
 * @param options.width how many wait or fetch at a time
 */
export function createFetchLocks({
  dir,
  longest,
  width,
}: {
  dir: string;
  longest: number;
  width: number;
}): FetchLocks {
  const limit = pLimit(width);
  let holder: Promise<LockHolder | undefined> | undefined;
  let misses = 0;
  const times = { abandoned: longest, patience: longest, pause: PAUSE };

  async function looked<Found>(find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const found = await find();
    misses = found === undefined ? misses + 1 : 0;
    return found;
  }

  return {
    async take(key, { find, download }) {
      const found = misses < MISSES ? await looked(find) : undefined;
      if (found !== undefined) return found;
      return limit(async () => {
        let isRunning = false;
        const run = async () => {
          isRunning = true;
          return (await looked(find)) ?? download();
        };
        try {
          holder ??= makeHolder(dir);
          const options = { ...times, holder: await holder };
          return await withFileLock(path.join(dir, sha256Hex(key).slice(0, 32)), run, options);
        } catch (error) {
          if (isRunning) throw error;
          return run();
        }
      });
    },
    async close() {
      const made = await holder?.catch(() => undefined);
      holder = undefined;
      if (made !== undefined) await rm(made.file, { force: true });
    },
  };
}

/** Milliseconds after which a process of another host has ended. */
const OLD = 24 * 60 * 60 * 1000;

async function makeHolder(dir: string): Promise<LockHolder | undefined> {
  await mkdir(dir, { recursive: true });
  await removeAbandonedLocks(dir, OLD);
  return createHolder(path.join(dir, `${randomUUID()}.holder`)).catch(() => undefined);
}
