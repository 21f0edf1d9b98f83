import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { cleanLicenseText } from '../attribution/license/list.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { bytesKey, type ContentStore, iconName, recordKey } from '../store/content-store.ts';
import { sri512 } from '../store/hash.ts';
import { lockedRecord, type StatedRecord } from '../store/lockfile-format.ts';
import { SENTINEL } from '../svg/render-svg.ts';
import type { IconRecord } from '../types.ts';
import { type BuildState, createSingleFlight } from './build-state.ts';
import type { ByteSources } from './byte-sources.ts';
import { type CatalogConnection, type CatalogIdentity, siteOfRecord } from './connection.ts';
import { notAsLocked, notInLock, notOnMachine, type IconLock } from './lock.ts';
import { type IconKey, toLockKey } from '../request/key.ts';

export interface AssetsPorts {
  store: ContentStore;
  byteSources: ByteSources;
  iconLock: IconLock;
  connection: CatalogConnection;
  /** Cache keys of two catalogs never meet. */
  catalog: CatalogIdentity;
  /** Remembers which icons cost a call. */
  build: BuildState;
}

export interface Asset {
  bytes: Uint8Array;
  integrity: string;
  /** True if this catalog is known to have sent them for this icon; false if only the lock names them. */
  isSent: boolean;
}

/** Records and bytes, from wherever the mode allows. What several imports ask for at the same time is fetched once. */
export interface Assets {
  /**
   * The record of an icon of which the lock says nothing.
   * @param isDrawnNext if a call is on its way, what draws a file is loaded meanwhile
   * @throws IconCatalogError LOCK_MISSING unless `online`; what the catalog refuses
   */
  record(id: number, isDrawnNext?: boolean): Promise<IconRecord>;
  /**
   * Bytes of an entry of the lock, which they match; or, `online`, of one that it does not have yet.
   * @throws IconCatalogError LOCK_MISSING, OFFLINE_MISSING, LOCK_MISMATCH; what the catalog refuses
   */
  bytes(iconKey: IconKey): Promise<Asset>;
  /** Whether a record of which the lock says nothing is in the cache. */
  hasRecord(id: number): Promise<boolean>;
  /** Whether a byte source of this machine has what `bytes` would give. */
  hasBytes(iconKey: IconKey): Promise<boolean>;
  /** What the catalog says now, whatever lock and cache hold. Costs a call. */
  freshRecord(id: number): Promise<IconRecord>;
  /** What the catalog sends now. Costs a call. @param options.keep gives it to every byte source that keeps bytes */
  freshBytes(
    iconKey: IconKey,
    options: { keep: boolean },
  ): Promise<{ integrity: string; size: number }>;
  /** Replaces what the cache says about an icon by what the catalog has sent, alone or in a list. */
  keepRecord(icon: AnyRecord): void;
}

export function createAssets(options: ResolvedOptions, ports: AssetsPorts): Assets {
  const { store, byteSources, iconLock } = ports;
  const { id: catalog } = ports.catalog;
  const once = createSingleFlight();
  const calls = createCalls(ports);
  const { record, storedRecord, keepRecord } = createRecords(options, { ...ports, once, calls });

  function bytes(iconKey: IconKey): Promise<Asset> {
    const key = toLockKey(iconKey);
    return once(key, async () => {
      const locked = iconLock.find(key)?.integrity;
      if (locked === undefined && options.mode !== 'online') throw notInLock(key, options);
      const found = await storedBytes(iconKey, locked);
      if (found !== undefined) return found;
      if (options.mode === 'offline') throw notOnMachine(key);
      await ports.connection.mayCall();
      return store.withLock(
        iconName({ catalog, id: iconKey.id }),
        async () => (await storedBytes(iconKey, locked)) ?? fetchAndKeep(iconKey, locked),
      );
    });
  }

  /** What the machine has: by the hash that is locked, or, if none is, what this catalog has sent for the icon. */
  async function storedBytes(
    iconKey: IconKey,
    locked: string | undefined,
  ): Promise<Asset | undefined> {
    if (locked !== undefined) {
      const bytes = await byteSources.get(locked);
      return bytes && { bytes, integrity: locked, isSent: false };
    }
    const stored = store.get(storeKey(catalog, iconKey));
    return stored && { bytes: stored.bytes, integrity: stored.integrity, isSent: true };
  }

  /** @throws IconCatalogError LOCK_MISMATCH; what the catalog refuses */
  async function fetchAndKeep(iconKey: IconKey, locked: string | undefined): Promise<Asset> {
    const bytes = await calls.bytes(iconKey);
    const integrity = sri512(bytes);
    if (locked !== undefined && integrity !== locked)
      throw notAsLocked(toLockKey(iconKey), options);
    await byteSources.keep(integrity, bytes, storeKey(catalog, iconKey));
    return { bytes, integrity, isSent: true };
  }

  return {
    record,
    bytes,
    hasRecord: async (id) => storedRecord(id) !== undefined,
    async hasBytes(iconKey) {
      const integrity = iconLock.find(toLockKey(iconKey))?.integrity;
      if (integrity !== undefined) return byteSources.has(integrity);
      return store.get(storeKey(catalog, iconKey)) !== undefined;
    },
    freshRecord: (id) => calls.record(id),
    async freshBytes(iconKey, { keep }) {
      const bytes = await calls.bytes(iconKey);
      const integrity = sri512(bytes);
      if (keep) await byteSources.keep(integrity, bytes, storeKey(catalog, iconKey));
      return { integrity, size: bytes.length };
    },
    keepRecord,
  };
}

