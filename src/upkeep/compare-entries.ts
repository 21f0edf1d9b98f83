import { findDrift } from '../attribution/find-drift.ts';
import { encodeEntry } from '../store/lockfile-format.ts';
import type { LockEntry } from '../types.ts';

/** One field of a line that the catalog has otherwise now. */
export interface Difference {
  key: string;
  /** Name on the wire, `creator.name` within a record; `integrity` where the bytes differ. */
  field: string;
  locked: string;
  current: string;
  /** True where rights change: licence, credit text, creator. */
  legal: boolean;
}

const LISTS = ['site_url', 'creator_url', 'license_url', 'collections', 'styles', 'tags'] as const;

/** What differs between two lines of one key, rights first, then the drawing. */
export function compareEntries(key: string, locked: LockEntry, current: LockEntry): Difference[] {
  // The order of their lists is the catalog's own affair, and as likely to change as not.
  const same = { ...current, rev: locked.rev };
  if (encodeEntry(locked) === encodeEntry(same)) return [];
  const words = findDrift(locked, current).map((drift) => Object.assign(drift, { key }));
  const bytes =
    locked.integrity === current.integrity
      ? []
      : [
          {
            key,
            field: 'integrity',
            locked: describeBytes(locked),
            current: describeBytes(current),
            legal: false,
          },
        ];
  const lists = LISTS.flatMap((field) => {
    const [before, after] = [
      JSON.stringify(locked[field] ?? ''),
      JSON.stringify(current[field] ?? ''),
    ];
    return before === after ? [] : [{ key, field, locked: before, current: after, legal: false }];
  });
  return [
    ...words.filter(({ legal }) => legal),
    ...bytes,
    ...words.filter(({ legal }) => !legal),
    ...lists,
  ];
}

function describeBytes({ integrity = 'none', size = 0 }: LockEntry): string {
  return `${integrity.slice(0, 19)}… (${size} bytes)`;
}
