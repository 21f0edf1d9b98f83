import { setTimeout as wait } from 'node:timers/promises';
import { checkChanges, unacceptedConditions } from '../attribution/license/policy.ts';
import { copyError, type ErrorCode, IconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { suggest } from '../request/suggest.ts';
import type { Credit, IconRecord, IconRequest, LockEntry, Log } from '../types.ts';
import { isPublicHost } from '../untrusted.ts';
import { type CatalogDescription, warnOfNoSite } from './connection.ts';

/** Errors after which the catalog is not asked again in this build. */
const STOPPING: ReadonlySet<ErrorCode> = new Set(['CATALOG_USAGE_LIMIT', 'BUDGET_EXCEEDED']);
/** Errors after which it is not, if they are about the key or the whole catalog. */
const MAY_STOP: ReadonlySet<ErrorCode> = new Set([
  'CATALOG_UNAUTHORIZED',
  'CATALOG_FORBIDDEN',
  'CATALOG_UNAVAILABLE',
]);

/** What the end of a build reports about an icon, whether it was made now or by an earlier build. */
export interface IconNotes {
  /** False: the credit cannot name the version of its licence. */
  versionStated: boolean;
  /** True: no colour was asked for, and the drawing has several, which it keeps. */
  keepsColors: boolean;
  /** True: the licence asks for credit, and no attribution file is written. */
  creditMissing: boolean;
}

export interface BuildState {
  /** Reports it once a build. */
  warn(message: string): void;
  /** This icon costs a call: it does not come from a cache. */
  fetching(id: number): void;
  wasFetched(id: number): boolean;
  note(id: number | string, notes: IconNotes): void;
  /** Notes what the licence of an icon asks for, and warns of what it forbids and of what its credit lacks. */
  report(
    credit: Credit,
    about: {
      options: Pick<ResolvedOptions, 'licenses' | 'attribution'>;
      catalog: CatalogDescription;
      keepsColors?: boolean;
      record: IconRecord;
    },
  ): void;
  /** The project shows the credits of all icons itself. */
  creditsAreShown(): void;
  /** What is reported at the end of a build, one sentence each. */
  licenseWarnings(): string[];
  /** Those that are drawn in several colours and keep them, since no colour was asked for. */
  iconsWithOwnColors(): readonly number[];
  /** An icon was asked for; it is missing until the returned function is called. */
  asked(request: IconRequest): () => void;
  /** Makes the first error that ends the fetching name every icon that is still missing; hands others through. */
  explain(
    error: unknown,
    context: {
      importer: string | undefined;
      name: (request: IconRequest) => string;
      isStopped: () => boolean;
    },
  ): Promise<unknown>;
  reset(): void;
}

/** What one build remembers: what it already said, and which icons a limit left missing. */
export function createBuildState(log: Pick<Log, 'warn'>): BuildState {
  const fetched = new Set<number>();
  const withoutVersion = new Set<string>();
  const idsByConditions = new Map<string, Set<string>>();
  const withoutCredit = new Set<string>();
  let isCredited = false;
  const ownColors = new Set<string>();
  const said = new Set<string>();
  const missing = new Map<string, IconRequest>();
  let isNamed = false;

  function warn(message: string): void {
    if (!said.has(message)) log.warn(message);
    said.add(message);
  }

  function note(
    id: number | string,
    { versionStated, keepsColors, creditMissing }: IconNotes,
  ): void {
    if (!versionStated) withoutVersion.add(`${id}`);
    if (creditMissing) withoutCredit.add(`${id}`);
    if (keepsColors) ownColors.add(`${id}`);
  }

  return {
    warn,
    note,
    report(credit, { options: { licenses, attribution }, catalog, keepsColors = false, record }) {
      const { id, license } = credit;
      note(id, {
        versionStated: license.status !== 'attribution' || license.version !== null,
        keepsColors,
        creditMissing: credit.credit.required && attribution === false,
      });
      const conditions = unacceptedConditions(license, licenses.allow);
      if (conditions !== undefined)
        idsByConditions.set(conditions, (idsByConditions.get(conditions) ?? new Set()).add(id));
      const warnings = [
        checkChanges(credit),
        credit.source.url === null ? warnOfNoSite(catalog) : undefined,
        warnOfPrivateLinks(record),
      ];
      for (const warning of warnings) if (warning !== undefined) warn(warning);
    },
    fetching: (id) => void fetched.add(id),
    wasFetched: (id) => fetched.has(id),
    creditsAreShown: () => void (isCredited = true),
    licenseWarnings() {
      if (isCredited) withoutCredit.clear();
      return describeLicenses({ withoutVersion, idsByConditions, withoutCredit });
    },
    iconsWithOwnColors: () => Array.from(ownColors, Number).toSorted((a, b) => a - b),
    asked(request) {
      const { canonical } = request;
      missing.set(canonical, request);
      return () => missing.delete(canonical);
    },
    async explain(error, { importer, name, isStopped }) {
      if (!(error instanceof IconCatalogError)) return error;
      if (!STOPPING.has(error.code) && !MAY_STOP.has(error.code)) return error;
      // Answers that arrived at the same time are processed first, so that the message names only icons that are missing.
      await new Promise((resolve) => setImmediate(resolve));
      if (isNamed || !(STOPPING.has(error.code) || isStopped())) return error;
      isNamed = true;
      return withMissing(error, [...missing.values()].map(name).sort(), importer);
    },
    reset() {
      fetched.clear();
      withoutVersion.clear();
      idsByConditions.clear();
      withoutCredit.clear();
      isCredited = false;
      ownColors.clear();
      said.clear();
      missing.clear();
      isNamed = false;
    },
  };
}

function describeLicenses({
  withoutVersion,
  idsByConditions,
  withoutCredit,
}: {
  withoutVersion: ReadonlySet<string>;
  idsByConditions: ReadonlyMap<string, ReadonlySet<string>>;
  withoutCredit: ReadonlySet<string>;
}): string[] {
  const conditional = [...idsByConditions]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([conditions, ids]) =>
        `${count(ids.size)} under ${conditions}: ${listed(ids)}. If your project meets that, name the licence in \`licenses.allow\`, beside the others that may be shipped.`,
    );
  return [
    withoutVersion.size > 0 &&
      `${count(withoutVersion.size)} under Creative Commons Attribution, of which the catalog states no version: the credits say so and link to no licence text. If you know the version, say so in \`licenses.assert\`.`,
    ...conditional,
    withoutCredit.size > 0 &&
      `\`attribution\` is false, and ${count(withoutCredit.size)} of this build may be shown only with credit: ${listed(withoutCredit)}. Let the build write the attribution files, or show the records of \`icon:credits\`.`,
  ].filter((warning) => warning !== false);
}