/** What costs a call. */
function createCalls({ connection, build, catalog: { siteUrl } }: AssetsPorts) {
  const drawing = createIdleTask(async () => (await import('../svg/prepare-svg.ts')).loadSvgo());

  async function record(id: number, isDrawnNext = false): Promise<IconRecord> {
    const { client } = await connection.session();
    build.fetching(id);
    const answer = client.icon(id);
    if (isDrawnNext) void drawing();
    return received((await answer).icon);
  }

  /** What is kept of a record that the catalog has sent: no site that no credit would link to. */
  function received(icon: AnyRecord): IconRecord {
    const site = siteOfRecord(icon, siteUrl);
    return lastingFields({ ...icon, site_url: site === siteUrl ? undefined : site });
  }

  async function bytes({ id, kind, color, size }: IconKey): Promise<Uint8Array> {
    const { client } = await connection.session();
    build.fetching(id);
    const asked = askedColor(kind, color);
    const paint = asked === null ? {} : { color: asked };
    const answer = client.download(
      id,
      kind === 'svg'
        ? { filetype: 'svg', ...paint }
        : { filetype: 'png', ...paint, ...(size !== null && { size: Number(size) }) },
    );
    if (kind === 'svg') void drawing();
    return (await answer).bytes;
  }

  return { record, bytes, received };
}

/** Records that the cache has, or that the catalog sends. */
function createRecords(
  options: ResolvedOptions,
  {
    store,
    catalog: { id: catalog },
    once,
    calls,
  }: AssetsPorts & {
    once: ReturnType<typeof createSingleFlight>;
    calls: ReturnType<typeof createCalls>;
  },
) {
  // Not all records are fetched before the first file: working on files takes time, and calls are in flight meanwhile.
  const records = pLimit(2 * options.concurrency);

  function record(id: number, isDrawnNext = false): Promise<IconRecord> {
    if (options.mode !== 'online') {
      throw notInLock(toLockKey({ id, kind: 'meta', color: null, size: null }), options);
    }
    const key = recordKey({ catalog, id });
    return once(key, () =>
      records(
        async () =>
          storedRecord(id) ??
          store.withLock(
            iconName({ catalog, id }),
            async () => storedRecord(id) ?? keep(await calls.record(id, isDrawnNext)),
          ),
      ),
    );
  }

  function storedRecord(id: number): IconRecord | undefined {
    const stored = store.get(recordKey({ catalog, id }));
    return stored && parseRecord(Buffer.from(stored.bytes).toString(), id);
  }

  function keep(record: IconRecord): IconRecord {
    const key = recordKey({ catalog, id: Number(record.id) });
    store.put(key, Buffer.from(JSON.stringify(record)));
    return record;
  }

  return { record, storedRecord, keepRecord: (icon: AnyRecord) => keep(calls.received(icon)) };
}

function storeKey(catalog: string, { id, kind, color, size }: IconKey): string {
  const filetype = kind === 'svg' ? 'svg' : 'png';
  return bytesKey({ catalog, id, filetype, color: askedColor(kind, color), size });
}

/** The colour that is sent to the catalog; `null`: none. */
function askedColor(kind: IconKey['kind'], color: string | null): string | null {
  if (kind !== 'svg') return color;
  return color === 'original' ? null : (color ?? SENTINEL);
}

function parseRecord(text: string, id: number): IconRecord | undefined {
  try {
    const record = JSON.parse(text) as IconRecord;
    return record.id === String(id) ? lastingFields(record) : undefined;
  } catch {
    // Something else wrote under our key: the record is fetched again.
    return undefined;
  }
}

/** A record as the lock has it, or as a catalog sends it. */
type AnyRecord = Pick<IconRecord, 'id'> & StatedRecord;

/**
 * Leaves out what expires within the hour or changes per call: asset addresses and whatever else the service adds. A record
 * from the lock and one from the catalog are the same afterwards, including the order of their fields.
 */
export function lastingFields(icon: AnyRecord): IconRecord {
  return {
    id: icon.id,
    ...lockedRecord({ ...icon, license_text: cleanLicenseText(icon.license_text) }),
  };
}

/** Milliseconds in which calls that were made together reach their sockets. Loading code before that holds them all up. */
const UNTIL_CALLS_ARE_OUT = 10;

/**
 * Work for the time in which calls are on their way: it begins once, a moment after the first call of the returned function,
 * which resolves when it is done. If it fails, the code that needs its result fails with a reason.
 */
function createIdleTask(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= wait(UNTIL_CALLS_ARE_OUT)
      .then(work)
      .then(
        () => undefined,
        () => undefined,
      ));
}
