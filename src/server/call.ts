import type { Account } from './accounts.ts';
import type { AssetAddresses } from './asset-addresses.ts';
import { type BlacklistFilter, createBlacklistFilter } from './blacklist.ts';
import type { Icon, Library } from './library.ts';
import type { Query } from './params.ts';
import { isPublicDomain } from './records.ts';
import type { IconSearch } from './search.ts';
import type { State } from './state.ts';

/** What all calls share. */
export interface Catalog {
  library: Library;
  search: IconSearch;
  addresses: AssetAddresses;
  state: State;
}

/** One authenticated and counted call. */
export interface Call extends Catalog {
  query: Query;
  /** Variables of the path, decoded; integers are checked to be integers. */
  path: Readonly<Record<string, string>>;
  /** The JSON body of a POST. */
  body: unknown;
  account: Account;
  origin: string;
  /** Milliseconds since 1970. */
  now: number;
}

export type Handler = (call: Call) => object | Promise<object>;

/** The blacklist of the key where the call asks for it. */
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

/** Temporary address of a file, where the key may have it. */
export function fileUrl(
  call: Call,
  icon: Icon,
  extension: '.svg' | '-1200.png',
): string | undefined {
  if (!mayHaveFile(call, icon)) return undefined;
  const { addresses, origin, now } = call;
  return addresses.signed({ origin, path: `/asset/icon/${icon.id}${extension}`, now });
}
