import { parseRequest } from '../request/parse-request.ts';
import { parseLockKey } from '../store/lockfile-keys.ts';
import type { IconRequest } from '../types.ts';

const PLAIN = { aliases: {}, framework: undefined, defaults: {} };

/**
 * What lines of the lock are good for, by icon: requests that need no line besides. A file of several tones has lines of
 * its colours, and shows no other; lines of bare metadata draw nothing.
 */
export function pinnedRequests(keys: Iterable<string>): Map<number, IconRequest[]> {
  const requests = new Map<number, IconRequest[]>();
  const painted = new Set<number>();
  for (const key of keys) {
    const subject = parseLockKey(key);
    if (subject === undefined) continue;
    const { id, kind, color, size } = subject;
    const list = requests.get(id) ?? [];
    requests.set(id, list);
    if (kind === 'meta') continue;
    const query = new URLSearchParams(kind === 'svg' ? { as: 'svg' } : { filetype: 'png' });
    if (color !== null) query.set('color', color);
    if (size !== null) query.set('size', size);
    if (kind === 'svg' && color !== null && color !== 'original') painted.add(id);
    list.push(parseRequest(`icon:${id}?${query}`, PLAIN));
  }
  for (const id of painted) {
    const list = requests.get(id) ?? [];
    requests.set(
      id,
      list.filter(({ filetype, color }) => filetype === 'png' || color !== 'currentColor'),
    );
  }
  return requests;
}
