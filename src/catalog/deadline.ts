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
