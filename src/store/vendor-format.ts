import { Buffer } from 'node:buffer';
import { isObject, parseJson } from '../untrusted.ts';
import { sri512 } from './hash.ts';

/*
 * A vendor file is UTF-8 text, one JSON object a line, sorted, LF behind every line:
 *
 *   {"integrity":"sha512-…","base64":"iVBORw0…"}
 *   {"integrity":"sha512-…","catalog":{"name":"…","siteUrl":"https://…"}}
 *   {"integrity":"sha512-…","svg":"<svg …>…</svg>"}
 *
 * <integrity>  SHA-512 of the bytes that the line stands for, as Subresource Integrity writes it
 * svg          bytes that are valid UTF-8, as the catalog sent them
 * base64       any other bytes
 * catalog      the catalog's description; its bytes are those of this JSON without white space
 *
 * A line depends on nothing but its bytes, so lines of two branches never contradict each other: duplicates, any order,
 * and the markers that a merge left behind are fine to read. CR before LF and a byte order mark are ignored, since
 * digests are of what the JSON stands for.
 */

export type VendorKind = 'svg' | 'base64' | 'catalog';

/** Where one line lies in the file's bytes, without its line break. */
export interface VendorLine {
  start: number;
  end: number;
}

export interface VendorIndex {
  /** By integrity; more than one if a merge left duplicates. */
  lines: Map<string, VendorLine[]>;
  /** Lines that name no integrity. */
  broken: VendorLine[];
}

export type DecodedLine =
  | { ok: true; integrity: string; bytes: Buffer }
  /** `unknown`: well-formed, but of a kind that a newer version may know. */
  | { ok: false; why: 'broken' | 'mismatch' | 'unknown'; kind?: string };

const PREFIX = Buffer.from('{"integrity":"sha512-');
/** `sha512-` and 64 bytes in base64. */
const INTEGRITY = 95;
const INTEGRITY_START = PREFIX.length - 'sha512-'.length;
const INTEGRITY_END = INTEGRITY_START + INTEGRITY;
const IS_INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const MARKER = /^(?:<{3,}|>{3,}|\|{3,})(?: |$)|^={3,}$/;
const [LF, CR, QUOTE] = [10, 13, 34];

/** The line of these bytes, LF included, and its integrity. */
export function encodeVendorLine(bytes: Uint8Array): { integrity: string; line: Buffer } {
  const integrity = sri512(bytes);
  return { integrity, line: Buffer.from(`${JSON.stringify({ integrity, ...held(bytes) })}\n`) };
}

function held(bytes: Uint8Array): Partial<Record<VendorKind, unknown>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (!Buffer.from(text).equals(buffer)) return { base64: buffer.toString('base64') };
  const catalog = text.startsWith('{') ? parseJson(text) : undefined;
  return isObject(catalog) && JSON.stringify(catalog) === text ? { catalog } : { svg: text };
}

/** Finds the lines without looking into them. */
export function indexVendor(file: Buffer): VendorIndex {
  const index: VendorIndex = { lines: new Map(), broken: [] };
  const hasMark = file.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  for (let start = hasMark ? BYTE_ORDER_MARK.length : 0; start < file.length;) {
    const feed = file.indexOf(LF, start);
    const next = feed === -1 ? file.length : feed;
    const line = { start, end: file[next - 1] === CR && next > start ? next - 1 : next };
    const integrity = integrityOf(file, line);
    if (integrity === undefined) index.broken.push(line);
    else if (integrity !== '') {
      const same = index.lines.get(integrity);
      if (same === undefined) index.lines.set(integrity, [line]);
      else same.push(line);
    }
    start = next + 1;
  }
  return index;
}

/** `''` for a line that holds nothing; `undefined` for one that holds no integrity. */
function integrityOf(file: Buffer, { start, end }: VendorLine): string | undefined {
  if (
    end > start + INTEGRITY_END &&
    file[start + INTEGRITY_END] === QUOTE &&
    file.compare(PREFIX, 0, PREFIX.length, start, start + PREFIX.length) === 0
  ) {
    const integrity = file.toString('latin1', start + INTEGRITY_START, start + INTEGRITY_END);
    return isIntegrity(integrity) ? integrity : undefined;
  }
  const text = file.toString('utf8', start, end);
  if (text.trim() === '' || MARKER.test(text)) return '';
  // Spaced out by a formatter, or with its members in another order.
  const parsed = parseJson(text);
  const integrity = isObject(parsed) ? parsed['integrity'] : undefined;
  return isIntegrity(integrity) ? integrity : undefined;
}

function isIntegrity(value: unknown): value is string {
  return typeof value === 'string' && IS_INTEGRITY.test(value);
}

/** What a line stands for, checked against its digest. */
export function decodeVendorLine(file: Buffer, { start, end }: VendorLine): DecodedLine {
  const parsed = parseJson(file.toString('utf8', start, end));
  if (!isObject(parsed)) return { ok: false, why: 'broken' };
  const { integrity, ...rest } = parsed;
  const [kind = '', ...others] = Object.keys(rest);
  const other = others.find((name) => !isKind(name)) ?? (isKind(kind) ? undefined : kind);
  if (other !== undefined && other !== '') return { ok: false, why: 'unknown', kind: other };
  const bytes = bytesOf(kind, rest[kind]);
  if (!isIntegrity(integrity) || bytes === undefined || others.length > 0)
    return { ok: false, why: 'broken' };
  return sri512(bytes) === integrity
    ? { ok: true, integrity, bytes }
    : { ok: false, why: 'mismatch' };
}

function bytesOf(kind: string, value: unknown): Buffer | undefined {
  if (kind === 'catalog') return isObject(value) ? Buffer.from(JSON.stringify(value)) : undefined;
  if (typeof value !== 'string') return undefined;
  return Buffer.from(value, kind === 'svg' ? 'utf8' : 'base64');
}

function isKind(name: string): name is VendorKind {
  return name === 'svg' || name === 'base64' || name === 'catalog';
}
