import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds in which calls that were made together reach their sockets. Loading code before that holds them all up. */
const UNTIL_CALLS_ARE_OUT = 10;

/**
 * Work for the time in which calls are on their way: begins once, a moment after the first call of the returned function,
 * which resolves when it is done. Where it fails, whoever needs its result finds out and says so.
 */
export function createIdleTask(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= wait(UNTIL_CALLS_ARE_OUT)
      .then(work)
      .then(
        () => undefined,
        () => undefined,
      ));
}
