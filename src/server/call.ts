import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from './accounts.ts';
import { type BlacklistFilter, createBlacklistFilter } from './blacklist.ts';
import { type Icon, isPublicDomain, type Library } from './library.ts';
import type { Query } from './params.ts';
import type { IconSearch } from './search.ts';
import type { State } from './state.ts';

export interface Catalog {
  library: Library;
  search: IconSearch;
  addresses: AssetAddresses;
  state: State;
}

export interface Call extends Catalog {
  query: Query;
  /** The variables of the path, decoded. Integers were checked. */
  path: Readonly<Record<string, string>>;
  body: unknown;
  account: Account;
  origin: string;
  /** Milliseconds since 1970. */
  now: number;
}

export type Handler = (call: Call) => object | Promise<object>;

export function blacklistOf({ query, account }: Call): BlacklistFilter | undefined {
  return query.flag('blacklist') ? createBlacklistFilter(account.blacklist) : undefined;
}

/** Rule 5: free keys have the files of public-domain icons only. */
export function mayHaveFile({ account }: Call, icon: Icon): boolean {
  return account.access === 'paid' || isPublicDomain(icon);
}

export function thumbnailUrl({ origin }: Call, icon: Icon, size: number): string {
  return `${origin}/asset/thumbnail/${icon.id}-${size}.png`;
}

/** The temporary address of a file, if the key may have it. */
export function fileUrl(
  call: Call,
  icon: Icon,
  extension: '.svg' | '-1200.png',
): string | undefined {
  if (!mayHaveFile(call, icon)) return undefined;
  const { addresses, origin, now } = call;
  return addresses.signed({ origin, path: `/asset/icon/${icon.id}${extension}`, now });
}

/** Seconds for which a signed address lives: the interface says one hour. */
const LIFETIME = 3600;

interface AssetAddresses {
  signed(input: { origin: string; path: string; now: number }): string;
  /** Why a request for a signed path is refused; nothing if it may pass. */
  refusal(url: URL, now: number): string | undefined;
}

/**
 * Signs paths with a secret of this server; addresses expire exactly an hour after the call, or
 * when the server ends.
 */
export function createAssetAddresses(): AssetAddresses {
  const secret = randomBytes(32);
  const sign = (path: string, expires: string): Buffer =>
    createHmac('sha256', secret).update(`${path}\n${expires}`).digest();

  return {
    signed({ origin, path, now }) {
      const expires = String(Math.floor(now / 1000) + LIFETIME);
      return `${origin}${path}?Expires=${expires}&Signature=${sign(path, expires).toString('base64url')}`;
    },
    refusal({ pathname, searchParams }, now) {
      const expires = searchParams.get('Expires') ?? '';
      const given = Buffer.from(searchParams.get('Signature') ?? '', 'base64url');
      const expected = sign(pathname, expires);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        return 'The address is not signed by this catalog.';
      return now / 1000 < Number(expires)
        ? undefined
        : 'The address has expired; call the catalog for a new one.';
    },
  };
}
