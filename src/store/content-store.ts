import { existsSync } from 'node:fs';
import type { Filetype, Log } from '../types.ts';
import { NO_CACHE_DIR, reasonOf } from './files.ts';
import { sha256Hex, sri512 } from './hash.ts';

export interface StoredContent {
  bytes: Uint8Array;
  /** `sha512-<base64>` of `bytes`. */
  integrity: string;
  metadata: unknown;
}

/** Bytes by key for all projects of this machine. A miss is `undefined`; no method fails. */
export interface ContentStore {
  get(key: string): Promise<StoredContent | undefined>;
  /** @param metadata small and JSON-serialisable: it lies in the index, which is read whole */
  put(key: string, bytes: Uint8Array, metadata?: unknown): Promise<{ integrity: string }>;
  /** A short text that `note` stored, unchanged. */
  noted(key: string): Promise<string | undefined>;
  /**
   * Stores a short text in the index alone: three files fewer than `put`, which matters in cold builds of thousands of
   * icons.
   */
  note(key: string, text: string): Promise<void>;
  /** The same by digest, whatever the key is. */
  getByDigest(integrity: string): Promise<Uint8Array | undefined>;
  hasDigest(integrity: string): Promise<boolean>;
  /** Loads the modules that writing needs. */
  prepare(): Promise<void>;
}

const loadCacache = async () => import('cacache');

/**
 * A store on cacache, which makes it safe between processes. Bytes are read by digest only, since cacache checks
 * nothing else; content that fails the check is removed, because writing it again would leave the damaged file in
 * place. If the folder cannot be written, one warning reports it, present content is still read, and new content lives
 * in memory.
 */
export function createContentStore({ dir, log }: { dir: string; log: Log }): ContentStore {
  const memory = new Map<string, StoredContent>();
  let warned = false;
  let writable = true;

  function warn(verb: string, error: unknown): void {
    if (warned) return;
    warned = true;
    if (dir.startsWith(NO_CACHE_DIR))
      return log.warn(
        'There is no folder for the icon cache, as HOME is not set and the system knows no home folder of this user. Icons are kept in memory for this run and fetched again in the next. Set `cacheDir` or ICON_CATALOG_CACHE_DIR.',
      );
    log.warn(
      `The icon cache ${dir} cannot be ${verb} (${reasonOf(error)}). Icons are kept in memory for this run and fetched again in the next. Make room or give the right to write, or set \`cacheDir\` or ICON_CATALOG_CACHE_DIR to another folder.`,
    );
  }

  /** Nothing was stored yet: a build on a fresh machine need not wait for cacache to load before its first call. */
  const isEmpty = (): boolean => !existsSync(dir);

  /** The bytes of that digest, or `undefined`; damaged ones are removed. */
  async function readContent(integrity: string): Promise<Uint8Array | undefined> {
    if (isEmpty()) return undefined;
    const cacache = await loadCacache();
    try {
      return await cacache.get.byDigest(dir, integrity);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EINTEGRITY' || code === 'EBADSIZE') {
        log.warn(`A damaged file in the icon cache ${dir} was removed; its icon is fetched again.`);
      } else if (code !== 'ENOENT') {
        warn('read', error);
      }
      if (code !== 'ENOENT') await cacache.rm.content(dir, integrity).catch(() => undefined);
      return undefined;
    }
  }

  async function findEntry(key: string): Promise<{ integrity: string; metadata?: unknown } | null> {
    if (isEmpty()) return null;
    const cacache = await loadCacache();
    try {
      return await cacache.get.info(dir, key);
    } catch (error) {
      warn('read', error);
      return null;
    }
  }

  async function get(key: string): Promise<StoredContent | undefined> {
    const held = memory.get(key);
    if (held !== undefined) return held;
    const entry = await findEntry(key);
    if (entry === null) return undefined;
    const bytes = await readContent(entry.integrity);
    return bytes && { bytes, integrity: entry.integrity, metadata: entry.metadata };
  }

  async function write(key: string, content: StoredContent): Promise<void> {
    const cacache = await loadCacache();
    const { bytes, integrity, metadata } = content;
    if (await cacache.get.hasContent(dir, integrity)) {
      // This is another key's content, perhaps damaged: cacache would assume that it is written.
      const isThere = (await readContent(integrity)) !== undefined;
      const entry = isThere ? await findEntry(key) : null;
      // Every put grows the index, so one that would change nothing is left out.
      if (entry?.integrity === integrity && isSame(entry.metadata, metadata)) return;
    }
    await cacache.put(dir, key, bytes, { algorithms: ['sha512'], metadata });
  }

  async function put(
    key: string,
    bytes: Uint8Array,
    metadata?: unknown,
  ): Promise<{ integrity: string }> {
    const content = { bytes, integrity: sri512(bytes), metadata };
    if (writable) {
      try {
        await write(key, content);
        return { integrity: content.integrity };
      } catch (error) {
        writable = false;
        warn('written', error);
      }
    }
    memory.set(key, content);
    return { integrity: content.integrity };
  }

  async function note(key: string, text: string): Promise<void> {
    const integrity = sri512(text);
    if (writable) {
      try {
        const { index } = await loadCacache();
        if ((await index.insert(dir, key, integrity, { metadata: text })) !== undefined) return;
      } catch (error) {
        writable = false;
        warn('written', error);
      }
    }
    memory.set(key, { bytes: new TextEncoder().encode(text), integrity, metadata: text });
  }

  async function noted(key: string): Promise<string | undefined> {
    const entry = memory.get(key) ?? (await findEntry(key));
    const text = entry?.metadata;
    return typeof text === 'string' && entry?.integrity === sri512(text) ? text : undefined;
  }

  return {
    get,
    put,
    note,
    noted,
    async getByDigest(integrity) {
      const held = [...memory.values()].find((content) => content.integrity === integrity);
      return held?.bytes ?? readContent(integrity);
    },
    async prepare() {
      await loadCacache();
    },
    async hasDigest(integrity) {
      if (isEmpty()) return false;
      const cacache = await loadCacache();
      const found = cacache.get.hasContent(dir, integrity).catch(() => false);
      return Boolean(await found);
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** To be raised when the meaning of the value behind a key changes; older entries are then never found. */
const GENERATION = 1;

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

/**
 * The key of downloaded bytes: everything that changes them and nothing that changes per call (credentials, times,
 * signed addresses).
 */
export function bytesKey({ catalog, id, filetype, color, size }: BytesIdentity): string {
  return toKey('bytes', [catalogName(catalog), String(id), filetype, color ?? '', size ?? '']);
}

/** Key of an icon's record, stored as JSON. */
export function recordKey({ catalog, id }: Pick<BytesIdentity, 'catalog' | 'id'>): string {
  return toKey('record', [catalogName(catalog), String(id)]);
}

/** The key of bytes that are only known by their digest. */
export function digestKey(integrity: string): string {
  return toKey('digest', [integrity]);
}

function toKey(kind: string, parts: string[]): string {
  return ['unplugin-icon-catalog', GENERATION, kind, ...parts.map(encodeURIComponent)].join(':');
}

function catalogName(catalog: string): string {
  return sha256Hex(catalog).slice(0, 16);
}
