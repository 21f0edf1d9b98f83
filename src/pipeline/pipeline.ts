import pLimit from 'p-limit';
import { checkChanges, unacceptedConditions } from '../attribution/license/policy.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { nameRequest } from '../request/parse-request.ts';
import type { Credit, IconRequest, Log } from '../types.ts';
import { type BuildState, createBuildState, unusedAssertions } from './build-state.ts';
import {
  type CatalogDescription,
  configuredCatalog,
  describeCatalog,
  warnOfNoSite,
} from './catalog-identity.ts';
import {
  type CatalogConnection,
  type ConnectionInput,
  createCatalogConnection,
  explainName,
} from './connection.ts';
import { createIconLock, type IconLock } from './lock.ts';
import type { ModuleCache } from './module-cache.ts';
import { createOpening, openParts, type PipelineParts } from './open.ts';
import type { IconSource } from './sources.ts';
import { parseLockKey, toLockKey } from '../request/key.ts';

/** Milliseconds in which a page asks for most of its icons. */
const SOON = 300;

export interface Pipeline {
  /** Opens what there is and compares it with the lock, once a build. @throws IconCatalogError LOCK_INVALID and others */
  open(): Promise<PipelineParts>;
  /** Modules that were finished before, this build's own included, if `open` has settled in this build. */
  modulesNow(): ModuleCache | undefined;
  /** @throws IconCatalogError, with the importer and, if a limit stops the build, with every missing icon */
  source(request: IconRequest, importer?: string): Promise<IconSource>;
  /** What finds an svg icon in emitted bytes, if its drawing is in the cache; never asks the catalog. */
  fingerprint(id: number): Promise<string | undefined>;
  /** Reports it once a build. */
  warn(message: string): void;
  /** Notes what its licence asks for, and warns once a build if that forbids what was done to the icon. */
  warnAbout(credit: Credit): void;
  /**
   * What is reported at the end of a build, when the lock is written, one sentence each.
   * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
   */
  licenseWarnings(): string[];
  readonly connection: CatalogConnection;
  readonly build: BuildState;
  /** The lock file; open once `open` has settled. */
  readonly iconLock: IconLock;
  /**
   * Digest of the description of the catalog that is configured, if the lock names another one; its text is then given to
   * every byte source.
   */
  movedCatalog(): Promise<string | undefined>;
  /** A build begins: files that may have changed are read again. */
  begin(): void;
  /** Starts to fetch what the lock names and this machine lacks, if the options allow it. It never fails, and nothing waits for it. */
  prefetch(): void;
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
  { log, fetch, onCall }: { log: Log } & Pick<ConnectionInput, 'fetch' | 'onCall'>,
): Pipeline {
  const build = createBuildState();
  const warn = (message: string): void => {
    if (build.first(message)) log.warn(message);
  };
  const connection = createCatalogConnection(options, { fetch, warn, onCall });
  const once: Log = { ...log, warn };
  const iconLock = createIconLock(options, once);
  const parts = createOpening(iconLock, () =>
    openParts(options, { log: once, connection, build, iconLock }),
  );
  const { open } = parts;
  let soon: NodeJS.Timeout | undefined;
  /** Counts builds that prefetch, and their ends. */
  let building = 0;

  async function flush(): Promise<void> {
    building += 1;
    const opened = parts.opened();
    if (opened !== undefined) await writeParts(opened, iconLock);
  }

  return {
    connection,
    build,
    warn,
    iconLock,
    open,
    flush,
    modulesNow: () => parts.compared()?.modules,
    begin: parts.begin,
    prefetch() {
      const { budget, catalog, mode } = options;
      // A budget is for the icons of this build, and the lock may name others.
      if (mode === 'offline' || catalog.kind === 'none' || budget !== undefined) return;
      const number = (building += 1);
      const isOver = (): boolean => building !== number;
      open()
        .then((parts) => prefetch(options, { parts, iconLock, isOver }))
        .catch(() => undefined);
    },
    warnAbout: (credit) =>
      noteLicense(credit, { options, build, warn, catalog: parts.opened()?.catalog }),
    licenseWarnings: () => [
      ...build.licenseWarnings(),
      ...(parts.opened() === undefined
        ? []
        : unusedAssertions(options.licenses.assert, {
            entries: () => iconLock.all().entries.values(),
            lock: options.lockfile.name,
          })),
    ],
    fingerprint: async (id) => fingerprintOf(id, await open()),
    movedCatalog: async () => movedCatalog(options, { parts: await open(), iconLock }),
    source: async (request, importer) =>
      sourceOf(request, importer, { options, build, connection, parts: await open() }),
    flushSoon() {
      if (soon !== undefined || !iconLock.isChanged) return;
      soon = setTimeout(() => {
        soon = undefined;
        flush().catch((error: unknown) => once.error(String(error)));
      }, SOON);
      soon.unref();
    },
    async close() {
      clearTimeout(soon);
      await parts.opened()?.byteSources.close();
      await connection.close();
    },
  };
}

