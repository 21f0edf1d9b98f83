import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sri512 } from '../integrity.ts';

/*
 * All icons of a project in one value, compressed with gzip:
 *
 *   icon-catalog bundle 1 LF
 *   <integrity> SPACE <number of bytes> LF <bytes> LF
 *   …
 *
 * Sorted by size, then integrity: the same icons give the same bundle.
 */
const HEADER = 'icon-catalog bundle 1\n';
const LF = 10;
/** `sha512-` and 88 characters of base64, a space and a size. */
const ENTRY = /^(sha512-[A-Za-z0-9+/]{86}==) (\d{1,8})$/;
const LONGEST_ENTRY = 128;

/** Bytes of a bundle before compression. Large images are left to their own values, so that a build need not wait for all. */
const LARGEST = 16 * 1024 ** 2;

/** Icons by integrity; not verified. */
export type Bundle = ReadonlyMap<string, Uint8Array>;

/** Leaves out what does not have its digest, and the largest icons where all would be too much. */
export async function packBundle(icons: Bundle): Promise<Buffer> {
  const sorted = [...icons]
    .filter(([integrity, bytes]) => sri512(bytes) === integrity)
    .toSorted(([a, { length: one }], [b, { length: other }]) => one - other || (a < b ? -1 : 1));
  const parts: Uint8Array[] = [Buffer.from(HEADER)];
  let length = HEADER.length;
  for (const [integrity, bytes] of sorted) {
    const entry = Buffer.from(`${integrity} ${bytes.length}\n`);
    length += entry.length + bytes.length + 1;
    if (length > LARGEST) break;
    parts.push(entry, bytes, Buffer.of(LF));
  }
  // Packed once, unpacked by every machine: but a build waits for it, and level 9 gains little.
  return promisify(gzip)(Buffer.concat(parts), { level: 6 });
}

/** What can be read of a bundle; nothing where it is none. Strangers may have written it. */
export async function unpackBundle(packed: Uint8Array): Promise<Bundle> {
  const icons = new Map<string, Uint8Array>();
  const bytes = await promisify(gunzip)(packed, { maxOutputLength: LARGEST }).catch(
    () => undefined,
  );
  if (bytes === undefined || bytes.toString('latin1', 0, HEADER.length) !== HEADER) return icons;
  let at = HEADER.length;
  while (at < bytes.length) {
    const end: number = bytes.indexOf(LF, at);
    if (end < 0 || end - at > LONGEST_ENTRY) break;
    const entry = ENTRY.exec(bytes.toString('latin1', at, end));
    const to: number = end + 1 + Number(entry?.[2]);
    if (entry?.[1] === undefined || bytes[to] !== LF) break;
    icons.set(entry[1], bytes.subarray(end + 1, to));
    at = to + 1;
  }
  return icons;
}
