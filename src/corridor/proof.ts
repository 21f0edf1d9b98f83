import { sha256Hex } from '../store/integrity.ts';
import { lockedRecord } from '../store/lockfile-format.ts';
import type { IconRecord } from '../types.ts';

/** Hex digits of the hash. */
const LENGTH = 32;

/**
 * What a finished module was made of: how many files (`1`, or `2` where the catalog painted one of several tones) and
 * the hash of their digests and of the record. It holds while the lock says the same.
 */
export function proofOf(integrities: readonly string[], record: Omit<IconRecord, 'id'>): string {
  const said = JSON.stringify([integrities, lockedRecord(record)]);
  return `${integrities.length}${sha256Hex(said).slice(0, LENGTH)}`;
}

export function filesInProof(proof: string): number {
  return Number(proof[0]);
}
