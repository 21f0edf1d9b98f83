import { posix } from 'node:path';
import type { CatalogConnection } from '../pipeline/connection.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { iconIdOf } from '../request/key.ts';
import type { Log, ManifestBuild } from '../types.ts';
import { findLeftover } from './failures.ts';
import type { ReportOptions, Session } from './session-interface.ts';
import type { FoundUsage, OutputFile } from './session-types.ts';
import type { EmittedFile } from './search-outputs.ts';

/** What only the bundler knows about the output of a build that is over. */
export interface BuildOutput {
  build: ManifestBuild;
  report?: Omit<ReportOptions, 'outputs'>;
  /** Where each icon is; symbols are in the sprite file. Called first: it may still change the output. */
  usages(): readonly FoundUsage[] | Promise<readonly FoundUsage[]>;
  /** Every file of the output. Where the build is `requested`, they are not searched for icons. */
  files?(): Iterable<EmittedFile> | Promise<Iterable<EmittedFile>>;
  /** Puts the attribution files into the output, and returns their names for the summary. */
  write(files: readonly OutputFile[]): readonly string[] | Promise<readonly string[]>;
  /** Removes what the bundler has already written. Absent if it writes nothing before the build is finished. */
  remove?(): Promise<void>;
  /** How the session ends. */
  end?: Parameters<Session['end']>[1];
}

/**
 * The end of a build that did not fail before: nothing that holds a placeholder stays in the output, the attribution files
 * are in it, and the session ends once.
 *
 * @param parts what it has written into folders below that have lists of their own
 * @returns the files of credits that were written, absolute
 * @throws IconCatalogError for icons that the build may not have, and for those that cannot be credited
 */
export async function finishBuild(
  session: Session,
  output: BuildOutput,
  parts: readonly BuildOutput[] = [],
): Promise<string[]> {
  await failIfMissing(session, () => output.remove?.());
  let shown: readonly string[];
  let settled: string[];
  try {
    shown = await creditOutput(session, output);
    for (const part of parts) await creditOutput(session, part);
    settled = await session.settle();
  } catch (error) {
    await abandonBuild(session);
    throw error;
  }
  await session.end(shown, output.end);
  return settled;
}

/**
 * The parts of `finishBuild` for bundlers that give each of them a hook of its own.
 *
 * @param remove removes what was written: a folder with placeholders must not pass for a build
 */
export async function failIfMissing(
  session: Pick<Session, 'missing' | 'end'>,
  remove?: () => Promise<void> | undefined,
): Promise<void> {
  const missing = session.missing();
  if (missing === undefined) return;
  await remove?.();
  await abandonBuild(session);
  throw missing;
}

/** Makes the attribution files and gives them to the bundler. @returns their names for the summary */
export async function creditOutput(
  session: Pick<Session, 'attributionFiles'>,
  { build, report, usages, files, write }: BuildOutput,
): Promise<readonly string[]> {
  const found = await usages();
  const outputs = files && [...(await files())];
  const leftover = findLeftover(outputs ?? []);
  if (leftover !== undefined) throw leftover;
  const isSearched = outputs !== undefined && build.precision !== 'requested';
  const options = { ...report, ...(isSearched && { outputs }) };
  return write(await session.attributionFiles(found, build, options));
}

/** The build failed. What was fetched before the error is kept, so that the next build does not pay for it again. */
export async function abandonBuild(session: Pick<Session, 'end'>): Promise<void> {
  // What keeps the session from ending has stopped the build: wrong options are reported already.
  await session.end([], { quiet: true }).catch(() => undefined);
}

export interface Summary {
  start(): void;
  /** Says what the build did in one line, and warns from 90 % of the monthly limit. */
  print(input: {
    log: Log;
    /** Short names of the variants that were loaded, or shipped without being loaded. */
    variants: ReadonlySet<string>;
    pipeline: Pick<Pipeline, 'build' | 'connection' | 'licenseWarnings'>;
    calls: { round: object; from: number; to: number };
    /** Attribution files, as somebody in the project would type their paths. */
    files: readonly string[];
    /** Where the site serves its page of credits. */
    address?: string | undefined;
    /** What the project calls an icon. */
    nameOf: (id: number) => string;
    /** Ids of builds that the list of the site still lacks. */
    waiting: readonly string[];
    /** The project, if further builds of it may follow in this process: one line speaks for all of them, once it ends. */
    site?: string | undefined;
  }): void;
}

