import type { Filetype } from '../types.ts';
import { sha256Hex } from './integrity.ts';

/** Raised when what stands behind a key changes its meaning; older entries are then never found. */
const GENERATION = 1;

export interface BytesIdentity {
  /** Identity of the catalog, such as the origin of its address. Only its hash is kept. */
  catalog: string;
  id: number | string;
  filetype: Filetype;
  /** As sent to the service; `null`: not sent. */
  color: string | null;
  /** As sent to the service; `null`: not sent. */
  size: string | null;
}

/**
 * Key of downloaded bytes: what changes them and nothing that changes per call (credentials, times,
 * signed addresses).
 */
export function bytesKey({ catalog, id, filetype, color, size }: BytesIdentity): string {
  return toKey('bytes', [catalogName(catalog), String(id), filetype, color ?? '', size ?? '']);
}

/** Key of an icon's record, stored as JSON. */
export function recordKey({ catalog, id }: Pick<BytesIdentity, 'catalog' | 'id'>): string {
  return toKey('record', [catalogName(catalog), String(id)]);
}

/** Key of bytes that are known by their digest alone. */
export function digestKey(integrity: string): string {
  return toKey('digest', [integrity]);
}

function toKey(kind: string, parts: string[]): string {
  return ['unplugin-icon-catalog', GENERATION, kind, ...parts.map(encodeURIComponent)].join(':');
}

function catalogName(catalog: string): string {
  return sha256Hex(catalog).slice(0, 16);
}
