import { type BlacklistKind, type BlacklistRecord, writeBlacklist } from './blacklist.ts';
import type { Call } from './call.ts';
import { badRequest } from './http-error.ts';

/** Milliseconds for which GET answers what it answered before. */
const CACHE = 600_000;

/** GET blacklist. The interface caches it for ten minutes; filters and POST answers see changes at once. */
export function readBlacklistOf({ account, now }: Call): { blacklist: BlacklistRecord } {
  const kept = account.blacklistSnapshot;
  if (!kept || now >= kept.until || now < kept.until - CACHE) {
    account.blacklistSnapshot = { list: account.blacklist, until: now + CACHE };
  }
  return { blacklist: account.blacklistSnapshot?.list ?? account.blacklist };
}

/** Both POST calls: checks the body, writes, answers with the complete list after the change. */
export async function writeBlacklistOf(
  call: Call,
  kind: BlacklistKind,
): Promise<{ blacklist: BlacklistRecord }> {
  const { account, body, state } = call;
  const { entries, overwrite } = readBody(body, kind);
  account.blacklist = writeBlacklist({
    list: account.blacklist,
    kind,
    entries,
    overwrite,
    access: account.access,
  });
  await state.saveBlacklist(account.key, account.blacklist);
  return { blacklist: account.blacklist };
}

function readBody(
  body: unknown,
  kind: BlacklistKind,
): { entries: (number | string)[]; overwrite: boolean } {
  const isTerms = kind === 'search_terms';
  const { blacklist, overwrite = false } = isObject(body) ? body : {};
  const isEntry = isTerms ? isTerm : isId;
  if (!Array.isArray(blacklist) || !blacklist.every(isEntry)) {
    throw badRequest(
      `The body must be JSON with \`blacklist\`, an array of ${isTerms ? 'texts that are not empty' : 'integer ids'}.`,
    );
  }
  if (typeof overwrite !== 'boolean') throw badRequest('`overwrite` must be true or false.');
  return { entries: blacklist, overwrite };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTerm(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
