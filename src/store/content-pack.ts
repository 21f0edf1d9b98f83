import { Buffer, isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs';
import { sha256Hex, sri512 } from './hash.ts';

/*
 * The content of all projects of this machine is one file of UTF-8 text, to which processes append, one LF behind every line:
 *
 *   <check> TAB <key> TAB <integrity> SPACE = <bytes>     bytes that are UTF-8 without LF, as they are
 *   <check> TAB <key> TAB <integrity> SPACE <base64>      any other bytes
 *
 * <check>      64 lower-case hex digits: SHA-256 of everything behind the first TAB of the line, since another machine may
 *              have written it; it says that the bytes belong to the key
 * <key>        printable ASCII without spaces; the last line of a key counts
 * <integrity>  `sha512-<base64>` of the bytes, 95 characters
 *
 * A line that was cut off or changed is no line. Each batch begins with an LF, which ends a line that a killed process left
 * unfinished.
 */
const CHECK = 64;
const INTEGRITY = 95;
const TAB = 9;
const LF = 10;
const EQUALS = 61;
const KEY = /^[!-~]+$/;
/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024;

/** The position of one entry in the file; `end` is its LF. */
interface PackLine {
  start: number;
  text: number;
  end: number;
}

export interface StoredContent {
  bytes: Uint8Array;
  /** `sha512-<base64>` of `bytes`. */
  integrity: string;
}

/** The file, read by position, so that its content takes no memory. Each method fails as the file system does. */
export interface ContentPack {
  /** Finds what was appended since the last call, by any process. */
  catchUp(): void;
  /** Whether there is a line of this key or integrity. Says nothing about its bytes. */
  has(name: string): boolean;
  /** `damaged`: there is a line, but not as it was written. It is not found again. */
  get(name: string): StoredContent | 'damaged' | undefined;
  /** One process at a time may append. */
  append(contents: ReadonlyMap<string, StoredContent>): void;
  close(): void;
}

export function createContentPack(file: string): ContentPack {
  let opened: { descriptor: number; ino: number; dev: number } | undefined;
  /** The same file, to append to it. */
  let appending: number | undefined;
  /** The position behind the last whole line that was found. */
  let end = 0;
  /** By key and by integrity: the last line of either. */
  const lines = new Map<string, PackLine>();

  function close(): void {
    if (opened !== undefined) closeSync(opened.descriptor);
    if (appending !== undefined) closeSync(appending);
    opened = appending = undefined;
    end = 0;
    lines.clear();
  }

  /** The file may have been removed or replaced since it was opened. */
  function open(): Stats | undefined {
    const found = statSync(file, { throwIfNoEntry: false });
    const isSame = opened?.ino === found?.ino && opened?.dev === found?.dev;
    if (!isSame || (found?.size ?? 0) < end) close();
    if (found !== undefined)
      opened ??= { descriptor: openSync(file, 'r'), ino: found.ino, dev: found.dev };
    return found;
  }

  /** Notes the lines that begin at `end`, without looking into their bytes. @returns the size of all whole lines */
  function note(bytes: Buffer): number {
    let start = 0;
    for (let next = bytes.indexOf(LF); next !== -1; next = bytes.indexOf(LF, start)) {
      const tab = bytes.indexOf(TAB, start + CHECK + 1);
      const isLine = tab !== -1 && tab < next && bytes[start + CHECK] === TAB;
      const key = isLine ? bytes.toString('latin1', start + CHECK + 1, tab) : '';
      if (KEY.test(key)) {
        const line = { start: end + start, text: end + tab + 1, end: end + next };
        lines.set(key, line);
        lines.set(bytes.toString('latin1', tab + 1, tab + 1 + INTEGRITY), line);
      }
      start = next + 1;
    }
    return start;
  }

  return {
    catchUp() {
      const { size = 0 } = open() ?? {};
      if (opened === undefined) return;
      const { descriptor } = opened;
      for (let chunk = CHUNK; end < size;) {
        const bytes = readAt(descriptor, end, Math.min(chunk, size - end));
        const whole = note(bytes);
        end += whole;
        if (whole > 0) continue;
        // A line is longer than the chunk, or the last one is not finished.
        if (bytes.length < chunk) return;
        chunk *= 2;
      }
    },
    has: (name) => lines.has(name),
    get(name) {
      const line = lines.get(name);
      if (line === undefined || opened === undefined) return undefined;
      const { start, text, end } = line;
      const content = decode(readAt(opened.descriptor, start, end - start), text - start);
      if (content !== undefined) return content;
      lines.delete(name);
      return 'damaged';
    },
    append(contents) {
      const batch = [...contents].map(([key, content]) => encode(key, content));
      const bytes = Buffer.concat([Buffer.of(LF), ...batch]);
      appending ??= openSync(file, 'a');
      for (let at = 0; at < bytes.length;) at += writeSync(appending, bytes, at);
    },
    close,
  };
}

function readAt(descriptor: number, position: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Throws a `TypeError` for a key that the format cannot hold. */
function encode(key: string, { bytes, integrity }: StoredContent): Buffer {
  if (!KEY.test(key))
    throw new TypeError(`A content pack cannot hold the key ${JSON.stringify(key)}`);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isText = !content.includes(LF) && isUtf8(content);
  const start = Buffer.from(`${key}\t${integrity} ${isText ? '=' : ''}`);
  const line = Buffer.concat([start, isText ? content : Buffer.from(content.toString('base64'))]);
  return Buffer.concat([Buffer.from(`${sha256Hex(line)}\t`), line, Buffer.of(LF)]);
}

/** @param line without its LF @param text where its text begins */
function decode(line: Buffer, text: number): StoredContent | undefined {
  if (line.toString('latin1', 0, CHECK) !== sha256Hex(line.subarray(CHECK + 1))) return undefined;
  const integrity = line.toString('latin1', text, text + INTEGRITY);
  const start = text + INTEGRITY + 1;
  const bytes =
    line[start] === EQUALS
      ? line.subarray(start + 1)
      : Buffer.from(line.toString('latin1', start), 'base64');
  return sri512(bytes) === integrity ? { bytes, integrity } : undefined;
}
