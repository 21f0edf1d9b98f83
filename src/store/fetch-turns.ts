import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { withFileLock } from './file-lock.ts';
import { sha256Hex } from './integrity.ts';

export interface FetchTurns {
  /**
   * Fetches what no process of this machine has fetched yet: whoever comes second waits for the first, and finds with
   * `find` what that one has left. Where no lock can be made, fetching is not held up.
   */
  take<Found>(
    key: string,
    ports: { find: () => Promise<Found | undefined>; download: () => Promise<Found> },
  ): Promise<Found>;
}

/** Waiting costs a look at the disk now and then: thousands of icons that another process fetches must not all look. */
const PAUSE = 40;

/**
 * @param options.dir holds a lock file for each icon that is being fetched
 * @param options.longest milliseconds that one fetch may take, all attempts included
 * @param options.width how many wait or fetch at a time
 */
export function createFetchTurns({
  dir,
  longest,
  width,
}: {
  dir: string;
  longest: number;
  width: number;
}): FetchTurns {
  const limit = pLimit(width);
  let made: Promise<unknown> | undefined;
  const times = { abandoned: longest, patience: longest, pause: PAUSE };

  return {
    take: (key, { find, download }) =>
      limit(async () => {
        let isRunning = false;
        const run = async () => {
          isRunning = true;
          return (await find()) ?? download();
        };
        try {
          await (made ??= mkdir(dir, { recursive: true }));
          return await withFileLock(path.join(dir, sha256Hex(key).slice(0, 32)), run, times);
        } catch (error) {
          if (isRunning) throw error;
          return run();
        }
      }),
  };
}
