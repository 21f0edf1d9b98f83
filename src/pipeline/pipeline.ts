import { join } from 'node:path';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { ContentStore } from '../store/content-store.ts';
import { shortHash } from '../store/hash.ts';
import { createRenderPack, readCacheKey, type RenderPack } from '../store/packs.ts';
import type { IconRequest, Log } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { Assets } from './assets.ts';
import {
  type BuildState,
  createBuildState,
  createPrefetch,
  unusedAssertions,
} from './build-state.ts';
import { type ByteSources, cacheSource, createByteSources, sharedSource } from './byte-sources.ts';
import {
  type CatalogConnection,
  catalogIdentity,
  type CatalogIdentity,
  configuredCatalog,
  type ConnectionInput,
  createCatalogConnection,
  describeCatalog,
} from './connection.ts';
import { createIconLock, type IconLock } from './lock.ts';
import {
  createModuleCache,
  createModulePacks,
  type ModuleCache,
  type ModuleValidity,
} from './module-cache.ts';
import { createOutputCache, type OutputCache } from './output-cache.ts';
import type { IconSource, IconMaker, PackedMaster } from './sources.ts';
import type { Vendor } from './vendor.ts';

/** Milliseconds in which a page asks for most of its icons. */
const SOON = 300;

export interface Pipeline {
  /** Opens what there is and compares it with the lock, once a build. @throws IconCatalogError LOCK_INVALID and others */
  open(): Promise<PipelineParts>;
  /** Modules that were finished before, this build's own included, if `open` has settled in this build. */
  modulesNow(): ModuleCache | undefined;
  /** @throws IconCatalogError, with the importer and, if a limit stops the build, with every missing icon */
  source(request: IconRequest, importer?: string): Promise<IconSource>;
  /** Records and bytes themselves, for commands that maintain the lock. */
  assets(): Promise<Assets>;
  /** What finds an svg icon in emitted bytes, if this machine has its drawing, or the bytes that the lock pins; never asks the catalog. */
  fingerprint(id: number): Promise<string | undefined>;
  /** What finds the icons that projects of this machine have drawn, see `drawnIn`. */
  drawnHere(isWanted: (id: number) => boolean): Promise<Map<string, string>>;
  /**
   * What is reported at the end of a build, when the lock is written, one sentence each.
   * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
   */
  licenseWarnings(): string[];
  readonly connection: CatalogConnection;
  readonly build: BuildState;
  /** The lock file; open once `open` has settled. */
  readonly iconLock: IconLock;
  /** Digest of the configured catalog's description, if the lock names another one; every byte source gets its text. */
  movedCatalog(): Promise<string | undefined>;
  /** A build begins: files that may have changed are read again. */
  begin(): void;
  /** Starts to fetch what the lock names and this machine lacks, if the options allow it. It never fails, and no icon waits for it. */
  prefetch(): void;
  /** Of icons that nothing imports: waits until that is over, but no longer than five seconds. @returns false, after a warning, if some are still on their way */
  prefetched(): Promise<boolean>;
  /**
   * Writes what this run made into the render pack, and what it added into the lock.
   * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
   */
  flush(): Promise<void>;
  /** Does so soon, once for all that is added until then, and keeps no process alive: for dev servers, which have no end of a build. */
  flushSoon(): void;
  close(): Promise<void>;
}

