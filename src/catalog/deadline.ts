/** What the promise becomes, or at once a rejection with the reason of the signal. What is still running is left behind. */
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

/** Thrown in place of what runs past its time. */
export class DeadlineError extends Error {}

/**
 * Gives `run` so many milliseconds, connecting and reading included. What ignores its signal is left behind, not waited for.
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
