import type { CatalogClient, Icon } from '../../../src/client.ts';

export interface Credentials {
  key: string;
  secret: string;
}

/** A JSON answer; tests read the fields that they expect and fail where those are not there. */
export interface Answer {
  status: number;
  headers: Headers;
  /** The body as it came. */
  text: string;
  /** The parsed body; `undefined` where it is no JSON. */
  body: unknown;
}

export interface AskOptions {
  method?: string;
  body?: unknown;
  credentials?: Credentials;
  nonce?: string;
  /** Seconds since 1970. */
  timestamp?: number;
  /** Protocol parameters instead of the usual ones. */
  changes?: Readonly<Record<string, string | undefined>>;
  /** Where the signature stands. @default 'header' */
  transport?: 'header' | 'query' | 'none';
}

/** What only a service of our own lets a test do. */
export interface Embedded {
  /** Milliseconds since 1970; service and clients read it. */
  clock: { now: number };
  free: Credentials;
  /** Keys with a limit of two calls in the period. */
  limited: Readonly<Record<'hourly' | 'daily' | 'monthly', Credentials>>;
  /** A key that no other test has used. */
  take(access: 'free' | 'paid'): Credentials;
}

/** What the tests of reading have to look at: found by asking, so that any catalog will do. */
export interface Subjects {
  /** Icons of several searches, with addresses of their files. */
  icons: Icon[];
  publicDomain: Icon;
  /** A line icon with a line weight. */
  line: Icon;
  collectionId: string;
}

/** A service under test. */
export interface Target {
  name: string;
  baseUrl: string;
  client: CatalogClient;
  clientOf(credentials: Credentials): CatalogClient;
  /** Signs a path and sends it without the public client. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Fetches an address out of a record, unsigned. */
  fetchAsset(address: string): Promise<Response>;
  subjects(): Promise<Subjects>;
  /** Blacklists of the key may be overwritten. */
  mayWrite: boolean;
  hasV1(): Promise<boolean>;
  embedded?: Embedded;
  close(): Promise<void>;
}

/** The word that the searches of this suite begin with; every catalog of icons has it. */
export const WORD = 'arrow';

/** An id that no catalog gives: the last but one that fits into 32 bits. */
export const NO_ID = 2_147_483_646;
