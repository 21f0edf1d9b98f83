import { Buffer } from 'node:buffer';
import { dirname } from 'node:path';
import type { Log } from '../types.ts';
import { reasonOf } from './files.ts';
import type { Sign } from './machine-key.ts';

/*
 * A packed file is UTF-8 text, one LF behind every line:
 *
 *   <check> TAB <key> TAB <text>
 *
 * <check>  64 lower-case hex digits over everything behind the first TAB of the line
 * <key>    printable ASCII without spaces; the last line of a key counts
 * <text>   anything without LF
 *
 * What the check is depends on the file: HMAC under this machine's key where only this machine may write, SHA-256 where the
 * text has a digest of its own. A line that was cut off or changed is no line.
 *
 * The pack of one project begins with a line that is compared byte by byte, so that a pack of another version or of other
 * options reads as an empty one:
 *
 *   {"format":"unplugin-icon-catalog render pack","version":1,"identity":"…"}
 */
const VERSION = 1;
const CHECK = 64;
const TAB = 9;
const LF = 10;
const KEY = /^[!-~]+$/;

/** The position of one entry in the pack's bytes; `end` is its LF. */
export interface PackLine {
  start: number;
  text: number;
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
export function encodeLine(key: string, text: string | Uint8Array, sign: Sign): Buffer {
  if (!KEY.test(key))
    throw new TypeError(`A packed file cannot hold the key ${JSON.stringify(key)}`);
  const start = CHECK + 1 + key.length + 1;
  const size = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
  // Thousands of lines wait to be written: a slice of Node's buffer pool would keep the bytes beside it in memory.
  const line = Buffer.allocUnsafeSlow(start + size + 1);
  line.write(`\t${key}\t`, CHECK, 'latin1');
  if (typeof text === 'string') line.write(text, start);
  else line.set(text, start);
  line[start + size] = LF;
  line.write(sign(line.subarray(CHECK + 1, start + size)), 'latin1');
  return line;
}

/**
 * Finds the lines of that form without looking into their texts.
 *
 * @returns where the line begins that no LF ends, and how many of the others have another form
 */
export function scanLines(
  bytes: Buffer,
  from: number,
  found: (key: string, line: PackLine) => void,
): { rest: number; damaged: number } {
  let damaged = 0;
  let start = from;
  for (let end = bytes.indexOf(LF, start); end !== -1; end = bytes.indexOf(LF, start)) {
    const tab = bytes.indexOf(TAB, start + CHECK + 1);
    const isLine = tab !== -1 && tab < end && bytes[start + CHECK] === TAB;
    const key = isLine ? bytes.toString('latin1', start + CHECK + 1, tab) : '';
    if (KEY.test(key)) found(key, { start, text: tab + 1, end });
    else damaged += 1;
    start = end + 1;
  }
  return { rest: start, damaged };
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
  const { rest, damaged } = scanLines(pack, header.length, (key, line) => lines.set(key, line));
  return { lines, damaged: rest < pack.length ? damaged + 1 : damaged };
}

export function isIntact(
  pack: Buffer,
  { start, end }: Pick<PackLine, 'start' | 'end'>,
  sign: Sign,
): boolean {
  const check = pack.toString('latin1', start, start + CHECK);
  return check === sign(pack.subarray(start + CHECK + 1, end));
}

/** The text of an intact line. */
export function decodeText(pack: Buffer, { text, end }: PackLine): string {
  return pack.toString('utf8', text, end);
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
