import pLimit from 'p-limit';
import { checkLicense, checkStatements } from '../attribution/license/policy.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { keyOfRequest, parseLockKey, toLockKey } from '../request/key.ts';
import { nameRequest } from '../request/parse-request.ts';
import { sha256Hex } from '../store/hash.ts';
import type { RenderPack } from '../store/packs.ts';
import { describeRemovals } from '../svg/refusals.ts';
import { SENTINEL } from '../svg/render-svg.ts';
import type { IconRecord, IconRequest, SvgMaster } from '../types.ts';
import { type Assets, type AssetsPorts, createAssets, lastingFields } from './assets.ts';
import { type BuildState, createSingleFlight } from './build-state.ts';
import type { ByteSources } from './byte-sources.ts';
import { type CatalogConnection, explainName } from './connection.ts';
import { notInLock, type IconLock } from './lock.ts';
import { entryHashOf } from './module-cache.ts';
import { createPreparation } from './preparation.ts';

/** What an icon module is made of. `sha256` is that of the bytes which the catalog sent. */
export type IconSource = { record: IconRecord } & (
  | { kind: 'meta' }
  /** `unpainted`: the drawing has its own colours, whatever was asked. */
  | { kind: 'svg'; sha256: string; master: SvgMaster; unpainted?: boolean; entryHash: string }
  | { kind: 'png'; sha256: string; bytes: Uint8Array }
);

/** What makes icons that no earlier build has finished. A warm build loads none of it. */
export interface IconMaker {
  /** What an import is made of. @throws IconCatalogError, with the importer and, if a limit stops the build, with every missing icon */
  source(request: IconRequest, importer?: string): Promise<IconSource>;
  /** Records and bytes themselves, for commands that maintain the lock. */
  assets: Assets;
  /** What finds an svg icon in emitted bytes, if this machine has its drawing, or the bytes that the lock pins. */
  fingerprint(id: number): Promise<string | undefined>;
  /** Fetches what the lock names and this machine lacks. @param isOver see `prefetch` */
  prefetch(isOver: () => boolean): Promise<void>;
}

export function createIconMaker(
  options: ResolvedOptions,
  given: AssetsPorts & Pick<MastersPorts, 'pack'>,
): IconMaker {
  const assets = createAssets(options, given);
  const masterOf = createMasters(options, { ...given, assets });
  const ports = { ...given, assets, masterOf };
  return {
    assets,
    source: createSources(options, ports),
    fingerprint: (id) => fingerprintOf(id, ports),
    prefetch: (isOver) => prefetch(options, { ...ports, isOver }),
  };
}

interface MastersPorts {
  pack: RenderPack<PackedMaster>;
  assets: Assets;
  iconLock: IconLock;
  build: BuildState;
  connection: Pick<CatalogConnection, 'isStopped' | 'mayCall'>;
}

interface SourcesPorts extends Omit<MastersPorts, 'pack'> {
  pack: Pick<MastersPorts['pack'], 'open'>;
  masterOf: ReturnType<typeof createMasters>;
}

/** What is made of the lines of a lock, also of those that nothing imports. */
interface PinnedPorts extends Pick<MastersPorts, 'iconLock'> {
  pack: Pick<MastersPorts['pack'], 'open' | 'get'>;
  byteSources: Pick<ByteSources, 'has'>;
}

/** A line of the render pack, `<id>:svg[:<colour>]`. */
export interface PackedMaster {
  /** Both of the bytes that the catalog sent. */
  sha256: string;
  integrity: string;
  size: number;
  /** False: they came by their digest. Without a lock the catalog may have others now. */
  isSent: boolean;
  master: SvgMaster;
}

/**
 * From request to what a module is made of: render pack first, then wherever the bytes are. What the lock says of an icon
 * holds; in the mode `online` what it does not say is added. Each file is prepared once, however many ask at once.
 *
 * @returns a function that throws IconCatalogError, with the importer and, if a limit stops the build, with every missing icon
 */
