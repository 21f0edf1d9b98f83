import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Log } from '../../types.ts';
import { shortHash, sri512 } from '../hash.ts';
import { createGuard, failed, type Guard } from './guard.ts';
import { nameStorage, openStorage } from './open-storage.ts';
import type { OpenStorage, SharedCacheAddress } from './parse-address.ts';

/*
 * What lies in the storage, under keys that every driver takes as they are:
 *
 *   icon-catalog:1:icon:<SHA-512 in hex>       one file
 *   icon-catalog:1:bundle:<hash of project>    all files of a project (see `packBundle`)
 *
 * Values are ASCII text, `base64,` and the bytes, so that any driver keeps them as they are.
 */
const GENERATION = 'icon-catalog:1';
const PREFIX = 'base64,';
const DIGEST = /^sha512-([A-Za-z0-9+/]{86}==)$/;

/** Milliseconds for one icon; a bundle has twice as long. */
const TIMEOUT = 5000;
/** Times the above that the end of a build waits for what is being written. */
const PATIENCE = 4;
/** A build that asks for more is better served with all of them at once. */
const FEW = 4;

/**
 * Bytes by digest for a whole fleet. The bytes always have the requested digest, even if others can write to the
 * storage: a poisoned value is a miss. No operation fails or waits for long.
 */
