import { resolve as toPath } from 'node:path';
import { checkOptions } from '../options/schema.ts';
import type { Options } from '../options/options.ts';
import { nameIcon } from '../request/reference.ts';
import { toIconId, withoutBundlerParameters } from '../request/key.ts';
import { sha256Hex } from '../store/hash.ts';
import { GENERATOR } from '../version.ts';
import { createAttribution } from './attribution-files.ts';
import { createBase, type SessionBase, type SessionState } from './session-state.ts';
import { createSprites } from './sprites.ts';
import { createImages } from './images.ts';
import {
  createKnownRequests,
  createLoadedIcons,
  createModules,
  type LoadedIcons,
  type SessionIcons,
} from './modules.ts';
import { createMissingIcons, shortPath, withoutFrames } from './failures.ts';
import {
  createSessionReports,
  pendingCreditsCode,
  type SessionReports,
} from './session-reports.ts';
import type { Session } from './session-interface.ts';
import type { PublishedSite, SessionLock } from './session-types.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { createSummary, type Summary } from './finish-build.ts';

/**
 * One bundler run's view of the pipeline. Options are checked at once; environment and root wait for `configure`,
 * since only the bundler knows them.
 * @param given by the project's own file if they are left out, and by `usual` if that says nothing
 * @throws IconCatalogError OPTIONS_INVALID
 */
export function createSession(
  given: Options | undefined,
  bundler: string,
  usual: Options = {},
): Session {
  checkOptions(given ?? {});
  const base = createBase(given, usual);
  const { config, ready } = base;
  const requests = createKnownRequests(base.parse);
  const missing = createMissingIcons(requests.importersOf);
  const ports = {
    request: (id: string) => requests.get(toIconId(id)).request,
    context: () => ({ pipeline: ready().shared.pipeline, options: ready().resolved }),
  };
  const attribution = createAttribution(ports);
  const { begin: beginSprites, ...sprites } = createSprites({
    ...ports,
    exchange: () => ready().shared.sprites,
  });
  const summary = createSummary(bundler);
  const loaded = createLoadedIcons();
  const icons: SessionIcons = { requests, missing, loaded };
  const images = createImages(() => {
    config.check();
    return ports.context();
  }, icons);
  const reports = createSessionReports({ ready, attribution, missing, loaded, ...ports });
  const { begin: beginReports, reported, ...reporting } = reports;

  return {
    config,
    resolvedOptions: () => ready().resolved,
    lock: sessionLock(ready),
    get fingerprint() {
      return fingerprintOf(config.options);
    },
    configure: base.configure,
    begin({ isDev = false } = {}) {
      missing.clear();
      ready().shared.begin();
      if (!isDev) ready().shared.pipeline.prefetch();
      beginReports();
      summary.start();
      loaded.begin();
      beginSprites();
    },
    missing() {
      const { shared, resolved } = ready();
      return withoutFrames(missing.error(shared.missing, resolved));
    },
    ...createModules(base, icons),
    ...images,
    ...reporting,
    pendingCreditsCode,
    ...sprites,
    sprite: (ids, build) => sprites.sprite(missing.leaveOut(ids), build),
    contribute: (usages) => void ready().shared.contributed.push(...usages),
    ...endMethods(base, { summary, reported, loaded }),
    async close() {
      await reports.settle();
      await base.release();
    },
  };
}

