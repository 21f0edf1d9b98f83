import { Buffer, isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../types.ts';
import { reasonOf } from './files.ts';
import { sha256Hex, sri512 } from './hash.ts';
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
interface PackLine {
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
function scanLines(
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

/*
 * The content of all projects of this machine is one packed file (see `packed-file.ts`), to which processes append. The text
 * of a line is one of
 *
 *   <integrity> SPACE = <bytes>     bytes that are UTF-8 without LF, as they are
 *   <integrity> SPACE <base64>      any other bytes
 *
 * <integrity>  `sha512-<base64>` of the bytes, 95 characters
 *
 * The check of a line is its SHA-256, since another machine may have written it; it says that the bytes belong to the key.
 * Each batch begins with an LF, which ends a line that a killed process left unfinished.
 */
const INTEGRITY = 95;
const EQUALS = 61;
/** Bytes that are read at a time. */
const CHUNK = 1024 * 1024;

const checkOf = (content: string | Uint8Array): string => sha256Hex(content);

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

  function note(bytes: Buffer, key: string, { start, text, end: last }: PackLine): void {
    const line = { start: end + start, text: end + text, end: end + last };
    lines.set(key, line);
    lines.set(bytes.toString('latin1', text, text + INTEGRITY), line);
  }

  return {
    catchUp() {
      const { size = 0 } = open() ?? {};
      if (opened === undefined) return;
      const { descriptor } = opened;
      for (let chunk = CHUNK; end < size;) {
        const bytes = readAt(descriptor, end, Math.min(chunk, size - end));
        const { rest } = scanLines(bytes, 0, (key, line) => note(bytes, key, line));
        end += rest;
        if (rest > 0) continue;
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

function encode(key: string, { bytes, integrity }: StoredContent): Buffer {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isText = !content.includes(LF) && isUtf8(content);
  const text = isText
    ? Buffer.concat([Buffer.from(`${integrity} =`), content])
    : `${integrity} ${content.toString('base64')}`;
  return encodeLine(key, text, checkOf);
}

/** @param line without its LF @param text where its text begins */
function decode(line: Buffer, text: number): StoredContent | undefined {
  if (!isIntact(line, { start: 0, end: line.length }, checkOf)) return undefined;
  const integrity = line.toString('latin1', text, text + INTEGRITY);
  const start = text + INTEGRITY + 1;
  const bytes =
    line[start] === EQUALS
      ? line.subarray(start + 1)
      : Buffer.from(line.toString('latin1', start), 'base64');
  return sri512(bytes) === integrity ? { bytes, integrity } : undefined;
}