export interface SharedCache {
  readonly name: 'shared cache';
  /** @throws IconCatalogError OPTIONS_INVALID if the driver's package is not installed */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /**
   * Resolves before it is written: `flush` waits for that.
   *
   * @throws IconCatalogError OPTIONS_INVALID if the driver's package is not installed
   */
  put(integrity: string, bytes: Uint8Array): Promise<void>;
  /** Ends the writing, and writes the project's bundle where it changed. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens nothing before the first operation. */
export function createSharedCache({
  address,
  project,
  log,
  wanted = () => undefined,
  timeout = TIMEOUT,
}: {
  address: SharedCacheAddress;
  /** The same on every machine: names the bundle. */
  project: string;
  log: Log;
  /** Digests in the project's lock, so that its bundle does not grow for ever. @default not known */
  wanted?: () => ReadonlySet<string> | undefined;
  /** Milliseconds for one icon. @default 5000 */
  timeout?: number;
}): SharedCache {
  const guard = createGuard({ name: nameStorage(address), readonly: address.readonly, log });
  const bundleKey = `${GENERATION}:bundle:${shortHash(project)}`;
  /** What this run got or gave one by one: the next bundle has it. */
  const single = new Map<string, Uint8Array>();
  let asked = 0;
  let opened: Promise<OpenStorage> | undefined;
  let bundle: Promise<Bundle | undefined> | undefined;
  /** Said by the operation that found it out: what is put at the end of that build need not say it again. */
  let isUnusable = false;

  const open = (): Promise<OpenStorage> =>
    (opened ??= openStorage(address, { timeout: 2 * timeout }));

  const writes = createWrites(open, guard, timeout);
  const reads = createReads(open, guard, log);
  const readBundle = (): Promise<Bundle | undefined> => reads.bundle(bundleKey, 2 * timeout);

  return {
    name: 'shared cache',
    async get(integrity) {
      const key = iconKey(integrity);
      if (key === undefined || !guard.isOpen()) return undefined;
      asked += 1;
      // Those who ask in the same turn are counted before the first one goes its way.
      if (asked <= FEW) await new Promise((resolve) => setImmediate(resolve));
      if (asked > FEW) bundle ??= readBundle();
      const bundled = reads.verified(integrity, (await bundle)?.get(integrity));
      if (bundled !== undefined) return bundled;
      const value = await reads.value(key, timeout);
      const found = reads.verified(integrity, value ?? undefined);
      if (found !== undefined && guard.isWritable()) single.set(integrity, found);
      return found;
    },
    async put(integrity, bytes) {
      const key = iconKey(integrity);
      if (key === undefined || !guard.isWritable() || isUnusable) return;
      await open().catch((error: unknown) => {
        isUnusable = true;
        throw error;
      });
      single.set(integrity, bytes);
      writes.start(key, { bytes, timeout });
    },
    async flush() {
      if (!(await writes.done()) || single.size === 0 || !guard.isWritable()) return;
      const present = await (bundle ??= readBundle());
      // Not read: written over, it might lose what others put there.
      if (present === undefined) return;
      const known = [...single.keys()].every((integrity) => present.has(integrity));
      const icons = withoutForgotten(new Map([...present, ...single]), wanted());
      single.clear();
      bundle = Promise.resolve(icons);
      if (known && !reads.isDamaged()) return;
      writes.start(bundleKey, { bytes: await packBundle(icons), timeout: 2 * timeout });
      await writes.done();
    },
    async close() {
      guard.close();
      const storage = await opened?.catch(() => undefined);
      opened = undefined;
      await storage?.close().catch(() => undefined);
    },
  };
}

/** What the storage holds, and what of it has the digest that was asked for. */
function createReads(open: () => Promise<OpenStorage>, guard: Guard, log: Log) {
  /** Something else than a key says was found. */
  let isDamaged = false;

  /** `null`: there is none. `undefined`: it could not be read. */
  async function value(key: string, timeout: number): Promise<Uint8Array | undefined | null> {
    const storage = await open();
    const found = await guard.read(async () => {
      const stored = await storage.get(key);
      // Storages of unstorage on files give errors back instead of throwing them.
      if (stored instanceof Error) throw stored;
      return stored;
    }, timeout);
    return found === failed ? undefined : (decode(found) ?? null);
  }

  return {
    value,
    async bundle(key: string, timeout: number): Promise<Bundle | undefined> {
      const packed = await value(key, timeout);
      return packed === undefined ? undefined : unpackBundle(packed ?? new Uint8Array());
    },
    verified(integrity: string, bytes: Uint8Array | undefined): Uint8Array | undefined {
      if (bytes === undefined || sri512(bytes) === integrity) return bytes;
      if (!isDamaged) {
        log.warn(
          'The shared cache holds other bytes than its keys say. They are left aside, and the icons come from the catalog; see who may write to the cache.',
        );
      }
      isDamaged = true;
      return undefined;
    },
    isDamaged: () => isDamaged,
  };
}

/**
 * What is being written. A build does not wait for a slow server to take thousands of files: another machine will give it
 * the rest.
 *
 * @param perIcon milliseconds
 */
function createWrites(open: () => Promise<OpenStorage>, guard: Guard, perIcon: number) {
  const writing = new Set<Promise<void>>();
  return {
    start(key: string, { bytes, timeout }: { bytes: Uint8Array; timeout: number }) {
      const done = open()
        .then((storage) => guard.write(() => storage.set(key, encode(bytes)), timeout))
        .finally(() => writing.delete(done));
      writing.add(done);
    },
    /** False if some of it takes too long. */
    async done(): Promise<boolean> {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), PATIENCE * perIcon);
      });
      const all = Promise.all(writing).then(() => true);
      const isDone = await Promise.race([all, patience]);
      clearTimeout(timer);
      return isDone;
    },
  };
}

/** Icons of other branches stay, until they are the larger part. */
function withoutForgotten(icons: Bundle, wanted: ReadonlySet<string> | undefined): Bundle {
  if (wanted === undefined || icons.size <= 2 * wanted.size) return icons;
  return new Map([...icons].filter(([integrity]) => wanted.has(integrity)));
}

/** `undefined`: no digest of ours. */
function iconKey(integrity: string): string | undefined {
  const digest = DIGEST.exec(integrity)?.[1];
  return digest && `${GENERATION}:icon:${Buffer.from(digest, 'base64').toString('hex')}`;
}

function encode(bytes: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return PREFIX + Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function decode(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' && value.startsWith(PREFIX)
    ? Buffer.from(value.slice(PREFIX.length), 'base64')
    : undefined;
}

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
type Bundle = ReadonlyMap<string, Uint8Array>;

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

/** Reads a bundle as far as possible; empty if it is not a bundle. Its text is untrusted. */
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
