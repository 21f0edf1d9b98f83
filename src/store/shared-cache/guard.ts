import pLimit from 'p-limit';
import type { Log } from '../../types.ts';
import { describeFailure, isRefusal } from './describe-failure.ts';

/** Failures after which the cache is not asked again in this run. */
const MOST_FAILURES = 3;
/** Operations under way. The time of an operation starts when it is its turn. */
const CONCURRENCY = 32;

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
 * the cache off, a refused write ends the writing. Each is told once; nothing is thrown.
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