/** The path from a request to its source, and what it needs on the way. Nothing is opened before the first icon. */
export function createPipeline(
  options: ResolvedOptions,
  { log, ...ports }: { log: Log } & Pick<ConnectionInput, 'fetch' | 'onCall' | 'mayCall'>,
): Pipeline {
  const build = createBuildState(log);
  const { warn } = build;
  const connection = createCatalogConnection(options, { ...ports, warn });
  const once: Log = { ...log, warn };
  const iconLock = createIconLock(options, once);
  const parts = createOpening(iconLock, () =>
    openParts(options, { log: once, connection, build, iconLock }),
  );
  const { open } = parts;
  const maker = async (): Promise<IconMaker> => (await open()).maker();
  let soon: NodeJS.Timeout | undefined;
  const ahead = createPrefetch(options, warn, async (isOver) => {
    const { validity } = await open();
    // Otherwise everything in the lock was finished by an earlier build.
    if (!validity.matchesLock) await (await maker()).prefetch(isOver);
  });

  async function flush(): Promise<void> {
    ahead.end();
    const opened = parts.opened();
    if (opened !== undefined) await writeParts(opened, iconLock);
  }

  return {
    connection,
    build,
    iconLock,
    open,
    flush,
    modulesNow: () => parts.compared()?.modules,
    begin: parts.begin,
    prefetch: ahead.begin,
    prefetched: ahead.settled,
    licenseWarnings: () => [
      ...build.licenseWarnings(),
      ...(parts.opened() === undefined
        ? []
        : unusedAssertions(options.licenses.assert, {
            entries: () => iconLock.all().entries.values(),
            lock: options.lockfile.name,
          })),
    ],
    fingerprint: async (id) => (await maker()).fingerprint(id),
    drawnHere: async (isWanted) => (await open()).drawnHere(isWanted),
    assets: async () => (await maker()).assets,
    async movedCatalog() {
      const { byteSources } = await open();
      const given = await configuredCatalog(options);
      const description = given && describeCatalog(given);
      if (description === undefined || description.digest === iconLock.catalog()) return undefined;
      await byteSources.keep(description.digest, description.bytes);
      return description.digest;
    },
    source: async (request, importer) => (await maker()).source(request, importer),
    flushSoon() {
      soon ??= setTimeout(() => {
        soon = undefined;
        // Of icons that the lock knew, as after a clone, drawings and modules alone are new.
        const written = iconLock.isChanged ? flush() : parts.opened()?.flushPacks();
        written?.catch((error: unknown) => once.error(String(error)));
      }, SOON).unref();
    },
    async close() {
      clearTimeout(soon);
      await parts.opened()?.byteSources.close();
      await connection.close();
    },
  };
}

/** The lock is written first: the vendor file holds what it names. */
async function writeParts(parts: PipelineParts, iconLock: IconLock): Promise<void> {
  const { byteSources, catalog, vendor } = parts;
  const description = describeCatalog(catalog);
  if (iconLock.isChanged) {
    if (description !== undefined) await byteSources.keep(description.digest, description.bytes);
    await iconLock.flush(description?.digest);
  }
  await vendor?.complete({ iconLock, byteSources, description });
  await parts.flushPacks();
  await byteSources.flush();
}

/** Raise this number when the same bytes give another master or another module than before. */
const PIPELINE = 16;

interface PipelineParts {
  /** Loaded at the first icon that no earlier build has finished. */
  maker(): Promise<IconMaker>;
  byteSources: ByteSources;
  /** The catalog as credits and manifests name it. */
  catalog: CatalogIdentity & { termsUrl?: string };
  /** What earlier builds wrote about what they shipped. */
  outputCache: OutputCache;
  /** Modules that were finished before, this build's own included. */
  modules: ModuleCache;
  validity: ModuleValidity;
  /** The vendor file, if the project has one. */
  vendor: Vendor | undefined;
  drawnHere: Pipeline['drawnHere'];
  /** Writes the packs. */
  flushPacks(): Promise<void>;
}

/**
 * Opens what a build works with, in the order in which each part needs the one before: byte sources, the catalog's identity,
 * packs, assets, sources.
 *
 * @param input.log reports each warning once a build
 */
