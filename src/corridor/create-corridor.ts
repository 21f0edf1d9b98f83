import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { checkChanges, checkLicense } from '../attribution/license-policy.ts';
import { nameRequest } from '../request/name-request.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { createContentStore } from '../store/content-store.ts';
import { createRenderPack } from '../store/render-pack.ts';
import { createTextPack } from '../store/text-pack.ts';
import { describeRemovals } from '../svg/removals.ts';
import type { Credit, FetchPort, IconRequest, Log } from '../types.ts';
import { GENERATOR } from '../version.ts';
import { createBuildState, type BuildState } from './build-state.ts';
import { catalogIdentity, type CatalogIdentity } from './catalog-identity.ts';
import { createCatalogDoor, type CatalogDoor } from './catalog-door.ts';
import { createFinishedModules, type FinishedModules } from './finished-modules.ts';
import { createKeptFiles, type KeptFiles } from './kept-files.ts';
import { createSources, type IconSource, type Packed } from './sources.ts';

/** Raise when the same bytes would be made into another master or another module than before. */
const PIPELINE = 6;

export interface Corridor {
  /** @throws IconCatalogError, with the importer and, where a limit stops the build, with every missing icon */
  source(request: IconRequest, importer?: string): Promise<IconSource>;
  /** Modules that were finished before, this build's own included. */
  finished(): Promise<FinishedModules>;
  /** The same once `finished` was there for the first time. */
  finishedNow(): FinishedModules | undefined;
  /** What earlier builds wrote about what they shipped. */
  keptFiles(): Promise<KeptFiles>;
  /** The catalog as credits and manifests name it. */
  catalog(): Promise<CatalogIdentity>;
  /** Says it once a build. */
  warn(message: string): void;
  /** Warns, once a build, where a licence forbids what was done to the icon, or has no version. */
  warnAbout(credit: Credit): void;
  readonly door: CatalogDoor;
  readonly build: BuildState;
  /** Writes what this run made into the render pack. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Lays the rooms in a row: store, catalog, svg. Nothing is opened before the first icon. */
export function createCorridor(
  options: ResolvedOptions,
  { log, fetch }: { log: Log; fetch?: FetchPort | undefined },
): Corridor {
  const door = createCatalogDoor(options, fetch);
  const build = createBuildState();
  const warn = (message: string): void => {
    if (build.first(message)) log.warn(message);
  };
  const once: Log = { ...log, warn };
  let opened: ReturnType<typeof open> | undefined;
  let finishedNow: FinishedModules | undefined;

  const ready = (): ReturnType<typeof open> => (opened ??= open());

  async function open() {
    const catalog = await catalogIdentity(options);
    const identity = hash([PIPELINE, GENERATOR.version, catalog.id, svgIdentity(options)]);
    const file = join(options.cacheDir, 'packs', hash([options.root, identity]));
    const pack = createRenderPack<Packed>({ file: `${file}.ndjson`, identity, log: once });
    // Finished modules hold credits, which the licence options shape, and components of one framework.
    const { framework, licenses } = options;
    const finishing = hash([identity, JSON.stringify([licenses, framework])]);
    const finished = join(options.cacheDir, 'packs', hash([options.root, finishing]));
    // A file of their own: a warm build reads nothing else.
    const values = createTextPack({ file: `${finished}.values`, identity: finishing, log: once });
    const records = createTextPack({ file: `${finished}.records`, identity: finishing, log: once });
    const keptFiles = createKeptFiles({
      dir: join(options.cacheDir, 'attribution'),
      owner: options.root,
      identity,
    });
    const store = createContentStore({ dir: join(options.cacheDir, 'content'), log });
    await values.open();
    const source = createSources(options, {
      pack,
      store,
      door,
      catalog: catalog.id,
      admit(record) {
        const { warning, topic } = checkLicense(record, options.licenses);
        // The file itself may state the version: its credit knows.
        if (topic !== 'version-not-stated' && warning !== undefined) warn(warning);
      },
      fetching: build.fetching,
      unpainted({ id, term }) {
        warn(
          `Icon ${id} ("${term}") keeps its own colours: it is drawn in two or more, and the catalog does not paint such files.`,
        );
      },
      prepared(id, master) {
        if (Object.keys(master.removed).length > 0) warn(describeRemovals(id, master.removed));
      },
    });
    finishedNow = createFinishedModules(options, { values, records });
    return {
      packs: [pack, values, records],
      pack,
      source,
      catalog,
      keptFiles,
      finished: finishedNow,
    };
  }

  return {
    door,
    build,
    warn,
    warnAbout(credit) {
      const { status, version } = credit.license;
      if (status === 'attribution' && version === null) build.versionNotStated(credit.id);
      const warning = checkChanges(credit);
      if (warning !== undefined) warn(warning);
    },
    catalog: async () => (await ready()).catalog,
    finished: async () => (await ready()).finished,
    finishedNow: () => finishedNow,
    keptFiles: async () => (await ready()).keptFiles,
    async source(request, importer) {
      const { pack, source } = await ready();
      await pack.open();
      build.asked(request);
      try {
        const found = await source(request);
        build.arrived(request);
        return found;
      } catch (error) {
        throw await build.explain(error, importer, (missing) =>
          nameRequest(missing, options.aliases),
        );
      }
    },
    async flush() {
      const { packs = [] } = (await opened) ?? {};
      for (const pack of packs) await pack.flush();
    },
    async close() {
      await door.close();
    },
  };
}

/** Options that change what a master is made of. Functions count by their text. */
function svgIdentity({ svg }: ResolvedOptions): string {
  const { optimize, strict, animation, maxBytes } = svg;
  return JSON.stringify({ optimize, strict, animation, maxBytes }, (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

function hash(parts: (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
