import { dirname } from 'node:path';
import type { Log } from '../types.ts';
import { reasonOf } from './reason-of.ts';

/**
 * Writes of one pack, one after the other. The first that fails is told, and no other is tried: what a pack holds can be
 * made again. The function never fails.
 *
 * @param write does nothing where nothing has changed
 */
export function createPackFlush({
  file,
  log,
  write,
}: {
  file: string;
  log: Log;
  write: () => Promise<void>;
}): () => Promise<void> {
  let writable = true;
  let flushed: Promise<void> = Promise.resolve();

  async function attempt(): Promise<void> {
    if (!writable) return;
    try {
      await write();
    } catch (error) {
      writable = false;
      log.warn(
        `The optimised icons could not be kept in ${dirname(file)} (${reasonOf(error)}). This build is right, but the next one optimises them again.`,
      );
    }
  }

  return () => (flushed = flushed.then(attempt));
}
