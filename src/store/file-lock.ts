import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

export interface LockTimes {
  /** Milliseconds after which a lock counts as left behind; what is done under it takes far less. @default 10000 */
  abandoned?: number;
  /** Milliseconds after which we go on without the lock: better a lost cache line than a build that stands still. @default 20000 */
  patience?: number;
  /** Milliseconds between two looks. @default 15 */
  pause?: number;
}

/** Milliseconds after which a lock that names no holder counts as left behind. */
const UNSIGNED = 1000;

const TIMES: Required<LockTimes> = { abandoned: 10_000, patience: 20_000, pause: 15 };

/**
 * Runs one writer of `file` at a time, across processes. The lock is `<file>.lock`, created
 * exclusively; it holds host, process and a random token. The lock of a process that has died on
 * this host, or one too old, is taken away. Fails as the file system does where no file can be made.
 */
export async function withFileLock<Result>(
  file: string,
  run: () => Promise<Result>,
  times: LockTimes = {},
): Promise<Result> {
  const lock = `${file}.lock`;
  const token = JSON.stringify({ host: hostname(), pid: process.pid, token: randomUUID() });
  const isHeld = await acquire(lock, token, { ...TIMES, ...times });
  try {
    return await run();
  } finally {
    // Only ours: it may have been taken for abandoned, and belong to another by now.
    if (isHeld && (await read(lock)) === token) await rm(lock, { force: true });
  }
}

async function acquire(
  lock: string,
  token: string,
  { abandoned, patience, pause }: Required<LockTimes>,
): Promise<boolean> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      await create(lock, token);
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = await read(lock);
    if (holder !== undefined && (await isAbandoned(lock, holder, abandoned)))
      await takeAway(lock, holder);
    else if (Date.now() > deadline) return false;
    else await wait(pause * (0.5 + Math.random()));
  }
}

/** A full disk may have room for the file and none for its text: nobody could tell whose it is. */
async function create(lock: string, token: string): Promise<void> {
  const handle = await open(lock, 'wx');
  try {
    await handle.writeFile(token);
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function read(lock: string): Promise<string | undefined> {
  return readFile(lock, 'utf8').catch(() => undefined);
}

async function isAbandoned(lock: string, holder: string, after: number): Promise<boolean> {
  const pid = new RegExp(`^\\{"host":${escape(JSON.stringify(hostname()))},"pid":(\\d+),`).exec(
    holder,
  )?.[1];
  if (pid !== undefined && !isAlive(Number(pid))) return true;
  const found = await stat(lock).catch(() => undefined);
  if (found === undefined) return false;
  // Its maker was killed between creating the file and writing into it, unless it does so this very moment.
  const longest = holder === '' ? Math.min(after, UNSIGNED) : after;
  return Math.abs(Date.now() - found.mtimeMs) > longest;
}

function escape(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Two may find the same lock abandoned: whoever comes second must not take the first one's new lock. */
async function takeAway(lock: string, holder: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    if ((await read(aside)) !== holder) await link(aside, lock);
  } catch {
    // Gone already, or taken anew: the next attempt sees which.
  }
  await rm(aside, { force: true });
}