function endMethods(
  { config, ready }: SessionBase,
  {
    summary,
    reported,
    loaded,
  }: { summary: Summary; reported: SessionReports['reported']; loaded: LoadedIcons },
): Pick<Session, 'end' | 'declare'> {
  return {
    async end(files = [], { quiet = false, site } = {}) {
      const { shared, resolved, log } = ready();
      await shared.pipeline.flush();
      if (!quiet)
        summary.print({
          log,
          variants: loaded.recent(),
          pipeline: shared.pipeline,
          files: [...new Set([...reported().paths, ...files].map(shortPath))],
          waiting: reported().waiting,
          calls: shared.calls(),
          address: site && addressOf(site, resolved),
          site: site && resolved.root,
          nameOf: (id) => nameIcon(id, resolved),
        });
      shared.end();
    },
    async declare(specifiers) {
      try {
        config.check();
      } catch {
        // Each import reports what is wrong with the options.
        return;
      }
      const { resolved, shared, log } = ready();
      try {
        // A build without a watcher declares nothing.
        const { declareImports } = await import('../dts/declare-imports.ts');
        await declareImports(specifiers, { options: resolved, pipeline: shared.pipeline });
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        log.warn(`icon-catalog.d.ts was not written: ${said}`);
      }
    },
  };
}

function sessionLock(ready: () => SessionState): SessionLock {
  return {
    get files() {
      const { lockfile, vendor } = ready().resolved;
      return [lockfile.path, ...(vendor === undefined ? [] : [vendor.path])];
    },
    refresh: () => ready().shared.pipeline.begin(),
    async hash() {
      const { iconLock } = ready().shared.pipeline;
      return iconLock.open().then(
        () => iconLock.hash(),
        () => '',
      );
    },
  };
}

/** Where the published folder's page of credits is served, if this build puts it there. */
function addressOf(
  { folder, base }: PublishedSite,
  { attribution, site }: ResolvedOptions,
): string | undefined {
  if (attribution === false || attribution.html === false) return undefined;
  // A site with a relative base can lie anywhere.
  if (base === undefined || base.startsWith('.')) return undefined;
  if (folder === undefined || toPath(site.folder ?? folder) !== toPath(folder)) return undefined;
  return `${base.replace(/\/?$/, '/')}${attribution.html}`;
}

/** Imports of a page come in one burst, which is written once. */
const PAUSE = 300;

export interface TypeDeclarations {
  imported(specifier: string): void;
  /** Aliases and what imports stand for may have changed: aliases are written again, imports once they are reported. */
  forget(): void;
  /** What was not written yet is left to the next process. */
  drop(): void;
  /** Resolves once everything that was reported is written. */
  settle(): Promise<void>;
}

/** Keeps `icon-catalog.d.ts` in step with aliases and imports in dev servers and watchers, off the path of the modules. */
export function createTypeDeclarations(session: Pick<Session, 'declare'>): TypeDeclarations {
  const known = new Set<string>();
  let fresh: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function drop(): void {
    clearTimeout(timer);
    timer = undefined;
    fresh = [];
  }

  function write(): Promise<void> {
    if (timer === undefined) return writing;
    const specifiers = fresh;
    drop();
    writing = writing.then(() => session.declare(specifiers));
    return writing;
  }

  function plan(): void {
    // The process may end meanwhile: the next one writes what this one did not.
    timer ??= setTimeout(() => void write(), PAUSE).unref();
  }

  return {
    imported(specifier) {
      const written = withoutBundlerParameters(specifier);
      if (known.has(written)) return;
      known.add(written);
      fresh.push(written);
      plan();
    },
    forget() {
      known.clear();
      plan();
    },
    drop,
    settle: write,
  };
}

/**
 * Catalog and credentials are left out: which file an icon is and where its credit leads is the lock's to say, and module
 * ids that hold the fingerprint are the same on machines that have no catalog.
 */
function fingerprintOf(options: Options): string {
  const { svg, aliases, framework, defaults, licenses, attribution } = options;
  return fingerprint([svg, aliases, framework, defaults, licenses, attribution]);
}

/** Hash of this version and of values, of which functions count by their text. */
function fingerprint(shaping: readonly unknown[]): string {
  const text = JSON.stringify([GENERATOR.version, shaping], (_, value: unknown) =>
    typeof value === 'function' ? String(value) : sorted(value),
  );
  return sha256Hex(text).slice(0, 16);
}

/** Bundlers make names of module ids: options in another order must not change them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