function count(icons: number): string {
  return `${icons} icon${icons === 1 ? '' : 's'}`;
}

/** Icons that a warning names. */
const NAMED = 20;

function listed(ids: ReadonlySet<string>): string {
  const sorted = Array.from(ids, Number).toSorted((one, other) => one - other);
  const rest = sorted.length - NAMED;
  return `${sorted.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function withMissing(
  error: IconCatalogError,
  missing: readonly string[],
  importer: string | undefined,
): IconCatalogError {
  return copyError(error, {
    message: `${error.reason} Still missing: ${missing.join(', ')}.`,
    importer,
  });
}

/** Values that a warning names if none of them is near. */
const MOST_NAMED = 5;

/**
 * Keys of `licenses.assert` that no icon of the lock has: a value of `license_description`, or `collection:<id>`, each in a
 * sentence. The lock has the icons of all builds of a project, so that a key for another one of them is no mistake.
 *
 * @param entries is called only if there is such a key
 */
export function unusedAssertions(
  assert: Readonly<Record<string, unknown>>,
  { entries, lock }: { entries: () => Iterable<LockEntry>; lock: string },
): string[] {
  const keys = Object.keys(assert).filter((key) => !/^\d+$/.test(key));
  if (keys.length === 0) return [];
  const values = new Set<string>();
  const collections = new Set<string>();
  for (const entry of entries()) {
    values.add(entry.license_description);
    for (const { id } of entry.collections) collections.add(`collection:${id}`);
  }
  return keys.flatMap((key) => {
    const isCollection = key.startsWith('collection:');
    const known = isCollection ? collections : values;
    if (known.has(key)) return [];
    const what = isCollection ? 'is in that collection' : 'has that `license_description`';
    return `\`licenses.assert\` has the key ${JSON.stringify(key)}, but no icon of ${lock} ${what}.${hint(key, known)}`;
  });
}

function hint(key: string, known: ReadonlySet<string>): string {
  const nearest = suggest(key, known);
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(nearest)}?`;
  const said = [...known].filter((value) => value.trim() !== '').toSorted();
  if (said.length === 0) return '';
  const rest = said.length - MOST_NAMED;
  const names = said.slice(0, MOST_NAMED).map((value) => JSON.stringify(value));
  return ` Its icons have ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

export const LEVELS = ['silent', 'error', 'warn', 'info'] as const;

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

/** Runs one task a key at a time; further calls meanwhile get the same promise. Nothing is kept once it has settled. */
export function createSingleFlight(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, task: () => Promise<T>) => {
    const existing = running.get(key);
    if (existing !== undefined) return existing as Promise<T>;
    const started = task().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

/** Which links of a record credits leave out, since visitors of a site cannot open them. */
function warnOfPrivateLinks({
  permalink,
  creator,
  creator_url,
  license_url,
  collections,
}: IconRecord): string | undefined {
  const addresses = [permalink, creator.permalink, creator_url, license_url].concat(
    collections.map((collection) => collection.permalink),
  );
  const hosts = addresses.flatMap((address = '') =>
    /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).hostname : [],
  );
  const hidden = [...new Set(hosts.filter((host) => !isPublicHost(host)))].toSorted();
  return hidden.length === 0
    ? undefined
    : `Credits leave out links to ${hidden.join(', ')}, which records of the catalog name: visitors of a site cannot reach one machine or a private network.`;
}

/** Milliseconds in which some hundred files can be fetched. A catalog that does not answer takes no longer of a build either. */
const PATIENCE = 5000;

/** @param fetchAll stops where `isOver` is true, and may fail: an error is reported for the import of the icon */
export function createPrefetch(
  { budget, catalog, mode }: ResolvedOptions,
  warn: (message: string) => void,
  fetchAll: (isOver: () => boolean) => Promise<void>,
): { begin(): void; end(): void; settled(): Promise<boolean> } {
  /** Counts builds that prefetch, and their ends. */
  let building = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    begin() {
      // A budget is for the icons of this build, and the lock may name others.
      if (mode === 'offline' || catalog.kind === 'none' || budget !== undefined) return;
      const number = (building += 1);
      last = fetchAll(() => building !== number).catch(() => undefined);
    },
    end() {
      building += 1;
    },
    async settled() {
      const patience = new AbortController();
      const late = wait(PATIENCE, true, { signal: patience.signal }).catch(() => true);
      const isLate = await Promise.race([last.then(() => false), late]);
      patience.abort();
      if (isLate)
        warn(
          'The list of credits is not complete: files of the lock were still being fetched when it was written, and icons that only a library draws may be missing from it. Run `npx icon-catalog sync` before the build.',
        );
      return !isLate;
    },
  };
}