/** What the builds of one line did. */
interface Totals {
  bundler: string;
  log: Log;
  variants: Set<string>;
  fetched: Set<number>;
  calls: Map<object, { from: number; to: number }>;
  startedAt: number;
  endedAt: number;
  ownColors: Set<string>;
  usage: ReturnType<CatalogConnection['usage']>;
  files: Set<string>;
  addresses: Set<string>;
  waiting: readonly string[];
}

/** Share of the monthly limit from which every build warns. */
const NEARLY_USED_UP = 0.9;
/** Icons that the line names one by one. */
const NAMED = 10;

/** By project. */
const unfinished = new Map<string, Totals>();
let isAwaited = false;

/** Prints the lines of all sites that this process has built. */
export function printSummaries(): void {
  for (const totals of unfinished.values()) say(totals);
  unfinished.clear();
}

/** Counts one build for its last line. */
export function createSummary(bundler: string): Summary {
  let startedAt = performance.now();

  return {
    start() {
      startedAt = performance.now();
    },
    print({ site, ...input }) {
      if (input.variants.size === 0 && input.files.length === 0) return;
      const { log, pipeline } = input;
      for (const warning of pipeline.licenseWarnings()) log.warn(warning);
      const before = site === undefined ? undefined : unfinished.get(site);
      const totals: Totals = before ?? {
        bundler,
        log,
        variants: new Set(),
        fetched: new Set(),
        calls: new Map(),
        startedAt,
        endedAt: 0,
        ownColors: new Set(),
        usage: undefined,
        files: new Set(),
        addresses: new Set(),
        waiting: [],
      };
      add(totals, input);
      if (site === undefined) return say(totals);
      unfinished.set(site, totals);
      if (isAwaited) return;
      isAwaited = true;
      // What fails after this build has its own last word.
      process.once('exit', (code) => {
        if (code === 0) printSummaries();
      });
    },
  };
}

function add(
  totals: Totals,
  {
    log,
    variants,
    pipeline: { connection, build },
    calls,
    ...input
  }: Omit<Parameters<Summary['print']>[0], 'site'>,
): void {
  const { from, to } = totals.calls.get(calls.round) ?? calls;
  totals.calls.set(calls.round, {
    from: Math.min(from, calls.from),
    to: Math.max(to, calls.to),
  });
  for (const variant of variants) {
    totals.variants.add(variant);
    const id = Number(iconIdOf(variant));
    if (build.wasFetched(id)) totals.fetched.add(id);
  }
  for (const id of build.iconsWithOwnColors()) totals.ownColors.add(input.nameOf(id));
  for (const file of input.files) totals.files.add(file);
  if (input.address !== undefined) totals.addresses.add(input.address);
  const usage = calls.to > calls.from ? connection.usage() : undefined;
  Object.assign(totals, {
    log,
    endedAt: performance.now(),
    usage: usage ?? totals.usage,
    waiting: input.waiting,
  });
}

function say({ bundler, log, variants, usage, waiting, ...totals }: Totals): void {
  const icons = new Set([...variants].map((id) => Number(iconIdOf(id))));
  const files = totals.addresses.size > 0 ? [...totals.addresses] : outermost([...totals.files]);
  const calls = [...totals.calls.values()].reduce((sum, { from, to }) => sum + to - from, 0);
  const parts = [
    `${count(icons.size, 'icon')} in ${count(variants.size, 'variant')}`,
    count(calls, 'signed call'),
    `${[...icons].filter((id) => !totals.fetched.has(id)).length} from cache`,
    `${((totals.endedAt - totals.startedAt) / 1000).toFixed(2)} s`,
    describeOwnColors([...totals.ownColors]),
    usage && `${usage.usage} of ${usage.limit} calls used this month`,
    files.length > 0 ? `attribution: ${files.join(', ')}` : undefined,
    waiting.length > 0
      ? `not complete before these builds have run: ${waiting.join(', ')}`
      : undefined,
  ];
  log.info(`${bundler}: ${parts.filter((part) => part !== undefined).join(' · ')}`);
  if (usage !== undefined && usage.limit > 0 && usage.usage >= usage.limit * NEARLY_USED_UP) {
    const percent = Math.floor((usage.usage / usage.limit) * 100);
    log.warn(`${percent} % of this month's ${usage.limit} calls are used up.`);
  }
}

/** A list speaks for the folders in its own. */
function outermost(files: readonly string[]): string[] {
  return files.filter((file) => {
    const folder = posix.dirname(file);
    return !files.some(
      (other) =>
        posix.basename(other) === posix.basename(file) &&
        folder.startsWith(`${posix.dirname(other)}/`),
    );
  });
}

/** Drawings of several colours that were imported without a colour. */
function describeOwnColors(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rest = names.length - NAMED;
  return `in their own colours: ${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
