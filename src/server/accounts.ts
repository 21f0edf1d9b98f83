import { parseAuthorization, verifySignature } from '../catalog/oauth.ts';
import type { EmbeddedKey } from '../options/options.ts';
import { type BlacklistRecord, emptyBlacklist } from './blacklist.ts';
import { HttpError } from './params.ts';
import { emptyUsage, type State, type UsageLimits, type UsageRecord } from './state.ts';

export interface Account {
  key: string;
  secret: string;
  access: 'free' | 'paid';
  limits: UsageLimits;
  usage: UsageRecord;
  blacklist: BlacklistRecord;
  /** What GET answers for the ten minutes after it was first read. */
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

/** Seconds by which the timestamp of a request may differ from the server's clock. */
const WINDOW = 300;

/**
 * Creates the check of signed requests: HMAC-SHA1 without a token, a known key, a timestamp within
 * 300 s of the server's clock, and a nonce of at least 8 characters that the key has not used
 * within that window. A nonce counts as used only by a request whose signature is right, so a client
 * cannot use up another's nonces.
 *
 * @returns a function that gives the account of a request or throws 401
 */
export function createAuthenticator(
  accounts: ReadonlyMap<string, Account>,
): (request: Request, now: number) => Account {
  const isFresh = createNonceMemory();

  return (request, now) => {
    const reading = parseAuthorization({
      authorization: request.headers.get('authorization'),
      url: request.url,
    });
    if (!reading.ok) throw unauthorized(reading.reason);
    const { key, nonce, timestamp, signature, parameters } = reading.authorization;
    const account = accounts.get(key);
    if (!account) throw unauthorized('The client key is not known.');
    const seconds = Math.floor(now / 1000);
    if (Math.abs(seconds - timestamp) > WINDOW) {
      throw unauthorized(
        `oauth_timestamp is more than ${WINDOW} seconds from the clock of the catalog.`,
        now,
      );
    }
    if (
      !verifySignature(
        { method: request.method, url: request.url, parameters, signature },
        account.secret,
      )
    ) {
      throw unauthorized('The signature does not match the request.');
    }
    if (!isFresh(`${key} ${nonce}`, timestamp + WINDOW, seconds))
      throw unauthorized('oauth_nonce was used before.');
    return account;
  };
}

function unauthorized(message: string, now?: number): HttpError {
  return new HttpError(401, message, {
    'www-authenticate': 'OAuth realm="icon catalog"',
    // Clients correct a wrong clock by this header.
    ...(now !== undefined && { date: new Date(now).toUTCString() }),
  });
}

/**
 * Remembers nonces for as long as their timestamps are accepted, and forgets them once a minute. All times are in seconds.
 * @returns false if the nonce is still remembered
 */
function createNonceMemory(): (nonce: string, until: number, now: number) => boolean {
  const untilByNonce = new Map<string, number>();
  let swept = 0;
  return (nonce, until, now) => {
    if (Math.abs(now - swept) >= 60) {
      for (const [old, end] of untilByNonce) if (end < now) untilByNonce.delete(old);
      swept = now;
    }
    if ((untilByNonce.get(nonce) ?? Number.NEGATIVE_INFINITY) >= now) return false;
    untilByNonce.set(nonce, until);
    return true;
  };
}
