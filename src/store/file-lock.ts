import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

export interface LockOptions {
  /** Milliseconds after which a lock counts as abandoned; the work under it takes far less. @default 10000 */
  abandoned?: number;
  /**
   * Milliseconds after which the work starts without the lock: a lost cache line is better than a build that hangs.
   * @default 20000
   */
  patience?: number;
  /** Milliseconds between two looks. @default 15 */
  pause?: number;
  /** Called once if the lock cannot be taken within 2 seconds, with its holder and what to do. */
  held?: ((description: string) => void) | undefined;
}

type LockTimes = Required<Omit<LockOptions, 'held'>>;

/** The time in milliseconds after which a lock that names no holder counts as abandoned. */
const UNSIGNED = 1000;

/** The time in milliseconds after which a waiting user is given a reason. */
const LONG = 2000;

/** Locks that this process holds. No clock decides on them: it may differ from that of the file system. */
const own = new Set<string>();

const TIMES: LockTimes = { abandoned: 10_000, patience: 20_000, pause: 15 };

/**
 * Takes the lock of `file`, which one process holds at a time: `<file>.lock`, created exclusively; it holds host, process
 * and a random token. The lock of a process that has died on this host, or one too old, is removed.
 *
 * @returns releases it
 * @throws as the file system does if no file can be created
 */
export async function takeFileLock(
  file: string,
  { held, ...times }: LockOptions = {},
): Promise<() => void> {
  const lock = `${file}.lock`;
  const token = createToken();
  own.add(token);
  let isHeld = false;
  const release = (): void => {
    if (isHeld) remove(lock, token);
    own.delete(token);
  };
  try {
    isHeld = await acquire(lock, { token, held }, { ...TIMES, ...times });
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Runs one writer of `file` at a time, across processes. Fails as `takeFileLock` does. */
export async function withFileLock<Result>(
  file: string,
  run: () => Promise<Result>,
  options?: LockOptions,
): Promise<Result> {
  const release = await takeFileLock(file, options);
  try {
    return await run();
  } finally {
    release();
  }
}

/**
 * Removes the lock of `file` if no process can hold it any more: a process that is killed between writing and releasing
 * leaves it behind, and if nothing is left to write, no other process would remove it. Never fails.
 */
export function removeAbandonedLock(file: string): void {
  const lock = `${file}.lock`;
  const found = readLock(lock);
  if (found !== undefined && isAbandoned(lock, found, TIMES.abandoned)) remove(lock, found);
}

/** Names this process: see `isAbandoned`. */
export function createToken(): string {
  return JSON.stringify({ host: hostname(), pid: process.pid, token: randomUUID() });
}

async function acquire(
  lock: string,
  { token, held }: { token: string; held: LockOptions['held'] },
  { abandoned, patience, pause }: LockTimes,
): Promise<boolean> {
  const start = Date.now();
  let isReported = false;
  for (;;) {
    try {
      create(lock, token);
      return true;
    } catch (error) {
      const isTaken = codeOf(error) === 'EEXIST' || (isBusy(error) && Date.now() - start < LONG);
      if (!isTaken) throw error;
    }
    const found = readLock(lock);
    if (found === undefined && isFolder(lock)) {
      held?.('is a folder. Remove it: it is where processes that write the file keep their lock.');
      return false;
    }
    if (found !== undefined && isAbandoned(lock, found, abandoned) && remove(lock, found)) continue;
    const waited = Date.now() - start;
    if (waited > LONG && found !== undefined && !isReported) {
      isReported = true;
      held?.(
        `is held by ${describe(found)}, which has not released it for ${LONG / 1000} seconds. Delete it if that process has ended.`,
      );
    }
    if (waited > patience) return false;
    await wait(pause * (0.5 + Math.random()));
  }
}

/**
 * A full disk may have room for the file but not for its text, and the holder would be unknown. The calls are
 * synchronous, since a cold build takes hundreds of locks and each of these calls takes microseconds.
 */
function create(lock: string, token: string): void {
  const descriptor = openSync(lock, 'wx');
  try {
    writeSync(descriptor, token);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Removes a lock if it is still the one that was read: another process may have treated it as abandoned, and the file be
 * that one's. Nothing else of this process runs in between, and no second name of the lock exists that a kill could
 * leave behind.
 *
 * @returns false if nothing can be removed there
 */
function remove(lock: string, holder: string): boolean {
  try {
    if (readFileSync(lock, 'utf8') === holder) unlinkSync(lock);
    return true;
  } catch {
    return !existsSync(lock);
  }
}

/** `undefined` if it is gone, or cannot be read. */
export function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function describe(holder: string): string {
  const [, host, pid] = /^\{"host":("(?:[^"\\]|\\.)*"),"pid":(\d+),/.exec(holder) ?? [];
  return host === undefined
    ? 'an unknown process'
    : `process ${pid} of the host ${JSON.parse(host) as string}`;
}

/**
 * Whether a file belongs to a process that has ended, or is too old to belong to one.
 *
 * @param holder what `createToken` gave to the process that wrote the file
 * @param after milliseconds
 */
export function isAbandoned(file: string, holder: string, after: number): boolean {
  if (own.has(holder)) return false;
  const pid = new RegExp(`^\\{"host":${escape(JSON.stringify(hostname()))},"pid":(\\d+),`).exec(
    holder,
  )?.[1];
  if (pid !== undefined && !isAlive(Number(pid))) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // Its creator was killed between creating the file and writing into it, unless it is just doing so.
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
    return codeOf(error) === 'EPERM';
  }
}

const BUSY: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Whether the same call may succeed in a moment: Windows refuses to replace, remove or create a file while another process
 * (a build, an editor, a virus scanner) has it open.
 */
function isBusy(error: unknown): boolean {
  return process.platform === 'win32' && BUSY.has(codeOf(error));
}

/** The longest pause in milliseconds between two attempts; all pauses together are twice as long. */
const LONGEST_PAUSE = 512;

/** Runs again what Windows refuses for a moment. Fails as `run` does. */
export async function retryWhileBusy(run: () => Promise<void>): Promise<void> {
  for (let pause = 1; ; pause *= 2) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || pause > LONGEST_PAUSE) throw error;
    }
    await wait(pause);
  }
}

/** `ENOENT` and the like; `undefined` if it has none. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