async function fingerprintOf(id: number, { pack }: PipelineParts): Promise<string | undefined> {
  await pack.open();
  const packed = pack.get(`${id}:svg`) ?? pack.get(`${id}:svg:original`);
  return packed !== undefined && 'master' in packed ? packed.master.fingerprint : undefined;
}

async function movedCatalog(
  options: ResolvedOptions,
  { parts: { byteSources }, iconLock }: { parts: PipelineParts; iconLock: IconLock },
): Promise<string | undefined> {
  const given = await configuredCatalog(options);
  const description = given && describeCatalog(given);
  if (description === undefined || description.digest === iconLock.catalog()) return undefined;
  await byteSources.keep(description.digest, description.bytes);
  return description.digest;
}

/** @throws IconCatalogError as the catalog gave it, with what `BuildState.explain` adds */
async function sourceOf(
  request: IconRequest,
  importer: string | undefined,
  {
    options,
    build,
    connection,
    parts: { pack, source },
  }: {
    options: ResolvedOptions;
    build: BuildState;
    connection: CatalogConnection;
    parts: PipelineParts;
  },
): Promise<IconSource> {
  await pack.open();
  const arrived = build.asked(request);
  try {
    const found = await source(request);
    arrived();
    return found;
  } catch (error) {
    throw await build.explain(
      await explainName(error, { id: request.id, catalog: options.catalog }),
      {
        importer,
        name: (missing) => nameRequest(missing, options),
        isStopped: connection.isStopped,
      },
    );
  }
}

/** Notes what the licence of an icon asks for, for the end of the build, and warns of what it forbids. */
function noteLicense(
  credit: Credit,
  {
    options,
    build,
    warn,
    catalog,
  }: {
    options: ResolvedOptions;
    build: BuildState;
    warn: (message: string) => void;
    catalog: CatalogDescription | undefined;
  },
): void {
  const { id, license } = credit;
  if (license.status === 'attribution' && license.version === null) build.versionNotStated(id);
  const conditions = unacceptedConditions(license, options.licenses.allow);
  if (conditions !== undefined) build.askedBy(conditions, id);
  if (credit.credit.required && options.attribution === false) build.creditMissing(id);
  const warning = checkChanges(credit);
  if (warning !== undefined) warn(warning);
  const noSite = credit.source.url === null && catalog && warnOfNoSite(catalog);
  if (noSite) warn(noSite);
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

/**
 * Fetches what the lock names and this machine lacks, so that a cold build is bound by the catalog and not by the order
 * in which the bundler finds imports: an import of such an icon waits for the same download. Nothing fails here: an error
 * is reported for the import of the icon.
 *
 * @param isOver true once the build has ended, and what is left of the lock is none of its icons
 */
async function prefetch(
  options: ResolvedOptions,
  { parts, iconLock, isOver }: { parts: PipelineParts; iconLock: IconLock; isOver: () => boolean },
): Promise<void> {
  const { assets, pack, validity, byteSources } = parts;
  // Everything in the lock was finished by an earlier build.
  if (validity.matchesLock) return;
  await pack.open();
  const limit = pLimit(options.concurrency);
  const fetchOne = async (key: string): Promise<void> => {
    const iconKey = parseLockKey(key);
    const integrity = iconLock.find(key)?.integrity;
    if (iconKey === undefined || integrity === undefined || isOver()) return;
    if (await byteSources.has(integrity)) return;
    await assets.bytes(iconKey);
  };
  const lacking = [...iconLock.all().entries].filter(([key, { integrity }]) => {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined || integrity === undefined) return false;
    const packed = iconKey.kind === 'svg' ? pack.get(toLockKey(iconKey)) : undefined;
    return !(packed !== undefined && 'master' in packed && packed.integrity === integrity);
  });
  await Promise.allSettled(lacking.map(([key]) => limit(() => fetchOne(key))));
}

const LEVELS = ['silent', 'error', 'warn', 'info'] as const;

/** Passes on the messages that the level allows. */
export function createLog(level: (typeof LEVELS)[number], target: Log = standardError): Log {
  const allowed = LEVELS.indexOf(level);
  const at = (name: 'error' | 'warn' | 'info'): ((message: string) => void) =>
    LEVELS.indexOf(name) <= allowed ? (message) => target[name](message) : () => undefined;
  return { error: at('error'), warn: at('warn'), info: at('info') };
}

/** Results go to standard output, everything else here. */
const standardError: Log = {
  info: (message) => void process.stderr.write(`[icon-catalog] ${message}\n`),
  warn: (message) => void process.stderr.write(`[icon-catalog] warning: ${message}\n`),
  error: (message) => void process.stderr.write(`[icon-catalog] error: ${message}\n`),
};
