import { sha256Hex } from '../store/integrity.ts';
import type { IconRequest } from '../types.ts';
import { keysOfRequest } from './missing.ts';
import type { Pins } from './pins.ts';

/**
 * Hash of all that the lock says about an icon, and of nothing else in it: equal while a module made of the icon stays
 * right.
 *
 * @throws IconCatalogError LOCK_INVALID
 */
export function lockStateOf(request: IconRequest, pins: Pick<Pins, 'find' | 'record'>): string {
  const files = keysOfRequest(request).map((key) => pins.find(key)?.integrity ?? '');
  return sha256Hex(JSON.stringify([files, pins.record(request.id)])).slice(0, 24);
}
