import { setMaxListeners } from 'node:events';
import { IconCatalogError } from '../errors.ts';

/** Milliseconds until a catalog that did not answer is called again: a dev server may outlive an outage. */
const PAUSE = 30_000;
/** The fewest calls in a row that must fail before the catalog counts as unavailable, however few are in flight. */
const FEWEST_FAILURES = 3;

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
   * them until `reset`, and so does a catalog that does not answer, after `concurrency` failures in a row.
   */
  isBuild: boolean;
  now: () => number;
}

export function createGate({ budget, onCall, concurrency, isBuild, now }: GateOptions): Gate {
  let calls = 0;
  let halt = createHalt();
  let reopensAt: number | undefined;
  /** Failures since the last answer, by kind of call: if records arrive but files do not, the files fail in a row. */
  const rows = new Map<string, number>();
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
      const row = (rows.get(kind) ?? 0) + 1;
      rows.set(kind, row);
      if (!isBuild || row < most) return;
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
