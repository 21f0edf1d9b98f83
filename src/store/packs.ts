import { Buffer } from 'node:buffer';
import { basename, dirname } from 'node:path';
import type { Log } from '../types.ts';
import { NO_CACHE_DIR, readPackFile, reasonOf, replacePackFile } from './files.ts';
import { createSign, type Sign } from './machine-key.ts';

export interface PackOptions {
  file: string;
  /** Everything that the entries depend on besides their keys: hash of the pipeline's version and options. */
  identity: string;
  /** The key of this machine. */
  key: Uint8Array;
  log: Log;
  /** The size of all lines in characters beyond which entries that were not used in this run are dropped. @default 64 Mi */
  maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Optimised icons of one project, as JSON in a text pack. Returned entries are shared: do not change them. */
export interface RenderPack<Entry extends object> extends Pick<
  TextPack,
  'open' | 'flush' | 'damaged'
> {
  get(key: string): Entry | undefined;
  /** Throws a `TypeError` for a key that is not printable ASCII without spaces. */
  set(key: string, entry: Entry): void;
}

export function createRenderPack<Entry extends object>(options: PackOptions): RenderPack<Entry> {
  const texts = createTextPack(options);
  const entries = new Map<string, Entry>();
  return {
    open: texts.open,
    get(key) {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      // The signature proves that this code wrote the entry, on this machine and into a pack of this identity.
      const entry = entries.get(key) ?? (JSON.parse(text) as Entry);
      entries.set(key, entry);
      return entry;
    },
    set(key, entry) {
      texts.set(key, JSON.stringify(entry));
      // As text it takes a quarter of the memory, and a cold build of thousands of icons seldom reads it again.
      entries.delete(key);
    },
    flush: texts.flush,
    get damaged() {
      return texts.damaged;
    },
  };
}

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
 * The texts go into bundles, so a file that this machine did not sign is an empty one. One signature for all: thousands of
 * lines cost one hash and no decoding of their own. In return a damaged byte costs the whole file, which holds nothing that
 * cannot be made again from the bytes in the content store.
 */
const VERSION = 1;
const SIGNATURE = 64;
const KEY = /^[!-~]+$/;

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

export interface TextPackOptions extends PackOptions {
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
  /** Without a folder, which the content store reports, and after a failure no write is tried: the content can be rebuilt. */
  let isWritable = !file.startsWith(NO_CACHE_DIR);
  let flushed: Promise<void> = Promise.resolve();

  function linesOf(bytes: Buffer | undefined): Map<string, string> | undefined {
    const lines = decode(bytes, header, sign);
    if (lines !== 'damaged') return lines;
    damaged = 1;
    return undefined;
  }

  function merge(present: Buffer | undefined, changed: ReadonlyMap<string, string>): Buffer {
    const lines = new Map([...(linesOf(present) ?? []), ...changed]);
    let size = 0;
    for (const [key, text] of lines) size += key.length + text.length + 2;
    if (size > maxBytes) for (const key of lines.keys()) if (!used.has(key)) lines.delete(key);
    keepValid?.(lines);
    // What was set meanwhile is not in them yet.
    texts = new Map([...lines, ...changes]);
    return encode(header, lines, sign);
  }

  async function write(): Promise<void> {
    if (changes.size === 0 || !isWritable) return;
    const changed = new Map(changes);
    changes.clear();
    try {
      await replacePackFile(file, (present) => merge(present, changed));
    } catch (error) {
      isWritable = false;
      log.warn(
        `The optimised icons could not be kept in ${dirname(file)} (${reasonOf(error)}). This build is right, but the next one optimises them again.`,
      );
    }
  }

  return {
    open: () =>
      (opened ??= readPackFile(file).then((bytes) => {
        isLarge = (bytes?.length ?? 0) > maxBytes / 2;
        texts = linesOf(bytes) ?? texts;
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
    flush: () => (flushed = flushed.then(write)),
    get damaged() {
      return damaged;
    },
  };
}

/** The lines of a pack of this identity. */
function decode(
  bytes: Buffer | undefined,
  header: string,
  sign: Sign,
): Map<string, string> | 'damaged' | undefined {
  const start = Buffer.byteLength(header) + SIGNATURE + 1;
  if (bytes?.toString('utf8', 0, start - SIGNATURE - 1) !== header) return undefined;
  const signature = bytes.toString('latin1', start - SIGNATURE - 1, start);
  const body = bytes.subarray(start);
  return signature === `${sign(header, body)}\n` ? parseLines(body.toString()) : 'damaged';
}

function encode(header: string, lines: ReadonlyMap<string, string>, sign: Sign): Buffer {
  const body = Buffer.from([...lines].map(([key, text]) => `${key}\t${text}\n`).join(''));
  return Buffer.concat([Buffer.from(`${header}${sign(header, body)}\n`), body]);
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
