import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { IconCatalogError } from '../errors.ts';

/** One attempt of a call, before it is sent. It never holds credentials: the call is signed afterwards. */
export interface RequestEvent {
  method: string;
  /** Path below the base address. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** 1 for the first attempt. Redirects and corrected clocks send again within one attempt. */
  attempt: number;
}

/** What a result states about its answer besides the body. */
export interface CatalogResponse {
  status: number;
  /**
   * Headers about limits, caching and the request; never cookies, challenges or signed addresses. Names are in lower
   * case.
   */
  headers: Readonly<Record<string, string>>;
  /** The service's own id of the request (`x-request-id` and the like), for its support. */
  requestId: string | undefined;
}

export interface ResponseEvent extends RequestEvent, CatalogResponse {
  /** Milliseconds from sending to the end of the body. */
  duration: number;
}

export interface RetryEvent extends RequestEvent {
  /** The reason why the attempt failed. */
  error: IconCatalogError;
  /** Milliseconds until the next attempt. */
  delay: number;
}

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

export interface RetryPolicy {
  /** Further attempts after the first. */
  retries: number;
  /** Milliseconds before the second attempt; doubled for each further one. */
  backoff: number;
  random: () => number;
  /** Ends a wait at once, with its reason. */
  signal: AbortSignal;
  /** Called before the wait for a further attempt. */
  onRetry?:
    | ((event: { attempt: number; error: IconCatalogError; delay: number }) => void)
    | undefined;
}

/** If a service asks for a longer wait than this, the call fails at once. Milliseconds. */
const LONGEST_WAIT = 30_000;

/**
 * Repeats an attempt that throws `Retriable`: exponential backoff with jitter, never before the time that the service asks for.
 * `signal` ends a wait, not an attempt: an answer that is on its way still counts.
 */
export async function withRetries<Result>(
  attempt: (number: number) => Promise<Result>,
  { retries, backoff, random, signal, onRetry }: RetryPolicy,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (thrown) {
      if (!(thrown instanceof Retriable)) throw thrown;
      const { error, wait } = thrown;
      if (number > retries || wait > LONGEST_WAIT) throw error;
      const delay = wait + backoff * 2 ** (number - 1) * (0.5 + random());
      if (!signal.aborted) onRetry?.({ attempt: number, error, delay });
      await sleep(delay, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
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
    return await untilAborted(run(signal), signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  }
}

/** Milliseconds until a catalog that did not answer is called again: a dev server may outlive an outage. */
const PAUSE = 30_000;
/** The fewest calls in a row that must fail before the catalog counts as unavailable, however few are in flight. */
const FEWEST_FAILURES = 3;
/** Milliseconds without any answer, counted from the first failure: a build ends within a minute. */
const LONGEST_SILENCE = 30_000;

/** Decides whether one more signed call may be made, and counts them. */
export interface Gate {
  /** @throws the IconCatalogError that stopped this build, or BUDGET_EXCEEDED; counts the call otherwise */
  enter(where: string): void;
  /** The usage limit is reached: nothing is sent until it can have been renewed, and in a build nothing at all. */
  limit(error: IconCatalogError, renewsAt: Date | undefined): void;
  /** The key is refused: in a build nothing more is sent. */
  refuse(error: IconCatalogError): void;
  /** Nothing is sent any more. */
  close(error: IconCatalogError): void;
  /** A call of this path was answered, with any result. */
  answered(path: string): void;
  /** A call of this path had no answer, or one that reports a fault of the service. */
  failed(path: string, error: IconCatalogError): void;
  /** Aborted when it is pointless to wait for a further attempt. */
  signal(): AbortSignal;
  isStopped(): boolean;
  calls(): number;
  /** Forgets why calls were stopped. */
  reopen(): void;
  /** A new build begins: the count and a stop are forgotten. */
  reset(): void;
}

export interface GateOptions {
  budget?: number | undefined;
  onCall?: (() => void) | undefined;
  /** Requests in flight. */
  concurrency: number;
  /**
   * True if one failure stands for all calls that follow, as in a build: a refused key stops them, a usage limit stops
   * them until `reset`, and so does a catalog that does not answer, after `concurrency` failures in a row or three in
   * half a minute.
   */
  isBuild: boolean;
  now: () => number;
}

export function createGate({ budget, onCall, concurrency, isBuild, now }: GateOptions): Gate {
  let calls = 0;
  let halt = createHalt();
  let reopensAt: number | undefined;
  /** Failures since the last answer, by kind of call: if records arrive but files do not, the files fail in a row. */
  const rows = new Map<string, { failures: number; since: number }>();
  // As many failures as calls can be in flight are needed: one wave of slow answers means nothing while another call is
  // answered.
  const most = Math.max(FEWEST_FAILURES, concurrency);

  function reopen(): void {
    rows.clear();
    reopensAt = undefined;
    halt = createHalt();
  }

  function stop(error: IconCatalogError, until?: number): void {
    if (halt.signal.aborted) return;
    reopensAt = until;
    halt.abort(error);
  }

  return {
    enter(where) {
      if (reopensAt !== undefined && now() >= reopensAt) reopen();
      halt.signal.throwIfAborted();
      if (budget !== undefined && calls >= budget) {
        throw new IconCatalogError('BUDGET_EXCEEDED', {
          message: `${where} was not sent: the budget of this build allows ${budget} signed ${budget === 1 ? 'call' : 'calls'}.`,
        });
      }
      calls += 1;
      onCall?.();
    },
    limit: (error, renewsAt) => stop(error, isBuild ? undefined : renewsAt?.getTime()),
    refuse(error) {
      if (isBuild) stop(error);
    },
    close(error) {
      if (halt.signal.aborted) halt = createHalt();
      stop(error);
    },
    answered: (path) => void rows.delete(kindOf(path)),
    failed(path, error) {
      const kind = kindOf(path);
      const { failures = 0, since = now() } = rows.get(kind) ?? {};
      const row = failures + 1;
      rows.set(kind, { failures: row, since });
      // Icons that are asked for one after the other never are that many at once.
      const isLong = row >= FEWEST_FAILURES && now() - since >= LONGEST_SILENCE;
      if (!isBuild || (row < most && !isLong)) return;
      const { code, reason, remedy, status } = error;
      const message = `Not sent, because the catalog does not answer: ${row} calls in a row failed. The last one: ${reason}`;
      stop(new IconCatalogError(code, { message, remedy, status }), now() + PAUSE);
    },
    signal: () => halt.signal,
    isStopped: () => halt.signal.aborted,
    calls: () => calls,
    reopen,
    reset() {
      calls = 0;
      reopen();
    },
  };
}

/** The calls that one part of a service answers: `/v2/icon/#/download`. */
function kindOf(path: string): string {
  return path.replace(/\?.*/s, '').replaceAll(/\d+/g, '#');
}

function createHalt(): AbortController {
  const controller = new AbortController();
  // Thousands of queued calls may listen to it, which is not a leak.
  setMaxListeners(0, controller.signal);
  return controller;
}
