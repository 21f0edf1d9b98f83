import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createToken, isAbandoned, readLock, withFileLock } from './file-lock.ts';

/** Milliseconds between two batches. */
export const PAUSE = 20;

/** The same while there is nothing to do but to wait for other processes. */
const WAITING_PAUSE = 40;

/** A task that has not begun. */
interface Waiting {
  key: string;
  since: number;
  begin: () => void;
}

interface Batches {
  /** Resolves when this process holds the key. One that it holds already, for another task or since a moment ago, is not asked for again. */
  claim(key: string): Promise<void>;
  /** A task has ended. */
  release(key: string): void;
  /** There is something to write. */
  schedule(): void;
  run(): Promise<void>;
  /** Why the folder cannot be written. */
  failure(): unknown;
  close(): Promise<void>;
}

/** Runs `exchange` under the lock of the file, once for all that is asked for in a moment, claims of keys included. */
export function createBatches({
  file,
  longest,
  exchange,
  onFailure,
}: {
  file: string;
  longest: number;
  exchange: () => void;
  onFailure: (error: unknown) => void;
}): Batches {
  const keys = createKeys(dirname(file), longest);
  let batches: Promise<void> = Promise.resolve();
  let isScheduled = false;
  /** There is something for a batch besides waiting for other processes. */
  let isDue = false;
  let lastBatch = 0;
  let failure: unknown;

  async function runBatch(): Promise<void> {
    if (failure === undefined) {
      try {
        mkdirSync(dirname(file), { recursive: true });
        await withFileLock(file, async () => {
          isDue = false;
          exchange();
          keys.exchange();
        });
      } catch (error) {
        failure = error;
        onFailure(error);
      }
    }
    if (failure !== undefined) keys.beginAll();
    lastBatch = Date.now();
  }

  const run = (): Promise<void> => (batches = batches.then(runBatch));
  function schedule(): void {
    isDue = true;
    if (!isScheduled) void runBatches();
  }

  /** Runs batches while there is something to do. */
  async function runBatches(): Promise<void> {
    isScheduled = true;
    const isBusy = (): boolean => failure === undefined && (isDue || keys.isWaiting());
    while (isBusy()) {
      const pause = isDue ? PAUSE : WAITING_PAUSE;
      // What is asked for in the same moment goes along.
      await wait(Math.max(0, lastBatch + pause - Date.now()));
      // Others may have done it meanwhile: a store that was closed writes no more.
      if (isBusy()) await run();
    }
    isScheduled = false;
  }

  return {
    schedule,
    run,
    failure: () => failure,
    async claim(key) {
      if (failure === undefined && !keys.isHeld(key)) {
        const begun = keys.wait(key);
        schedule();
        await begun;
      }
      keys.count(key, 1);
    },
    release(key) {
      keys.count(key, -1);
      if (failure === undefined) schedule();
    },
    async close() {
      keys.beginAll();
      if (isDue) await run();
      keys.close();
    },
  };
}

/**
 * What one process works on is a file of its own, `<uuid>.claims`: the process, as a lock file names it, and one key a
 * line. It is read and written under the lock of the content pack.
 */
const SUFFIX = '.claims';

/** The keys that this process holds or waits for. */
function createKeys(dir: string, longest: number) {
  const claims = createClaims(dir, longest);
  let waiting: Waiting[] = [];
  const held = new Map<string, number>();
  return {
    /** Resolves in the batch that claims the key. */
    wait: (key: string): Promise<void> =>
      new Promise((begin) => {
        waiting.push({ key, since: Date.now(), begin });
      }),
    isWaiting: () => waiting.length > 0,
    isHeld: (key: string) => held.has(key),
    /** Of the tasks that work on the key. One without tasks is released by the next batch. */
    count: (key: string, more: number) => void held.set(key, (held.get(key) ?? 0) + more),
    /** Runs under the lock of the file. */
    exchange() {
      for (const [key, tasks] of held) if (tasks === 0) held.delete(key);
      const others = waiting.length === 0 ? new Set() : claims.ofOthers();
      const isFree = ({ key, since }: Waiting): boolean =>
        !others.has(key) || Date.now() - since > longest;
      const free = waiting.filter(isFree);
      claims.write([...held.keys(), ...free.map(({ key }) => key)]);
      waiting = waiting.filter((each) => !free.includes(each));
      for (const { begin } of free) begin();
    },
    beginAll() {
      for (const { begin } of waiting.splice(0)) begin();
    },
    close: claims.close,
  };
}

/**
 * The keys that processes of this machine are working on, so that no two of them pay for the same call.
 *
 * @param longest milliseconds after which the claims of a process count no longer, if it has written none since
 */
function createClaims(dir: string, longest: number) {
  const name = `${randomUUID()}${SUFFIX}`;
  const file = join(dir, name);
  let descriptor: number | undefined;
  let written = '';

  return {
    /** Replaces the keys of this process. */
    write(keys: readonly string[]) {
      const text = keys.join('\n');
      if (text === written) return;
      descriptor ??= openSync(file, 'w');
      const bytes = Buffer.from(`${createToken()}\n${text}`);
      // Some file systems write a file to the disk at once if it was emptied before: this one never is.
      writeSync(descriptor, bytes, 0, bytes.length, 0);
      ftruncateSync(descriptor, bytes.length);
      written = text;
    },
    /** The keys of all other processes that are alive. Files of the others are removed. */
    ofOthers(): Set<string> {
      const keys = new Set<string>();
      for (const other of readdirSync(dir)) {
        if (other === name || !other.endsWith(SUFFIX)) continue;
        // Its process may have removed it meanwhile: that waits for nothing.
        const [process = '', ...claimed] = readLock(join(dir, other))?.split('\n') ?? [];
        if (isAbandoned(join(dir, other), process, longest))
          rmSync(join(dir, other), { force: true });
        else for (const key of claimed) keys.add(key);
      }
      return keys;
    },
    /** Removes the file of this process. Never fails. */
    close() {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      written = '';
      try {
        rmSync(file, { force: true });
      } catch {
        // The next process that waits for an icon removes it.
      }
    },
  };
}