function createSources(
  options: ResolvedOptions,
  ports: SourcesPorts,
): (request: IconRequest, importer?: string) => Promise<IconSource> {
  const { pack, build, connection } = ports;
  const find = createFinder(options, ports);

  return async (request, importer) => {
    await pack.open();
    const arrived = build.asked(request);
    try {
      const found = await find(request);
      arrived();
      return found;
    } catch (error) {
      const explained = await explainName(error, { id: request.id, catalog: options.catalog });
      throw await build.explain(explained, {
        importer,
        name: (missing) => nameRequest(missing, options),
        isStopped: connection.isStopped,
      });
    }
  };
}

function createFinder(
  options: ResolvedOptions,
  ports: SourcesPorts,
): (request: IconRequest) => Promise<IconSource> {
  const { assets, iconLock, build, masterOf, connection } = ports;

  async function find(request: IconRequest): Promise<IconSource> {
    const { id, as, filetype, color } = request;
    const key = keyOfRequest(request);
    const isPinned =
      iconLock.find(key) !== undefined || (as === 'meta' && iconLock.record(id) !== undefined);
    if (!isPinned && options.mode !== 'online') throw notInLock(key, options);
    if (!isPinned) await connection.mayCall();
    const record = await recordOf(request);
    // Before anything is downloaded.
    warnOf(checkLicense(record, options.licenses));
    warnOf(checkStatements(record, options.licenses));
    if (as === 'meta') {
      iconLock.add(key, undefined, record);
      return { kind: 'meta', record };
    }
    if (filetype === 'png') {
      const { bytes, integrity } = await assets.bytes({ ...request, kind: 'png' });
      iconLock.add(key, { integrity, size: bytes.length }, record);
      return { kind: 'png', record, sha256: sha256Hex(bytes), bytes };
    }
    const master = await masterOf(record, color === 'original' ? color : null);
    checkFile(record, master.master);
    const made = {
      kind: 'svg',
      record,
      entryHash: entryHashOf([master.integrity], record),
    } as const;
    if (color === 'original') return { ...made, ...master, unpainted: true };
    if (master.master.paint !== 'multi-tone') return { ...made, ...master };
    const isAsked = color !== null && color !== 'currentColor';
    const painted = await masterOf(record, isAsked ? color : 'original');
    checkFile(record, painted.master);
    // Byte for byte what another colour gave: the catalog paints no files of several tones.
    const unpainted = !isAsked || painted.sha256 === master.sha256;
    if (isAsked && unpainted)
      build.warn(
        `Icon ${id} ("${record.term}") keeps its own colours: it has two or more, and the catalog does not paint such files.`,
      );
    const entryHash = entryHashOf([master.integrity, painted.integrity], record);
    return { ...made, ...painted, unpainted, entryHash };
  }

  /** @throws IconCatalogError if what the file says contradicts the record in a way that the licence policy refuses */
  function checkFile(record: IconRecord, { creditText, notices }: SvgMaster): void {
    const words = [...creditText, ...notices];
    // What the record says was checked before the download.
    if (words.length > 0) warnOf(checkStatements(record, options.licenses, words));
  }

  function warnOf(warning: string | undefined): void {
    if (warning !== undefined) build.warn(warning);
  }

  function recordOf({ id, as, filetype }: IconRequest): IconRecord | Promise<IconRecord> {
    const pinned = iconLock.record(id);
    return pinned === undefined
      ? assets.record(id, filetype === 'svg' && as !== 'meta')
      : lastingFields(pinned);
  }

  return find;
}

