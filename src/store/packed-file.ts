import { Buffer } from 'node:buffer';
import { dirname } from 'node:path';
import type { Log } from '../types.ts';
import { reasonOf } from './files.ts';
import type { Sign } from './machine-key.ts';

/*
 * A render pack is UTF-8 text, one LF behind every line:
 *
 *   {"format":"unplugin-icon-catalog render pack","version":1,"identity":"…"}
 *   <signature> TAB <key> TAB <JSON of the entry>
 *   …
 *
 * <signature>  64 lower-case hex digits: HMAC of everything behind the first TAB of the line, under this machine's key
 *              for a file of this name and identity
 * <key>        printable ASCII without spaces, at most once in a file (the last line counts)
 *
 * The first line is compared byte by byte: another version, or the identity of another pipeline, is
 * another pack, and reads as an empty one. A line that was cut off or changed, or that another
 * machine wrote, is no line.
 */
const VERSION = 1;
const SIGNATURE = 64;
const TAB = 9;
const LF = 10;
const KEY = /^[!-~]+$/;

/** The position of one entry in the pack's bytes; `end` is its LF. */
export interface PackLine {
  start: number;
  json: number;
  end: number;
}

export interface PackIndex {
  lines: Map<string, PackLine>;
  /** The number of lines that do not have the form of an entry. */
  damaged: number;
}

export function encodeHeader(identity: string): Buffer {
  const header = { format: 'unplugin-icon-catalog render pack', version: VERSION, identity };
  return Buffer.from(`${JSON.stringify(header)}\n`);
}

/** Throws a `TypeError` for a key that the format cannot hold. */
export function encodeLine(key: string, entry: unknown, sign: Sign): Buffer {
  if (!KEY.test(key))
    throw new TypeError(`A render pack cannot hold the key ${JSON.stringify(key)}`);
  const content = `${key}\t${JSON.stringify(entry)}`;
  const line = `${sign(content)}\t${content}\n`;
  // Thousands of lines wait to be written: a slice of Node's buffer pool would keep the bytes beside it in memory.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line));
  bytes.write(line);
  return bytes;
}

/** Finds the entries without parsing them. `undefined`: it is not a pack of this version and identity. */
export function indexPack(pack: Buffer, identity: string): PackIndex | undefined {
  const header = encodeHeader(identity);
  if (
    pack.length < header.length ||
    pack.compare(header, 0, header.length, 0, header.length) !== 0
  ) {
    return undefined;
  }
  const lines = new Map<string, PackLine>();
  let damaged = 0;
  for (let start = header.length; start < pack.length;) {
    const end = pack.indexOf(LF, start);
    const tab = pack.indexOf(TAB, start + SIGNATURE + 1);
    const isLine = end !== -1 && tab !== -1 && tab < end && pack[start + SIGNATURE] === TAB;
    const key = isLine ? pack.toString('latin1', start + SIGNATURE + 1, tab) : '';
    if (KEY.test(key)) lines.set(key, { start, json: tab + 1, end });
    else damaged += 1;
    if (end === -1) break;
    start = end + 1;
  }
  return { lines, damaged };
}

export function isIntact(pack: Buffer, { start, end }: PackLine, sign: Sign): boolean {
  const signature = pack.toString('latin1', start, start + SIGNATURE);
  return signature === sign(pack.subarray(start + SIGNATURE + 1, end));
}

/** The JSON of the entry, as it is in an intact line. */
export function decodeText(pack: Buffer, { json, end }: PackLine): string {
  return pack.toString('utf8', json, end);
}

/**
 * Writes of one pack, one after the other. The first failure is reported, and no further write is tried: the content of
 * a pack can be rebuilt. The function never fails.
 * @param write does nothing if nothing has changed
 */
export function createPackFlush({
  file,
  log,
  write,
}: {
  file: string;
  log: Log;
  write: () => Promise<void>;
}): () => Promise<void> {
  let writable = true;
  let flushed: Promise<void> = Promise.resolve();

  async function attempt(): Promise<void> {
    if (!writable) return;
    try {
      await write();
    } catch (error) {
      writable = false;
      log.warn(
        `The optimised icons could not be kept in ${dirname(file)} (${reasonOf(error)}). This build is right, but the next one optimises them again.`,
      );
    }
  }

  return () => (flushed = flushed.then(attempt));
}
