import { Buffer } from 'node:buffer';
import { basename } from 'node:path';
import type { Log } from '../types.ts';
import { createPackFlush } from './packed-file.ts';
import { createSign } from './machine-key.ts';
import { readPackFile, replacePackFile } from './files.ts';

/*
 * A text pack is UTF-8, one LF behind every line:
 *
 *   {"format":"unplugin-icon-catalog text pack","version":1,"identity":"…"}
 *   <signature>
 *   <key> TAB <text>
 *   …
 *
 * <signature>  64 lower-case hex digits: HMAC under this machine's key of the first line and of everything behind the
 *              second
 * <key>        printable ASCII without spaces, at most once in a file
 * <text>       anything without LF
 *
 * The texts go into bundles as they are, so a file that this machine did not sign is an empty one. One signature for
 * all: thousands of lines cost one hash and no decoding of their own. In return a damaged byte costs the whole file,
 * which holds nothing that cannot be made again from the render pack.
 */
const VERSION = 1;
const SIGNATURE = 64;
const KEY = /^[!-~]+$/;
const MAX_BYTES = 64 * 1024 * 1024;

/** Text by key in one file that is either whole or empty. */
export interface TextPack {
  /** Reads the file, once. Whatever cannot be read is an empty pack. */
  open(): Promise<void>;
  get(key: string): string | undefined;
  /** Throws a `TypeError` for a key that is not printable ASCII without spaces, and for a text of more than one line. */
  set(key: string, text: string): void;
  /** Writes what was set, if it changes anything, beside what others have written meanwhile. Warns once where it cannot. */
  flush(): Promise<void>;
  /** 1 if the file was there and its signature does not fit. */
  readonly damaged: number;
}

export interface TextPackOptions {
  file: string;
  /** Everything that the texts depend on besides their keys. */
  identity: string;
  /** Key of this machine. */
  key: Uint8Array;
  log: Log;
  /** The size in bytes beyond which texts that were not used in this run are dropped. @default 64 MiB */
  maxBytes?: number;
  /** Has the last word on the lines that are about to be written, also on those of other processes. */
  keepValid?: (lines: Map<string, string>) => void;
}

export function createTextPack({
  file,
  identity,
  key: machineKey,
  log,
  maxBytes = MAX_BYTES,
  keepValid,
}: TextPackOptions): TextPack {
  const header = `${JSON.stringify({ format: 'unplugin-icon-catalog text pack', version: VERSION, identity })}\n`;
  const sign = createSign(machineKey, basename(file));
  let texts: Map<string, string> = new Map();
  let damaged = 0;
  let opened: Promise<void> | undefined;
  /** What was asked for is remembered only where it may come to dropping something: it is a thousandth of a second a thousand. */
  const used = new Set<string>();
  let isLarge = false;
  const changes = new Map<string, string>();

  /** The lines of an intact pack of this identity. */
  function decode(bytes: Buffer | undefined): Map<string, string> | undefined {
    const start = Buffer.byteLength(header) + SIGNATURE + 1;
    if (bytes?.toString('utf8', 0, start - SIGNATURE - 1) !== header) return undefined;
    const signature = bytes.toString('latin1', start - SIGNATURE - 1, start);
    const body = bytes.subarray(start);
    if (signature !== `${sign(header, body)}\n`) {
      damaged = 1;
      return undefined;
    }
    return parseLines(body.toString());
  }

  function encode(lines: ReadonlyMap<string, string>): Buffer {
    const body = Buffer.from([...lines].map(([key, text]) => `${key}\t${text}\n`).join(''));
    return Buffer.concat([Buffer.from(`${header}${sign(header, body)}\n`), body]);
  }

  function merge(present: Buffer | undefined, changed: ReadonlyMap<string, string>): Buffer {
    const lines = new Map([...(decode(present) ?? []), ...changed]);
    let size = 0;
    for (const [key, text] of lines) size += key.length + text.length + 2;
    if (size > maxBytes) for (const key of lines.keys()) if (!used.has(key)) lines.delete(key);
    keepValid?.(lines);
    // What was set meanwhile is not in them yet.
    texts = new Map([...lines, ...changes]);
    return encode(lines);
  }

  async function write(): Promise<void> {
    if (changes.size === 0) return;
    const changed = new Map(changes);
    changes.clear();
    await replacePackFile(file, (present) => merge(present, changed));
  }

  return {
    open: () =>
      (opened ??= readPackFile(file).then((bytes) => {
        isLarge = (bytes?.length ?? 0) > maxBytes / 2;
        texts = decode(bytes) ?? texts;
      })),
    get(key) {
      if (isLarge) used.add(key);
      return texts.get(key);
    },
    set(key, text) {
      if (!KEY.test(key) || text.includes('\n'))
        throw new TypeError(`A text pack cannot hold the key ${JSON.stringify(key)}`);
      used.add(key);
      if (texts.get(key) === text) return;
      texts.set(key, text);
      changes.set(key, text);
    },
    flush: createPackFlush({ file, log, write }),
    get damaged() {
      return damaged;
    },
  };
}

function parseLines(body: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (let start = 0; start < body.length;) {
    const end = body.indexOf('\n', start);
    const tab = body.indexOf('\t', start);
    texts.set(body.slice(start, tab), body.slice(tab + 1, end));
    start = end + 1;
  }
  return texts;
}
