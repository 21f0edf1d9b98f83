import { join } from 'node:path';
import pLimit from 'p-limit';
import { remember } from '../untrusted.ts';
import type { Filetype, Log } from '../types.ts';
import { describeCacheFailure, NO_CACHE_DIR } from './files.ts';
import { sha256Hex, sri512 } from './hash.ts';
import { createContentPack, type StoredContent } from './content-pack.ts';
import { createBatches, PAUSE } from './batches.ts';

/** Bytes for all projects of this machine, by a key or by their digest. A miss is `undefined`; no method fails. */
export interface ContentStore {
  /** @param name key or digest */
  get(name: string): StoredContent | undefined;
  /** Whether there is something of that name. Says nothing about its bytes. */
  has(name: string): boolean;
  /**
   * Stores bytes, which `get` has at once. They are written soon, with all that is put until then.
   *
   * @param key the digest itself for bytes that have no other key
   * @param integrity of the bytes, if it is known
   */
  put(key: string, bytes: Uint8Array, integrity?: string): void;
  /**
   * Runs a task that looks for something and fetches it if it is not there, while no other process of this machine does so
   * for the same key: the process that comes second waits, and finds what the first one put. If processes cannot agree, the
   * task runs all the same.
   */
  withLock<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** Writes what was put. */
  flush(): Promise<void>;
  /** Writes what was put, and closes the file. */
  close(): Promise<void>;
}

export interface ContentStoreOptions {
  dir: string;
  log: Log;
  /** Milliseconds that a task of `withLock` may take. @default 60000 */
  longest?: number;
  /** How many tasks of `withLock` wait or run at a time. @default 64 */
  width?: number;
}

/** Another version of the format has another file. */
const FILE = 'icons-1.pack';
/**
 * A store on one packed file. What concerns other processes happens in batches, under the lock of the file and for less than
 * a millisecond: what they have appended is found, what was put is appended, keys are claimed and released. The content of a
 * task is therefore there when its key is released. A process that is killed loses its last batch.
 *
 * If the folder cannot be written, one warning reports it, present content is still read, and new content lives in memory.
 */
export function createContentStore(options: ContentStoreOptions): ContentStore {
  const { dir, log, longest = 60_000, width = 64 } = options;
  const file = join(dir, FILE);
  const pack = createContentPack(file);
  const limit = pLimit(width);
  const report = createReport(dir, log);
  /** By key and by digest. */
  const [unwritten, digests] = [new Map<string, StoredContent>(), new Map<string, StoredContent>()];
  let lastLook = 0;

  function look<Found>(find: () => Found): Found | undefined {
    try {
      // What was found under the lock of the file need not be looked for again at once.
      if (Date.now() - lastLook > PAUSE) {
        pack.catchUp();
        lastLook = Date.now();
      }
      return find();
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  function get(name: string): StoredContent | undefined {
    const held = unwritten.get(name) ?? digests.get(name);
    if (held !== undefined) return held;
    const found = look(() => pack.get(name));
    if (found !== 'damaged') return found;
    log.warn(`A damaged entry of the icon cache ${dir} is ignored; its icon is fetched again.`);
    return undefined;
  }

  const batches = createBatches({
    file,
    longest,
    exchange() {
      pack.catchUp();
      lastLook = Date.now();
      if (unwritten.size === 0) return;
      pack.append(unwritten);
      pack.catchUp();
      unwritten.clear();
      digests.clear();
    },
    onFailure: (error) => unwritten.size > 0 && report(error),
  });

  return {
    get,
    has: (name) => unwritten.has(name) || digests.has(name) || look(() => pack.has(name)) === true,
    put(key, bytes, integrity = sri512(bytes)) {
      const content = { bytes, integrity };
      if (get(key)?.integrity === content.integrity) return;
      unwritten.set(key, content);
      digests.set(content.integrity, content);
      const failure = batches.failure();
      if (failure === undefined) batches.schedule();
      else report(failure);
    },
    withLock: (key, task) =>
      limit(async () => {
        await batches.claim(key);
        try {
          return await task();
        } finally {
          batches.release(key);
        }
      }),
    async flush() {
      if (unwritten.size > 0) await batches.run();
    },
    async close() {
      await batches.close();
      pack.close();
      lastLook = 0;
    },
  };
}

/** One warning, whatever fails and however often. */
function createReport(dir: string, log: Log): (error: unknown) => void {
  let isReported = false;
  return (error) => {
    if (isReported) return;
    isReported = true;
    log.warn(
      dir.startsWith(NO_CACHE_DIR)
        ? 'There is no folder for the icon cache, as HOME is not set and the system knows no home folder of this user. Icons are kept in memory for this run and fetched again in the next. Set `cacheDir` or ICON_CATALOG_CACHE_DIR.'
        : describeCacheFailure(dir, error),
    );
  };
}

export interface BytesIdentity {
  /** Identity of the catalog, such as the origin of its address. Only its hash is kept. */
  catalog: string;
  id: number | string;
  filetype: Filetype;
  /** As sent to the service; `null`: not sent. */
  color: string | null;
  /** As sent to the service; `null`: not sent. */
  size: string | null;
}

/** The key of downloaded bytes: all that changes them, and nothing that changes per call (credentials, times). */
export function bytesKey({ catalog, id, filetype, color, size }: BytesIdentity): string {
  return toKey('bytes', [catalogName(catalog), String(id), filetype, color ?? '', size ?? '']);
}

/** What processes that fetch an icon agree on: its record and its files are fetched by one of them. */
export function iconName({ catalog, id }: Pick<BytesIdentity, 'catalog' | 'id'>): string {
  return toKey('icon', [catalogName(catalog), String(id)]);
}

/** Key of an icon's record, stored as JSON. */
export function recordKey({ catalog, id }: Pick<BytesIdentity, 'catalog' | 'id'>): string {
  return toKey('record', [catalogName(catalog), String(id)]);
}

function toKey(kind: string, parts: string[]): string {
  return [kind, ...parts.map(encodeURIComponent)].join(':');
}

/** An icon asks for the name of its catalog many times. */
const catalogName = remember((catalog) => sha256Hex(catalog).slice(0, 16));

/** A place that may hold bytes by their digest. The pipeline asks one after the other, and checks what it gets. */
export interface ByteSource {
  /** For messages: `the vendor file icons.vendor.ndjson`. */
  readonly name: string;
  /** True if it is committed with the project: bytes that do not match their digest are an error instead of a miss. */
  readonly committed?: boolean;
  /** True if it is behind a network: it is not asked in `offline` mode. */
  readonly remote?: boolean;
  /** `undefined`: it does not have them. It only fails if that must stop the build. */
  get(integrity: string): Promise<Uint8Array | undefined>;
  /** Whether `get` would have them, without reading them. A source without it is not searched in advance. */
  has?(integrity: string): Promise<boolean>;
  /**
   * Stores bytes that another source or the catalog had. Fails only if that must stop the build.
   * @param key under which the content store finds bytes that no lock names
   */
  put?(integrity: string, bytes: Uint8Array, key?: string): Promise<void>;
  /** The build is over: writes what is still pending. */
  flush?(): Promise<void>;
  close?(): Promise<void>;
}
