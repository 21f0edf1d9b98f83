import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import type { IconCatalogError } from '../errors.ts';

/** Thrown by an attempt that may be repeated. */
export class Retriable extends Error {
  readonly error: IconCatalogError;
  /** Milliseconds that the service asks to wait at least. */
  readonly wait: number;

  constructor(error: IconCatalogError, wait = 0) {
    super(error.reason);
    this.error = error;
    this.wait = wait;
  }
}

interface Retry {
  /** The attempt that failed. */
  attempt: number;
  error: IconCatalogError;
  /** Milliseconds until the next attempt. */
  delay: number;
}

export interface RetryPolicy {
  /** Further attempts after the first. */
  retries: number;
  /** Milliseconds before the second attempt; doubled for each further one. */
  backoff: number;
  random: () => number;
  /** Ends a wait at once, with its reason. */
  signal: AbortSignal;
  /** Called before the wait for a further attempt. */
  onRetry?: ((event: Retry) => void) | undefined;
}

/** If a service asks for a longer wait than this, the call fails at once. Milliseconds. */
const LONGEST_WAIT = 30_000;

/**
 * Repeats an attempt that throws `Retriable`: exponential backoff with jitter, never before the time that the service asks for.
 * The waiting is done here and not by p-retry, which would drop an answer that came in while `signal` was aborted.
 */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  { retries, backoff, random, signal, onRetry }: RetryPolicy,
): Promise<Result> {
  try {
    return await pRetry(attempt, {
      retries,
      minTimeout: 0,
      shouldRetry: ({ error }) => isWorthWaiting(error),
      async onFailedAttempt({ error, attemptNumber, retriesLeft }) {
        if (!isWorthWaiting(error) || retriesLeft === 0) return;
        const own = backoff * 2 ** (attemptNumber - 1) * (0.5 + random());
        const delay = error.wait + own;
        if (!signal.aborted) onRetry?.({ attempt: attemptNumber, error: error.error, delay });
        await pause(delay, signal);
      },
    });
  } catch (error) {
    throw error instanceof Retriable ? error.error : error;
  }
}

function isWorthWaiting(error: unknown): error is Retriable {
  return error instanceof Retriable && error.wait <= LONGEST_WAIT;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** A year in milliseconds. A longer wait is meaningless, and dates cannot hold all of it. */
const LONGEST_RETRY_AFTER = 366 * 86_400_000;

/** Milliseconds of a Retry-After header: seconds, or an HTTP date. `undefined` where it is absent or unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const date = Date.parse(header);
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : date - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), LONGEST_RETRY_AFTER);
}

/** Settles as the promise does, or rejects at once with the reason of the signal; the work is abandoned. */
export async function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Thrown if something exceeds its time. */
export class DeadlineError extends Error {}

/**
 * Gives `run` this many milliseconds, connecting and reading included. Work that ignores its signal is abandoned.
 * @throws DeadlineError, or the reason of `outer`
 */
export async function withDeadline<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  { milliseconds, outer }: { milliseconds: number; outer: AbortSignal },
): Promise<Result> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(new DeadlineError('Out of time.')), milliseconds);
  const end = (): void => controller.abort(outer.reason);
  outer.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<Result>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      run(signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  }
}
