/** Milliseconds in which calls that were made together reach their sockets. Loading code before that holds them all up. */
const UNTIL_CALLS_ARE_OUT = 10;

/**
 * Work for the time in which calls are on their way: begins once, a moment after the first call of the returned function.
 * Where it fails, whoever needs its result finds out and says so.
 */
export function createIdleTask(work: () => Promise<unknown>): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    const timer = setTimeout(() => {
      work().catch(() => undefined);
    }, UNTIL_CALLS_ARE_OUT);
    // Nobody waits for it.
    timer.unref();
  };
}
