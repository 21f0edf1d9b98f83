/** Runs one task a key at a time; whoever asks meanwhile gets the same promise. Nothing is kept once it has settled. */
export function createSingleFlight(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, task: () => Promise<T>) => {
    const existing = running.get(key);
    if (existing !== undefined) return existing as Promise<T>;
    const started = task().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