/** Drawings that are ready to be rendered: from the render pack, if the lock says the same, or prepared from the bytes. */
function createMasters(
  options: ResolvedOptions,
  { pack, assets, iconLock, build, connection }: MastersPorts,
): (record: IconRecord, color: string | null) => Promise<PackedMaster> {
  const once = createSingleFlight();
  const prepared = createPreparation();

  async function masterOf(record: IconRecord, color: string | null): Promise<PackedMaster> {
    const id = Number(record.id);
    const key = toLockKey({ id, kind: 'svg', color, size: null });
    const pinned = iconLock.find(key)?.integrity;
    const packed = pack.get(key);
    const isRight =
      packed !== undefined && (pinned === undefined ? packed.isSent : packed.integrity === pinned);
    if (!isRight && pinned === undefined && options.mode !== 'online')
      throw notInLock(key, options);
    if (pinned === undefined) await connection.mayCall();
    const entry = isRight ? packed : await once(key, () => prepare(record, color));
    iconLock.add(key, entry, record);
    return entry;
  }

  async function prepare(record: IconRecord, color: string | null): Promise<PackedMaster> {
    const id = Number(record.id);
    const iconKey = { id, kind: 'svg', color, size: null } as const;
    const { bytes, integrity, isSent } = await assets.bytes(iconKey);
    const { optimize, strict, animation, maxBytes, limits } = options.svg;
    const paint = { askedColor: color ?? SENTINEL, fixedColor: color !== null };
    const drawing = { id, ...paint, optimize, strict, animation, maxBytes, limits };
    const master = await prepared(bytes, drawing);
    const entry = { sha256: sha256Hex(bytes), integrity, size: bytes.length, isSent, master };
    pack.set(toLockKey(iconKey), entry);
    const removed = describeRemovals(id, master.removed, record.term);
    if (removed !== '') build.warn(removed);
    return entry;
  }

  return masterOf;
}

/**
 * Fetches what the lock names and this machine lacks, so that a cold build is bound by the catalog and not by the order
 * in which the bundler finds imports: an import of such an icon waits for the same download. Nothing fails here: an error
 * is reported for the import of the icon.
 *
 * @param isOver true once the build has ended, and what is left of the lock is none of its icons
 */
async function prefetch(
  { concurrency }: ResolvedOptions,
  {
    pack,
    assets,
    byteSources,
    iconLock,
    isOver,
  }: PinnedPorts & { assets: Assets; isOver: () => boolean },
): Promise<void> {
  await pack.open();
  const limit = pLimit(concurrency);
  const fetches = [...iconLock.all().entries].map(async ([key, { integrity }]) => {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined || integrity === undefined) return;
    const packed = iconKey.kind === 'svg' ? pack.get(toLockKey(iconKey)) : undefined;
    if (packed?.integrity === integrity) return;
    await limit(async () => {
      if (!isOver() && !(await byteSources.has(integrity))) await assets.bytes(iconKey);
    });
  });
  await Promise.allSettled(fetches);
}

/** What finds an svg icon in emitted bytes, if this machine has its drawing, or the bytes that the lock pins. */
async function fingerprintOf(
  id: number,
  { pack, byteSources, masterOf, iconLock }: PinnedPorts & Pick<SourcesPorts, 'masterOf'>,
): Promise<string | undefined> {
  await pack.open();
  const packed = pack.get(`${id}:svg`) ?? pack.get(`${id}:svg:original`);
  if (packed !== undefined) return packed.master.fingerprint;
  // A clone has a lock, and bytes in the cache or the vendor file, before it has drawn anything.
  const record = iconLock.record(id);
  const isOriginal = iconLock.find(`${id}:svg`) === undefined;
  const pinned = iconLock.find(isOriginal ? `${id}:svg:original` : `${id}:svg`)?.integrity;
  if (record === undefined || pinned === undefined || !(await byteSources.has(pinned)))
    return undefined;
  // A file that is refused is in no output of ours, and a build that does not ask for it does not fail by it.
  const drawn = await masterOf(lastingFields(record), isOriginal ? 'original' : null).catch(
    () => undefined,
  );
  return drawn?.master.fingerprint;
}
