import { sha256Hex } from '../store/integrity.ts';
import { toLockKey } from '../store/lockfile-keys.ts';
import type { IconRequest } from '../types.ts';
import { keyOfRequest } from './missing.ts';
import type { Pins } from './pins.ts';

/**
 * Hash of all that the lock says about an icon, and of nothing else in it: equal while a module made of the icon stays
 * right.
 *
 * @throws IconCatalogError LOCK_INVALID
 */
export function lockStateOf(request: IconRequest, pins: Pick<Pins, 'find' | 'record'>): string {
  const { id, filetype, color } = request;
  const painted = filetype === 'svg' && color !== null && color !== 'currentColor' ? color : null;
  const keys = [keyOfRequest(request), toLockKey({ id, kind: 'svg', color: painted, size: null })];
  const files = keys.map((key) => pins.find(key)?.integrity ?? '');
  return sha256Hex(JSON.stringify([files, pins.record(id)])).slice(0, 24);
}
