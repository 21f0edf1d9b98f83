import pLimit from 'p-limit';
import type { Log } from '../../types.ts';
import { codeOf } from '../file-lock.ts';
import { explainCode } from '../files.ts';

/** Failures after which the cache is not asked again in this run. */
const MOST_FAILURES = 3;
/** The number of concurrent operations. The time of an operation starts when it does. */
export const CONCURRENCY = 32;

export interface Guard {
  isOpen(): boolean;
  isWritable(): boolean;
  /** What `run` gives; `failed` where it fails, takes longer than `timeout` ms, or the cache is off. */
  read<Result>(run: () => Promise<Result>, timeout: number): Promise<Result | typeof failed>;
  write(run: () => Promise<unknown>, timeout: number): Promise<void>;
  /** Ends what is under way. */
  close(): void;
}

export const failed: unique symbol = Symbol('failed');

/**
 * Keeps a cache that is slow, broken or full from harming a build: every operation has its time, three failures turn
 * the cache off, a refused write ends the writing. Each is reported once; nothing is thrown.
 *
 * @param ports.name as the message calls it: it holds no address
 */
export function createGuard({
  name,
  readonly,
  log,
}: {
  name: string;
  readonly: boolean;
  log: Log;
}): Guard {
  const limit = pLimit(CONCURRENCY);
  const underWay = new Set<() => void>();
  let failures = 0;
  let open = true;
  let writable = !readonly;

  function close(): void {
    open = false;
    for (const end of underWay) end();
  }

  function fail(error: unknown): void {
    failures += 1;
    if (!open || failures < MOST_FAILURES) return;
    close();
    log.warn(
      `The shared cache (${name}) is left out for the rest of this run: ${describeFailure(error)}. Icons that are not on this machine come from the catalog.`,
    );
  }

  function refuse(error: unknown): void {
    if (writable) {
      log.warn(
        `The shared cache (${name}) takes nothing new: ${describeFailure(error)}. It is only read for the rest of this run.`,
      );
    }
    writable = false;
  }

  async function timed<Result>(
    run: () => Promise<Result>,
    { timeout, onError }: { timeout: number; onError: (error: unknown) => void },
  ): Promise<Result | typeof failed> {
    if (!open) return failed;
    return new Promise((resolve) => {
      // Also keeps the process alive while it waits for a socket that does not.
      const timer = setTimeout(
        () => settle(failed, new Error(`no answer within ${timeout} ms`)),
        timeout,
      );
      const end = (): void => settle(failed);
      underWay.add(end);
      function settle(result: Result | typeof failed, error?: unknown): void {
        if (!underWay.delete(end)) return;
        clearTimeout(timer);
        if (error !== undefined) onError(error);
        resolve(result);
      }
      run().then(
        (result) => settle(result),
        (error: unknown) => settle(failed, error ?? new Error('unknown')),
      );
    });
  }

  return {
    isOpen: () => open,
    isWritable: () => open && writable,
    read: (run, timeout) => limit(() => timed(run, { timeout, onError: fail })),
    async write(run, timeout) {
      await limit(async () => {
        if (!writable) return;
        const onError = (error: unknown): void => (isRefusal(error) ? refuse : fail)(error);
        await timed(run, { timeout, onError });
      });
    },
    close,
  };
}

/** An answer of an S3-compatible service that is neither a success nor a miss. */
export class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** Full, forbidden or not to be written, as the file system says it. */
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EFBIG']);
/** First word of a Redis error: `OOM command not allowed …`. */
const REDIS_WORD = /^[A-Z]{3,20}\b/;

/** True if a write was understood and turned down, so that reading may go on. */
function isRefusal(error: unknown): boolean {
  if (error instanceof HttpFailure) return error.status >= 400 && error.status < 500;
  if (!(error instanceof Error)) return false;
  return isRedisReply(error) || REFUSED.has(String(codeOf(error)));
}

/** Why, in a few words. Messages of others are not repeated: they hold addresses. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if (error instanceof HttpFailure || error.message.startsWith('no answer within'))
    return error.message;
  if (isRedisReply(error)) {
    const word = REDIS_WORD.exec(error.message)?.[0];
    if (word !== undefined) return MEANINGS[word] ?? word;
  }
  const code = codeOf(error);
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return explainCode(code);
  if (error.cause !== undefined) return describeFailure(error.cause);
  return /connection is closed/i.test(error.message) ? 'the connection was closed' : 'it failed';
}

const MEANINGS: Partial<Record<string, string>> = {
  OOM: 'it is full (OOM)',
  NOAUTH: 'it asks for a password (NOAUTH)',
  WRONGPASS: 'it does not know the user or password (WRONGPASS)',
  NOPERM: 'the user may not do this (NOPERM)',
  READONLY: 'it is a replica that takes no writes (READONLY)',
};

function isRedisReply(error: Error): boolean {
  return error.name === 'ReplyError';
}
