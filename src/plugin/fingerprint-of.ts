import { createHash } from 'node:crypto';
import type { Options } from '../options.ts';
import { GENERATOR } from '../version.ts';

/**
 * Catalog and credentials are left out: which file an icon is and where its credit leads is the lock's to say, and module
 * ids that hold the fingerprint are the same on machines that have no catalog.
 */
export function fingerprintOf(options: Options): string {
  const { svg, aliases, framework, defaults, licenses, attribution } = options;
  return fingerprint([svg, aliases, framework, defaults, licenses, attribution]);
}

/** Hash of this version and of values, of which functions count by their text. */
export function fingerprint(shaping: readonly unknown[]): string {
  const text = JSON.stringify([GENERATOR.version, shaping], (_, value: unknown) =>
    typeof value === 'function' ? String(value) : sorted(value),
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Bundlers make names of module ids: options in another order must not change them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
