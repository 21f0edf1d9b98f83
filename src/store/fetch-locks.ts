import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { createHolder, removeAbandonedLocks, withFileLock, type LockHolder } from './file-lock.ts';
import { sha256Hex } from './hash.ts';

export interface FetchLocks {
  /**
   * Runs a task that looks for something and fetches it if it is not there, while no other process of this machine does so
   * for the same key: the one that comes second waits, and finds what the first has left. If no lock can be made, the task
   * runs without one.
   */
  withLock<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** Removes what was made for the locks. */
  close(): Promise<void>;
}

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
  const times = { abandoned: longest, patience: longest, pause: PAUSE };

  return {
    withLock: (key, task) =>
      limit(async () => {
        let isRunning = false;
        const run = (): ReturnType<typeof task> => {
          isRunning = true;
          return task();
        };
        try {
          holder ??= makeHolder(dir);
          const options = { ...times, holder: await holder };
          return await withFileLock(path.join(dir, sha256Hex(key).slice(0, 32)), run, options);
        } catch (error) {
          // What the task itself failed with counts. Anything else is about the lock.
          if (isRunning) throw error;
          return run();
        }
      }),
    async close() {
      const made = await holder?.catch(() => undefined);
      holder = undefined;
      if (made !== undefined) await rm(made.file, { force: true });
    },
  };
}

/** Milliseconds after which a process of another host is taken to have ended. */
const OLD = 24 * 60 * 60 * 1000;

async function makeHolder(dir: string): Promise<LockHolder | undefined> {
  await mkdir(dir, { recursive: true });
  await removeAbandonedLocks(dir, OLD);
  return createHolder(path.join(dir, `${randomUUID()}.holder`)).catch(() => undefined);
}
