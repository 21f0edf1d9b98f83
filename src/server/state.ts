import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { IconCatalogError } from '../errors.ts';
import { type BlacklistRecord, emptyBlacklist } from './blacklist.ts';
import { HttpError } from './params.ts';
import { readText, writeWhole } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';

export interface KeptState {
  usage: UsageRecord;
  blacklist: BlacklistRecord;
}

/**
 * Blacklists and usage that survive a restart. On disk, in `stateDir`:
 *
 *     usage-<key digest>.json        { "version": 1, "usage": { "counts": {…}, "started": {…} } }
 *     blacklist-<key digest>.json    { "version": 1, "blacklist": { "collection_ids": […], … } }
 *
 * A key digest is the start of SHA-256 over the key, so that no key stands on disk. Files are written beside their
 * place and renamed into it: a killed process leaves the old file or the new one.
 */
export interface State {
  read(key: string): KeptState | undefined;
  /** Resolves when the current value, or a later one, is on disk. */
  saveUsage(key: string, usage: UsageRecord): Promise<void>;
  saveBlacklist(key: string, blacklist: BlacklistRecord): Promise<void>;
}

const NO_STATE: State = {
  read: () => undefined,
  saveUsage: () => Promise.resolve(),
  saveBlacklist: () => Promise.resolve(),
};

/** @throws OPTIONS_INVALID if the folder cannot be written or holds a file of something else */
export async function openState(
  folder: string | undefined,
  keys: readonly string[],
): Promise<State> {
  if (folder === undefined) return NO_STATE;
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw unusable(folder, 'cannot be created', cause);
  });
  const kept = new Map<string, KeptState>();
  for (const key of keys) {
    const usage = await readState({ folder, file: `usage-${digest(key)}.json`, schema: UsageFile });
    const blacklist = await readState({
      folder,
      file: `blacklist-${digest(key)}.json`,
      schema: BlacklistFile,
    });
    if (usage === undefined && blacklist === undefined) continue;
    kept.set(key, {
      usage: usage?.usage ?? emptyUsage(),
      blacklist: blacklist?.blacklist ?? emptyBlacklist(),
    });
  }
  const write = createWriter(folder);
  return {
    read: (key) => kept.get(key),
    saveUsage: (key, usage) => write(`usage-${digest(key)}.json`, () => ({ version: 1, usage })),
    saveBlacklist: (key, blacklist) =>
      write(`blacklist-${digest(key)}.json`, () => ({ version: 1, blacklist })),
  };
}

/** Makes one write at a time. Calls during a write share the next one, which has the value of the last call. */
function createWriter(folder: string): (file: string, content: () => object) => Promise<void> {
  const inTurn = pLimit(1);
  const waiting = new Map<string, Promise<void>>();
  const latest = new Map<string, () => object>();
  return (file, content) => {
    latest.set(file, content);
    const write =
      waiting.get(file) ??
      inTurn(async () => {
        waiting.delete(file);
        const text = `${JSON.stringify(latest.get(file)?.())}
`;
        await writeWhole(join(folder, file), text, { mode: 0o600 });
      });
    waiting.set(file, write);
    return write;
  };
}

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Counts = v.object({ hourly: Count, daily: Count, monthly: Count });
const UsageFile = v.object({
  version: v.literal(1),
  usage: v.object({ counts: Counts, started: Counts }),
});
const BlacklistFile = v.object({
  version: v.literal(1),
  blacklist: v.object({
    collection_ids: v.array(Count),
    icon_ids: v.array(Count),
    search_terms: v.array(v.string()),
  }),
});

async function readState<T>({
  folder,
  file,
  schema,
}: {
  folder: string;
  file: string;
  schema: v.GenericSchema<unknown, T>;
}): Promise<T | undefined> {
  const text = await readText(join(folder, file)).catch((cause: unknown) => {
    throw unusable(folder, `holds ${file}, which cannot be read`, cause);
  });
  if (text === undefined) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch (cause) {
    throw unusable(folder, `holds ${file}, which is damaged or from another version`, cause);
  }
}

function unusable(folder: string, fault: string, cause?: unknown): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `The folder ${folder} of the embedded catalog ${fault}.`,
    path: 'stateDir',
    remedy: 'Name another folder as `stateDir`, or delete the file.',
    cause,
  });
}

function digest(key: string): string {
  return sha256Hex(key).slice(0, 16);
}

export type Period = 'hourly' | 'daily' | 'monthly';
export type UsageCounts = Record<Period, number>;

/** Counts of one key; `started` are the beginnings of the periods that the counts belong to, milliseconds since 1970. */
export interface UsageRecord {
  counts: UsageCounts;
  started: UsageCounts;
}

export type UsageLimits = Record<Period, number | null>;

const PERIODS: readonly Period[] = ['hourly', 'daily', 'monthly'];

export function emptyUsage(): UsageRecord {
  return {
    counts: { hourly: 0, daily: 0, monthly: 0 },
    started: { hourly: 0, daily: 0, monthly: 0 },
  };
}

/** Counts of periods that are over go back to zero. Periods are UTC hours, days and months. */
export function renewUsage(usage: UsageRecord, now: number): void {
  for (const period of PERIODS) {
    const start = periodStart(period, now);
    if (usage.started[period] === start) continue;
    usage.started[period] = start;
    usage.counts[period] = 0;
  }
}

/**
 * Counts one call.
 * @throws 429 with `Retry-After` if the call would pass a limit; such a call is not counted
 */
export function countCall(usage: UsageRecord, limits: UsageLimits, now: number): void {
  renewUsage(usage, now);
  const passed = PERIODS.filter(
    (period) => usage.counts[period] >= (limits[period] ?? Number.POSITIVE_INFINITY),
  );
  const longest = passed.at(-1);
  if (longest !== undefined) {
    const seconds = Math.ceil((periodEnd(longest, now) - now) / 1000);
    throw new HttpError(
      429,
      `The ${longest} usage limit of ${limits[longest]} calls is exceeded.`,
      {
        'retry-after': String(seconds),
      },
    );
  }
  for (const period of PERIODS) usage.counts[period] += 1;
}

function periodStart(period: Period, now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (period === 'monthly') return Date.UTC(year, month);
  return period === 'daily'
    ? Date.UTC(year, month, day)
    : Date.UTC(year, month, day, date.getUTCHours());
}

function periodEnd(period: Period, now: number): number {
  const start = new Date(periodStart(period, now));
  if (period === 'monthly') return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return start.getTime() + (period === 'daily' ? 86_400_000 : 3_600_000);
}
