import type { HotUpdateOptions } from 'vite';
import { settled } from '../settled.ts';

/** As many changes as may be under way at once, by far. */
const KEPT = 64;

/**
 * Looks at one change after the other, so that what was found at one is not found again at the next, and at each once,
 * although every environment hears of it.
 *
 * @param look is awaited before the next one
 */
export function createLooks<Found>(
  look: (change: HotUpdateOptions) => Promise<Found>,
): (change: HotUpdateOptions) => Promise<Found> {
  const foundByTimestamp = new Map<number, Promise<Found>>();
  let looking: Promise<unknown> = Promise.resolve();

  async function next(change: HotUpdateOptions): Promise<Found> {
    // A file that is being written is empty for a moment: Vite waits until it is not.
    await settled(Promise.resolve(change.read()));
    return look(change);
  }

  return (change) => {
    // Vite gives each change a timestamp of its own.
    const { timestamp } = change;
    const known = foundByTimestamp.get(timestamp);
    if (known !== undefined) return known;
    const found = looking.then(() => next(change));
    looking = settled(found);
    foundByTimestamp.set(timestamp, found);
    const [oldest] = foundByTimestamp.keys();
    if (foundByTimestamp.size > KEPT && oldest !== undefined) foundByTimestamp.delete(oldest);
    return found;
  };
}
