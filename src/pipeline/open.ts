import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkLicense, checkStatements } from '../attribution/license/policy.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { createContentStore } from '../store/content-store.ts';
import { readCacheKey } from '../store/machine-key.ts';
import { createFetchTurns, type FetchTurns } from '../store/fetch-turns.ts';
import { createRenderPack } from '../store/render-pack.ts';
import { createTextPack, type TextPack } from '../store/text-pack.ts';
import { describeRemovals } from '../svg/removals.ts';
import type { IconRequest, Log } from '../types.ts';
import { GENERATOR } from '../version.ts';
import { createAssets, type Assets } from './assets.ts';
import type { BuildState } from './build-state.ts';
import { type ByteTiers, cacheTier, createByteTiers, sharedTier } from './byte-sources.ts';
import type { CatalogDoor } from './connection.ts';
import { catalogIdentity, type CatalogIdentity } from './catalog-identity.ts';
import {
  createFinishedModules,
  createProvenModules,
  type FinishedModules,
  type ProvenModules,
} from './module-cache.ts';
import { createKeptFiles, type KeptFiles } from './output-cache.ts';
import type { Pins } from './lock.ts';
import { createSources, type IconSource, type Packed } from './sources.ts';
import type { VendorRoom } from './vendor.ts';

/** Raise when the same bytes would be made into another master or another module than before. */
const PIPELINE = 12;

export interface Rooms {
  /** Not open yet, as a warm build needs none of it. */
  pack: { open(): Promise<void>; get(key: string): Packed | undefined };
  source(request: IconRequest): Promise<IconSource>;
  assets: Assets;
  tiers: ByteTiers;
  catalog: CatalogIdentity;
  keptFiles: KeptFiles;
  finished: FinishedModules;
  proven: ProvenModules;
  vendor: VendorRoom | undefined;
  turns: FetchTurns;
  /** Writes the packs. */
  flushPacks(): Promise<void>;
}

export interface RoomsPorts {
  log: Log;
  door: CatalogDoor;
  build: BuildState;
  /** Opened on the way. */
  pins: Pins;
}

/** Lays the rooms in a row: store, catalog, svg. @param ports.log says a warning once a build */
export async function openRooms(
  options: ResolvedOptions,
  { log, door, build, pins }: RoomsPorts,
): Promise<Rooms> {
  const { cacheDir, root } = options;
  const store = createContentStore({ dir: join(cacheDir, 'content'), log });
  // The nearest first: the vendor file goes before the cache, a shared cache behind it.
  const vendor = await openVendor(options, log);
  const places = [vendor?.tier, cacheTier(store), sharedTier(options, { log, pins })];
  const tiers = createByteTiers(
    places.filter((tier) => tier !== undefined),
    options.mode,
  );
  const catalog = await catalogIdentity(options, {
    async digest() {
      await pins.open();
      return pins.catalog();
    },
    find: (integrity) => tiers.get(integrity),
    warn: (message) => log.warn(message),
  });
  const made = [PIPELINE, GENERATOR.version, catalog.id, catalog.siteUrl, svgIdentity(options)];
  const identity = hash(made);
  const file = join(cacheDir, 'packs', hash([root, identity]));
  const key = await readCacheKey(options.cacheKey, log.warn);
  const pack = createRenderPack<Packed>({ file: `${file}.ndjson`, identity, key, log });
  // Finished modules hold credits, which the licence options shape, and components of one framework.
  const { framework, licenses } = options;
  const finishing = hash([identity, JSON.stringify([licenses, framework])]);
  const finishedFile = join(cacheDir, 'packs', hash([root, finishing]));
  const records = createTextPack({
    file: `${finishedFile}.records`,
    identity: finishing,
    key,
    log,
  });
  // A file of their own: a warm build reads nothing else.
  const values: TextPack = createTextPack({
    file: `${finishedFile}.values`,
    identity: finishing,
    key,
    log,
    seal: (lines) => proven.seal(lines),
  });
  const proven = createProvenModules({ pins, values, records });
  const keptFiles = createKeptFiles({
    dir: join(cacheDir, 'attribution'),
    owner: root,
    identity,
    key,
  });
  await values.open();

  const turns = createFetchTurns({
    dir: join(cacheDir, 'turns'),
    // All attempts of a call, and of the file behind it, with the pauses between.
    longest: 2 * options.timeout * (options.retries + 1) + 30_000,
    width: Math.max(64, 2 * options.concurrency),
  });
  const assets = createAssets(options, {
    store,
    tiers,
    pins,
    door,
    turns,
    catalog,
    fetching: build.fetching,
  });
  const source = createSources(options, {
    pack,
    assets,
    pins,
    admit(record) {
      const warning = checkLicense(record, options.licenses);
      if (warning !== undefined) log.warn(warning);
      const contradiction = checkStatements(record, options.licenses);
      if (contradiction !== undefined) log.warn(contradiction);
    },
    admitFile(record, { creditText, notices }) {
      const said = [...creditText, ...notices];
      const contradiction = checkStatements(record, options.licenses, said);
      if (contradiction !== undefined) log.warn(contradiction);
    },
    unpainted({ id, term }) {
      log.warn(
        `Icon ${id} ("${term}") keeps its own colours: it is drawn in two or more, and the catalog does not paint such files.`,
      );
    },
    prepared(id, master) {
      if (Object.keys(master.removed).length > 0) log.warn(describeRemovals(id, master.removed));
    },
  });
  return {
    pack,
    source,
    assets,
    tiers,
    catalog,
    keptFiles,
    finished: createFinishedModules(options, { values, records, proven }),
    proven,
    vendor,
    turns,
    async flushPacks() {
      proven.end();
      // Values are held against records before they are sealed.
      await Promise.all([pack.flush(), records.flush().then(() => values.flush())]);
    },
  };
}

/** Only those who commit their icons load what it takes. */
async function openVendor(options: ResolvedOptions, log: Log): Promise<VendorRoom | undefined> {
  const { vendor } = options;
  if (vendor === undefined) return undefined;
  const { createVendorRoom } = await import('./vendor.ts');
  return createVendorRoom({ ...options, vendor }, log);
}

/** Options that change what a master is made of. Functions count by their text. */
function svgIdentity({ svg }: ResolvedOptions): string {
  const { optimize, strict, animation, maxBytes, limits } = svg;
  return JSON.stringify({ optimize, strict, animation, maxBytes, limits }, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

function hash(parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
