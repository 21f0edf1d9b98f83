/**
 * Runs pieces of work that take milliseconds one after the other, one a turn of the event loop: answers that have come
 * in meanwhile are taken first, and the next calls are on their way while files are worked on.
 */
export function createPace(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(nextTurn).then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
