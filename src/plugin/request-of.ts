import type { IconRequest } from '../types.ts';

/** What another build noted may be nothing to these options. */
export function requestOf(
  id: string,
  request: (id: string) => IconRequest,
): IconRequest | undefined {
  try {
    return request(id);
  } catch {
    return undefined;
  }
}
