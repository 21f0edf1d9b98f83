import { Buffer, isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, type Stats, statSync, writeSync } from 'node:fs';
import { sha256Hex, sri512 } from './hash.ts';
import { encodeLine, isIntact, type PackLine, scanLines } from './packed-file.ts';

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
const [LF, EQUALS] = [10, 61];
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
