import { keysOfRequest } from '../corridor/missing.ts';
import { parseLockKey } from '../store/lockfile-keys.ts';
import type { IconRequest } from '../types.ts';

/**
 * True for lines of the lock that a source may need. Whether a drawing has several colours is not looked at: a line of
 * one colour is kept while an svg of that colour is asked for, and so is one of the original colours while no colour is.
 *
 * @param shipped ids of icons whose every line is used
 */
export function createKeyFilter(
  requests: Iterable<IconRequest>,
  shipped: ReadonlySet<number> = new Set(),
): (key: string) => boolean {
  const ids = new Set<number>(shipped);
  const keys = new Set<string>();
  for (const request of requests) {
    ids.add(request.id);
    for (const key of keysOfRequest(request)) keys.add(key);
  }
  return (key) => {
    const subject = parseLockKey(key);
    if (subject !== undefined && shipped.has(subject.id)) return true;
    return subject?.kind === 'meta' ? ids.has(subject.id) : keys.has(key);
  };
}