async function openParts(
  options: ResolvedOptions,
  { log, ...ports }: Pick<Pipeline, 'connection' | 'build' | 'iconLock'> & { log: Log },
): Promise<PipelineParts> {
  const { iconLock } = ports;
  const { cacheDir, root } = options;
  let opened: Promise<ContentStore> | undefined;
  const store = (): Promise<ContentStore> => (opened ??= openStore(options, log));
  // The nearest comes first: the vendor file before the cache, and a shared cache after it.
  const vendor = await openVendor(options, log);
  const sources = [
    vendor?.byteSource,
    cacheSource(store, () => opened),
    sharedSource(options, { log, iconLock }),
  ];
  const byteSources = createByteSources(
    sources.filter((byteSource) => byteSource !== undefined),
    options.mode,
  );
  const catalog = await catalogIdentity(options, {
    async digest() {
      await iconLock.open();
      return iconLock.catalog();
    },
    find: (integrity) => byteSources.get(integrity),
    warn: (message) => log.warn(message),
  });
  const madeOf = [PIPELINE, GENERATOR.version, catalog.id, catalog.siteUrl, svgIdentity(options)];
  const identity = shortHash(JSON.stringify(madeOf));
  const folder = join(cacheDir, 'packs');
  const key = await readCacheKey(options.cacheKey, log.warn);
  const packIn = (name: string): RenderPack<PackedMaster> =>
    createRenderPack({ file: join(folder, name), identity, key, log });
  const pack = packIn(`${shortHash(JSON.stringify([root, identity]))}.drawings`);
  const packs = createModulePacks(options, { identity, key, log, iconLock });
  const { values, records, validity } = packs;
  const dir = join(cacheDir, 'attribution');
  const outputCache = createOutputCache({ dir, owner: root, identity, key });
  await values.open();
  const { terms } = options.licenses;

  async function make(): Promise<IconMaker> {
    const { createIconMaker } = await import('./sources.ts');
    return createIconMaker(options, { ...ports, pack, store: await store(), byteSources, catalog });
  }
  let made: Promise<IconMaker> | undefined;
  const maker = (): Promise<IconMaker> => (made ??= make());
  return {
    maker,
    byteSources,
    catalog: terms === undefined ? catalog : { ...catalog, termsUrl: terms.url },
    outputCache,
    modules: createModuleCache(options, packs),
    validity,
    vendor,
    async drawnHere(isWanted) {
      const { drawnIn } = await import('./drawn-here.ts');
      return drawnIn(folder, { packIn, isWanted, assets: async () => (await maker()).assets });
    },
    async flushPacks() {
      validity.end();
      // Records are written first: the values refer to them.
      await Promise.all([pack.flush(), records.flush().then(() => values.flush())]);
    },
  };
}

/** A warm build needs none of it. */
async function openStore(options: ResolvedOptions, log: Log): Promise<ContentStore> {
  const { createContentStore } = await import('../store/content-store.ts');
  return createContentStore({
    dir: join(options.cacheDir, 'content'),
    log,
    // All attempts of a call, and of the file behind it, with the pauses between.
    longest: 2 * options.timeout * (options.retries + 1) + 30_000,
    width: Math.max(64, 2 * options.concurrency),
  });
}

/** Only projects that commit their icons load the code for it. */
async function openVendor(options: ResolvedOptions, log: Log): Promise<Vendor | undefined> {
  const { vendor } = options;
  if (vendor === undefined) return undefined;
  const { createVendor } = await import('./vendor.ts');
  return createVendor({ ...options, vendor }, log);
}

/** Options that change what a master is made of. Functions count by their text. */
function svgIdentity({ svg }: ResolvedOptions): string {
  const { optimize, strict, animation, maxBytes, limits } = svg;
  return JSON.stringify({ optimize, strict, animation, maxBytes, limits }, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

/** What there is, opened once for all builds of a process, and compared with the lock once a build. */
function createOpening(iconLock: IconLock, openAll: () => Promise<PipelineParts>) {
  let opening: Promise<PipelineParts> | undefined;
  let parts: PipelineParts | undefined;
  let isCompared = false;
  return {
    async open(): Promise<PipelineParts> {
      // The lock is read beside the rest: a warm build waits for nothing else.
      opening ??= openAll().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      const [all] = await Promise.all([opening, iconLock.open()]);
      parts = all;
      await all.validity.begin();
      isCompared = true;
      return all;
    },
    opened: () => parts,
    /** Undefined until `open` has settled in this build. */
    compared: () => (isCompared ? parts : undefined),
    begin() {
      isCompared = false;
      iconLock.refresh();
      parts?.vendor?.file.refresh();
      // The lock is read while the bundler is busy. An error appears again at the first import that needs the lock.
      iconLock.open().catch(() => undefined);
    },
  };
}
