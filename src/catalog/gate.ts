import { setMaxListeners } from 'node:events';
import { IconCatalogError } from '../errors.ts';

/** Decides whether one more signed call may be made, and counts them. */
export interface Gate {
  /** @throws IconCatalogError of what stopped this build, or BUDGET_EXCEEDED; counts the call otherwise */
  enter(where: string): void;
  /** @throws the error that stopped this build, if any */
  check(): void;
  /** From now on every call of this build is refused with this error. */
  stop(error: IconCatalogError): void;
  /** Aborted when waiting for a further attempt is pointless. */
  signal(): AbortSignal;
  calls(): number;
  /** A new build: the count and a stop are forgotten. */
  reset(): void;
}

export function createGate({
  budget,
  onCall,
}: {
  budget?: number | undefined;
  onCall?: (() => void) | undefined;
}): Gate {
  let calls = 0;
  let halt = createHalt();

  const check = (): void => halt.signal.throwIfAborted();
  return {
    check,
    enter(where) {
      check();
      if (budget !== undefined && calls >= budget) {
        throw new IconCatalogError('BUDGET_EXCEEDED', {
          message: `${where} was not sent: the budget of this build allows ${budget} signed ${budget === 1 ? 'call' : 'calls'}.`,
        });
      }
      calls += 1;
      onCall?.();
    },
    stop: (error) => halt.abort(error),
    signal: () => halt.signal,
    calls: () => calls,
    reset() {
      calls = 0;
      halt = createHalt();
    },
  };
}

function createHalt(): AbortController {
  const controller = new AbortController();
  // Thousands of queued calls may wait on it; that is no leak.
  setMaxListeners(0, controller.signal);
  return controller;
}
