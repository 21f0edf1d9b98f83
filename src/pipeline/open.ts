import { join } from 'node:path';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { createContentStore } from '../store/content-store.ts';
import { sha256Hex } from '../store/hash.ts';
import { readCacheKey } from '../store/machine-key.ts';
import { createRenderPack } from '../store/render-pack.ts';
import { createTextPack, type TextPack } from '../store/text-pack.ts';
import type { IconRequest, Log } from '../types.ts';
import { GENERATOR } from '../version.ts';
import { createAssets, type Assets } from './assets.ts';
import type { BuildState } from './build-state.ts';
import { type ByteSources, cacheSource, createByteSources, sharedSource } from './byte-sources.ts';
import type { CatalogConnection } from './connection.ts';
import { catalogIdentity, type CatalogIdentity } from './catalog-identity.ts';
import {
  createModuleCache,
  createModuleValidity,
  type ModuleCache,
  type ModuleValidity,
} from './module-cache.ts';
import { createOutputCache, type OutputCache } from './output-cache.ts';
import type { IconLock } from './lock.ts';
import { createSources, type IconSource, type Packed } from './sources.ts';
import type { Vendor } from './vendor.ts';

/** Raise this number when the same bytes give another master or another module than before. */
const PIPELINE = 13;

export interface PipelineParts {
  /** Not open yet, as a warm build needs none of it. */
  pack: { open(): Promise<void>; get(key: string): Packed | undefined };
  source(request: IconRequest): Promise<IconSource>;
  /** Records and bytes themselves, for commands that maintain the lock. */
  assets: Assets;
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
  /** Writes the packs. */
  flushPacks(): Promise<void>;
}

export interface PartsInput {
  log: Log;
  connection: CatalogConnection;
  build: BuildState;
  /** `openParts` opens it. */
  iconLock: IconLock;
}

/**
 * Opens what a build works with, in the order in which each part needs the one before: byte sources, the catalog's identity,
 * packs, assets, sources.
 *
 * @param input.log reports each warning once a build
 */
export async function openParts(
  options: ResolvedOptions,
  { log, connection, build, iconLock }: PartsInput,
): Promise<PipelineParts> {
  const { cacheDir, root } = options;
  const store = createContentStore({
    dir: join(cacheDir, 'content'),
    log,
    // All attempts of a call, and of the file behind it, with the pauses between.
    longest: 2 * options.timeout * (options.retries + 1) + 30_000,
    width: Math.max(64, 2 * options.concurrency),
  });
  // The nearest comes first: the vendor file before the cache, and a shared cache after it.
  const vendor = await openVendor(options, log);
  const sources = [
    vendor?.byteSource,
    cacheSource(store),
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
  const identity = hash(madeOf);
  const file = join(cacheDir, 'packs', hash([root, identity]));
  const key = await readCacheKey(options.cacheKey, log.warn);
  const pack = createRenderPack<Packed>({ file: `${file}.ndjson`, identity, key, log });
  const { values, records, validity } = createModulePacks(options, {
    identity,
    key,
    log,
    iconLock,
  });
  const outputCache = createOutputCache({
    dir: join(cacheDir, 'attribution'),
    owner: root,
    identity,
    key,
  });
  await values.open();
  const { terms } = options.licenses;

  const assets = createAssets(options, {
    store,
    byteSources,
    iconLock,
    connection,
    catalog,
    build,
  });
  const source = createSources(options, { pack, assets, iconLock, log });
  return {
    pack,
    source,
    assets,
    byteSources,
    catalog: terms === undefined ? catalog : { ...catalog, termsUrl: terms.url },
    outputCache,
    modules: createModuleCache(options, { values, records, validity }),
    validity,
    vendor,
    async flushPacks() {
      validity.end();
      // Records are written first: the values refer to them.
      await Promise.all([pack.flush(), records.flush().then(() => values.flush())]);
    },
  };
}

/** The two files of finished modules, and what says which of them still match the lock. Neither file is open yet. */
function createModulePacks(
  { cacheDir, root, framework, licenses }: ResolvedOptions,
  {
    identity,
    iconLock,
    ...common
  }: { identity: string; key: Uint8Array; log: Log; iconLock: IconLock },
): { values: TextPack; records: TextPack; validity: ModuleValidity } {
  // Finished modules hold credits, which depend on the licence options, and components of one framework.
  const finishing = hash([identity, JSON.stringify([licenses, framework])]);
  const file = join(cacheDir, 'packs', hash([root, finishing]));
  const shared = { ...common, identity: finishing };
  const records = createTextPack({ ...shared, file: `${file}.records` });
  // Values have a file of their own: a warm build reads nothing else.
  const values: TextPack = createTextPack({
    ...shared,
    file: `${file}.values`,
    keepValid: (lines) => validity.keepValid(lines),
  });
  const validity = createModuleValidity({ iconLock, values, records });
  return { values, records, validity };
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

function hash(parts: (string | number)[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, 32);
}

/** What there is, opened once for all builds of a process, and compared with the lock once a build. */
export function createOpening(
  iconLock: IconLock,
  openAll: () => Promise<PipelineParts>,
): {
  open(): Promise<PipelineParts>;
  opened(): PipelineParts | undefined;
  /** Undefined until `open` has settled in this build. */
  compared(): PipelineParts | undefined;
  begin(): void;
} {
  let opening: Promise<PipelineParts> | undefined;
  let parts: PipelineParts | undefined;
  let isCompared = false;
  return {
    async open() {
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
