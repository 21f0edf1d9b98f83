import { parseLockKey, toLockKey } from '../store/lockfile-keys.ts';
import type { IconRequest } from '../types.ts';

/**
 * True for lines of the lock that a source may need. A line of a colour is needed where an svg of that colour is asked
 * for: whether the file has several tones is not looked at, since an icon of one tone has no such line.
 */
export function createKeyFilter(requests: Iterable<IconRequest>): (key: string) => boolean {
  const ids = new Set<number>();
  const keys = new Set<string>();
  for (const { id, as, filetype, color, size } of requests) {
    ids.add(id);
    if (as === 'meta') continue;
    if (filetype === 'png') keys.add(toLockKey({ id, kind: 'png', color, size }));
    else {
      keys.add(toLockKey({ id, kind: 'svg', color: null, size: null }));
      if (color !== null && color !== 'currentColor')
        keys.add(toLockKey({ id, kind: 'svg', color, size: null }));
    }
  }
  return (key) => {
    const subject = parseLockKey(key);
    return subject?.kind === 'meta' ? ids.has(subject.id) : keys.has(key);
  };
}
