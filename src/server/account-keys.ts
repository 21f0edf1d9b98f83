import { IconCatalogError } from '../errors.ts';
import type { EmbeddedKey } from '../options.ts';

/** @throws OPTIONS_INVALID for keys that could not sign, that stand twice, or with limits that are no counts */
export function checkKeys(keys: readonly EmbeddedKey[]): void {
  const known = new Set<string>();
  for (const [at, entry] of keys.entries()) {
    const path = `keys[${at}]`;
    if (!entry.key || !entry.secret)
      throw invalid(path, 'needs a `key` and a `secret` that are not empty');
    if (known.has(entry.key)) throw invalid(path, 'has the same `key` as an earlier one');
    known.add(entry.key);
    if (entry.access !== undefined && entry.access !== 'free' && entry.access !== 'paid') {
      throw invalid(path, "has an `access` that is neither 'free' nor 'paid'");
    }
    for (const name of ['monthlyLimit', 'hourlyLimit', 'dailyLimit'] as const) {
      const limit = entry[name];
      if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0)) {
        throw invalid(path, `has a \`${name}\` that is not a whole number from 0`);
      }
    }
  }
}

function invalid(path: string, fault: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `\`${path}\` of the embedded catalog ${fault}.`,
    path,
  });
}
