import type { EmbeddedKey } from '../options.ts';
import { type BlacklistRecord, emptyBlacklist } from './blacklist.ts';
import type { State } from './state.ts';
import { type UsageLimits, type UsageRecord, emptyUsage } from './usage.ts';

/** A client key with what it may do and what it has done. */
export interface Account {
  key: string;
  secret: string;
  access: 'free' | 'paid';
  limits: UsageLimits;
  usage: UsageRecord;
  blacklist: BlacklistRecord;
  /** What GET answers for ten minutes after it was read. */
  blacklistSnapshot: { list: BlacklistRecord; until: number } | undefined;
}

const DEFAULT_MONTHLY_LIMIT = 5000;

export function createAccounts(keys: readonly EmbeddedKey[], state: State): Map<string, Account> {
  const accounts = keys.map((entry): Account => {
    const kept = state.read(entry.key);
    return {
      key: entry.key,
      secret: entry.secret,
      access: entry.access ?? 'paid',
      limits: {
        hourly: entry.hourlyLimit ?? null,
        daily: entry.dailyLimit ?? null,
        monthly: entry.monthlyLimit ?? DEFAULT_MONTHLY_LIMIT,
      },
      usage: kept?.usage ?? emptyUsage(),
      blacklist: kept?.blacklist ?? emptyBlacklist(),
      blacklistSnapshot: undefined,
    };
  });
  return new Map(accounts.map((account) => [account.key, account]));
}
