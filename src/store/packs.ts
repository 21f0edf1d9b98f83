import { Buffer } from 'node:buffer';
import { createHmac, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import {
  describeCacheFailure,
  NO_CACHE_DIR,
  readPackFile,
  reasonOf,
  replacePackFile,
  readText,
  systemFolder,
} from './files.ts';
import { sha256Hex } from './hash.ts';
import type { Environment, Log } from '../types.ts';

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
  'open' | 'keys' | 'flush' | 'damaged'
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
    keys: texts.keys,
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
const LF = Buffer.from('\n');

/** Text by key in one file that is either whole or empty. */
export interface TextPack {
  /** Reads the file, once. Whatever cannot be read is an empty pack. */
  open(): Promise<void>;
  keys(): Iterable<string>;
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
  keepValid?: (lines: Map<string, PackText>) => void;
}

/**
 * The text of a line: a string if it was read from the file, UTF-8 if this process has set it. Thousands of new texts
 * that are seldom read again then lie outside of V8's heap, which grows to a multiple of what is in it.
 */
export type PackText = string | Buffer;

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
  let texts: Map<string, PackText> = new Map();
  let damaged = 0;
  let opened: Promise<void> | undefined;
  /** What was asked for is remembered only where it may come to dropping something: it is a thousandth of a second a thousand. */
  const used = new Set<string>();
  let isLarge = false;
  const changes = new Map<string, Buffer>();
  /** Without a folder, which the content store reports, and after a failure no write is tried: the content can be rebuilt. */
  let isWritable = !file.startsWith(NO_CACHE_DIR);
  let flushed: Promise<void> = Promise.resolve();

  function linesOf(bytes: Buffer | undefined): Map<string, string> | undefined {
    const lines = decode(bytes, header, sign);
    if (lines !== 'damaged') return lines;
    damaged = 1;
    return undefined;
  }

  function merge(present: Buffer | undefined, changed: ReadonlyMap<string, Buffer>): Buffer {
    const lines = new Map<string, PackText>([...(linesOf(present) ?? []), ...changed]);
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
      log.warn(describeCacheFailure(dirname(file), error));
    }
  }

  return {
    open: () =>
      (opened ??= readPackFile(file).then((bytes) => {
        isLarge = (bytes?.length ?? 0) > maxBytes / 2;
        texts = linesOf(bytes) ?? texts;
      })),
    keys: () => texts.keys(),
    get(key) {
      if (isLarge) used.add(key);
      return texts.get(key)?.toString();
    },
    set(key, text) {
      if (!KEY.test(key) || text.includes('\n'))
        throw new TypeError(`A text pack cannot hold the key ${JSON.stringify(key)}`);
      used.add(key);
      if (texts.get(key)?.toString() === text) return;
      // Not from the pool that short-lived buffers share: each of them would stay as long as this one.
      const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
      bytes.write(text);
      texts.set(key, bytes);
      changes.set(key, bytes);
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

function encode(header: string, lines: ReadonlyMap<string, PackText>, sign: Sign): Buffer {
  const start = Buffer.byteLength(header) + SIGNATURE + 1;
  const parts = [...lines].flatMap(([key, text]) => [
    Buffer.from(`${key}\t`),
    typeof text === 'string' ? Buffer.from(text) : text,
    LF,
  ]);
  const bytes = Buffer.concat([Buffer.alloc(start), ...parts]);
  bytes.write(`${header}${sign(header, bytes.subarray(start))}\n`);
  return bytes;
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

/** The sources of the key under which this machine signs what it stores in the cache folder. */
export interface CacheKeySource {
  /** `ICON_CATALOG_CACHE_KEY`, which wins. */
  secret: string | undefined;
  /** The absolute path of a file outside of the cache folder; `NO_CACHE_DIR` if nothing is kept that could be signed. */
  file: string | undefined;
}

/** Signs data that lies in the cache folder: 64 lower-case hex digits. */
export type Sign = (...parts: (string | Uint8Array)[]) => string;

const SHORTEST = 32;
const KEY_FILE = /^[0-9a-f]{64}\n$/;

/** @throws IconCatalogError OPTIONS_INVALID if `ICON_CATALOG_CACHE_KEY` can be guessed */
export function cacheKeySource(env: Environment, cacheDir?: string): CacheKeySource {
  const secret = env['ICON_CATALOG_CACHE_KEY'] || undefined;
  if (secret !== undefined && secret.length < SHORTEST) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `ICON_CATALOG_CACHE_KEY has ${secret.length} characters and needs at least ${SHORTEST}, because the signatures of the cache are worth nothing under a key that can be guessed.`,
      remedy: 'Set it to what `openssl rand -hex 32` prints, or unset it.',
    });
  }
  if (cacheDir === NO_CACHE_DIR) return { secret, file: cacheDir };
  const folder = systemFolder('config', env);
  return { secret, file: folder && join(folder, 'cache.key') };
}

const keyByFile = new Map<string, Promise<Uint8Array>>();

/**
 * The key itself. The first process that needs the file creates it, readable by its owner alone. If it can neither be
 * read nor created, the process uses a random key: nothing in the cache is valid under it, so everything is rebuilt.
 */
export async function readCacheKey(
  { secret, file = '' }: CacheKeySource,
  warn: (message: string) => void,
): Promise<Uint8Array> {
  if (secret !== undefined) return Buffer.from(sha256Hex(secret), 'hex');
  const key = keyByFile.get(file) ?? readOrCreate(file, warn);
  keyByFile.set(file, key);
  return key;
}

async function readOrCreate(file: string, warn: (message: string) => void): Promise<Uint8Array> {
  if (file === NO_CACHE_DIR) return randomBytes(32);
  let reason = 'there is no home folder';
  try {
    if (file !== '') return (await readKey(file)) ?? (await createKey(file));
  } catch (error) {
    reason = `${file}: ${reasonOf(error)}`;
  }
  warn(
    `The key of the icon cache can be neither read nor created (${reason}). This build is right, but no later build reuses what it has finished. Set ICON_CATALOG_CACHE_KEY to at least ${SHORTEST} random characters.`,
  );
  return randomBytes(32);
}

async function readKey(file: string): Promise<Uint8Array | undefined> {
  const text = (await readText(file)) ?? '';
  return KEY_FILE.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** The file appears with its whole content. If several processes create it at once, the first one wins. */
async function createKey(file: string): Promise<Uint8Array> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    await link(temporary, file).catch(async () => {
      // Another process was first, the file is not a key, or the file system has no links.
      if ((await readKey(file)) === undefined) await rename(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
  const key = await readKey(file);
  if (key === undefined) throw new Error('it was changed while it was created');
  return key;
}

/** @param purpose data that was signed for one purpose is not valid for another */
export function createSign(key: Uint8Array, purpose: string): Sign {
  const own = createSecretKey(createHmac('sha256', key).update(purpose).digest());
  return (...parts) => {
    const signature = createHmac('sha256', own);
    for (const part of parts) signature.update(part);
    return signature.digest('hex');
  };
}
