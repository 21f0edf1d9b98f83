import { createHash } from 'node:crypto';
import type { LockEntry } from '../../src/types.ts';

/** An entry of a made-up icon; `content` stands for its bytes. */
export function lockEntry(fields: Partial<LockEntry> = {}, content = 'drawing'): LockEntry {
  return {
    rev: 1,
    integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
    size: content.length,
    term: 'star',
    creator: { name: 'Ada Example', permalink: '/ada/', username: 'ada' },
    attribution: 'star by Ada Example',
    license_description: 'creative-commons-attribution',
    permalink: '/icon/star-123/',
    collections: [{ id: '7', name: 'Sky', permalink: '/ada/collection/sky/' }],
    styles: [{ style: 'line', line_weight: 2 }],
    tags: ['night', 'sky'],
    ...fields,
  };
}

/** A line without bytes. */
export function metaEntry(fields: Partial<LockEntry> = {}): LockEntry {
  const { integrity: _integrity, size: _size, ...record } = lockEntry(fields);
  return record;
}
