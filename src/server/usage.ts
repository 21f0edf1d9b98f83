import { HttpError } from './http-error.ts';

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
 * @throws 429 with `Retry-After` when the call would pass a limit; it is not counted then
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
