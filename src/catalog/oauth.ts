import { createHmac, timingSafeEqual } from 'node:crypto';
import OAuth from 'oauth-1.0a';

/** A decoded name and its decoded value. */
export type Parameter = readonly [name: string, value: string];

export interface SignedRequest {
  method: string;
  /** An absolute address, with its query and without its fragment. */
  url: string | URL;
  /** Protocol parameters, and form-encoded ones of the body. A JSON body is never signed. */
  parameters: readonly Parameter[];
}

export interface AuthorizationInput {
  method: string;
  url: string | URL;
  key: string;
  secret: string;
  /** At least 8 characters, never used before with this timestamp. */
  nonce: string;
  /** Whole seconds since 1970. */
  timestamp: number;
}

const SIGNATURE_METHOD = 'HMAC-SHA1';

/** The library's parameter objects cannot hold this name: it would be missing in the signature without an error. */
const UNSIGNABLE = '__proto__';

/** Encodes and normalises, but signs nothing. */
const ANONYMOUS = signerOf('');

/** Percent-encoding of RFC 5849 section 3.6: everything but letters, digits and `-._~`. */
export function percentEncode(text: string): string {
  return ANONYMOUS.percentEncode(text);
}

/** Text that needs no encoding. */
const UNRESERVED = /^[\w.~-]*$/;

/** Parameter string of RFC 5849 section 3.4.1.3.2. @throws TypeError for a name that the signer cannot represent */
export function normalizeParameters(parameters: readonly Parameter[]): string {
  return ANONYMOUS.getParameterString(
    { method: 'GET', url: '', data: group(parameters) },
    noData(),
  );
}

/** Signature base string of RFC 5849 section 3.4.1. */
export function createBaseString(request: SignedRequest): string {
  return ANONYMOUS.getBaseString(toLibraryRequest(request), noData());
}

/** HMAC-SHA1 signature in base64, without a token (one-legged). */
export function createSignature(request: SignedRequest, secret: string): string {
  return signerOf(secret).getSignature(toLibraryRequest(request), undefined, noData());
}

/** The protocol parameters of a one-legged request, without the signature. */
export function protocolParameters(input: {
  key: string;
  nonce: string;
  timestamp: number;
}): Parameter[] {
  return [
    ['oauth_consumer_key', input.key],
    ['oauth_nonce', input.nonce],
    ['oauth_signature_method', SIGNATURE_METHOD],
    ['oauth_timestamp', String(input.timestamp)],
    ['oauth_version', '1.0'],
  ];
}

/** Value of the `Authorization` header (RFC 5849 section 3.5.1). */
export function createAuthorization(input: AuthorizationInput): string {
  const { method, url, secret } = input;
  const parameters = protocolParameters(input);
  const signature = createSignature({ method, url, parameters }, secret);
  const signed: Parameter[] = [...parameters, ['oauth_signature', signature]];
  return `OAuth ${signed.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}

/** Compares in constant time. `secret` belongs to the request's key. */
export function verifySignature(
  request: SignedRequest & { signature: string },
  secret: string,
): boolean {
  if (request.parameters.some(([name]) => name === UNSIGNABLE)) return false;
  if (new URL(request.url).searchParams.has(UNSIGNABLE)) return false;
  const expected = Buffer.from(createSignature(request, secret));
  const given = Buffer.from(request.signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The library adds these to the request's own parameters; ours are all part of the request already. */
function noData(): OAuth.Data {
  return Object.create(null) as OAuth.Data;
}

function signerOf(secret: string): OAuth {
  const oauth = new OAuth({
    consumer: { key: '', secret },
    signature_method: SIGNATURE_METHOD,
    hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
  });
  // The library replaces each reserved character in a pass of its own, in every name and value of every call.
  const { percentEncode: encode } = oauth;
  oauth.percentEncode = (text) => (UNRESERVED.test(text) ? text : encode(text));
  return oauth;
}

/**
 * The library cuts values at a second `=`, keeps `+`, fails on a stray `%` and keeps the case of hosts. It therefore
 * gets an address that WHATWG URL has normalised, and the decoded parameters separately.
 */
function toLibraryRequest({ method, url, parameters }: SignedRequest): OAuth.RequestOptions {
  const { origin, pathname, searchParams } = new URL(url);
  const all = [...searchParams, ...parameters].filter(([name]) => name !== 'oauth_signature');
  return { method, url: `${origin}${pathname}`, data: group(all) };
}

function group(parameters: readonly Parameter[]): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const [name, value] of parameters) {
    if (name === UNSIGNABLE)
      throw new TypeError(`A parameter named ${UNSIGNABLE} cannot be signed.`);
    if (Object.hasOwn(grouped, name)) grouped[name]?.push(value);
    else grouped[name] = [value];
  }
  return grouped;
}

/** What a request states about its own signature; nothing of it is checked against a key yet. */
interface ReadAuthorization {
  key: string;
  nonce: string;
  /** Whole seconds since 1970. */
  timestamp: number;
  signature: string;
  /** For `verifySignature`: the parameters that the header adds to the query. */
  parameters: Parameter[];
}

type AuthorizationReading =
  | { ok: true; authorization: ReadAuthorization }
  | { ok: false; reason: string };

const REQUIRED = [
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_timestamp',
] as const;

/** Shortest nonce that the interface allows. */
export const MIN_NONCE_LENGTH = 8;

/**
 * Reads the protocol parameters from the `Authorization` header or the query (RFC 5849 section 3.5).
 * Refused: both places at once, a parameter twice, other signature methods, short nonces, tokens.
 */
export function parseAuthorization(input: {
  authorization: string | null;
  url: string | URL;
}): AuthorizationReading {
  const header = parseHeader(input.authorization);
  if (header === undefined) return refuse('The Authorization header is not well-formed.');
  const query = [...new URL(input.url).searchParams].filter(([name]) => name.startsWith('oauth_'));
  if (header.length === 0 && query.length === 0) return refuse('The request is not signed.');
  if (header.length > 0 && query.length > 0) {
    return refuse('Signature parameters are in the header and in the query.');
  }
  return check(header, query);
}

function check(header: readonly Parameter[], query: readonly Parameter[]): AuthorizationReading {
  const all = [...header, ...query];
  const values = new Map(all);
  if (values.size < all.length) return refuse('A signature parameter is given twice.');
  for (const name of REQUIRED) if (!values.get(name)) return refuse(`${name} is missing.`);
  const value = (name: string): string => values.get(name) ?? '';
  if (value('oauth_signature_method') !== 'HMAC-SHA1') {
    return refuse('oauth_signature_method is not HMAC-SHA1.');
  }
  if (values.has('oauth_version') && value('oauth_version') !== '1.0') {
    return refuse('oauth_version is not 1.0.');
  }
  if (value('oauth_token') !== '')
    return refuse('The request has an access token, which this interface does not use.');
  if (value('oauth_nonce').length < MIN_NONCE_LENGTH) {
    return refuse(`oauth_nonce has fewer than ${MIN_NONCE_LENGTH} characters.`);
  }
  if (!/^[1-9]\d{0,14}$/.test(value('oauth_timestamp'))) {
    return refuse('oauth_timestamp is not a number of seconds.');
  }
  return {
    ok: true,
    authorization: {
      key: value('oauth_consumer_key'),
      nonce: value('oauth_nonce'),
      timestamp: Number(value('oauth_timestamp')),
      signature: value('oauth_signature'),
      parameters: header.filter(([name]) => name !== 'oauth_signature'),
    },
  };
}

/** Pairs of an `OAuth …` header without `realm`; none for other schemes; `undefined` if it is malformed. */
function parseHeader(header: string | null): Parameter[] | undefined {
  const scheme = /^OAuth(?:\s+|$)/i.exec(header ?? '');
  if (header === null || scheme === null) return [];
  const rest = header.slice(scheme[0].length).trim();
  if (rest === '') return [];
  const pairs: Parameter[] = [];
  const pair = /\s*([^\s="]+)="([^"]*)"\s*(?:,|$)/y;
  while (pair.lastIndex < rest.length) {
    const match = pair.exec(rest);
    if (match === null) return undefined;
    if (match[1]?.toLowerCase() === 'realm') continue;
    const name = decode(match[1]);
    const value = decode(match[2]);
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    // The percent-encoding is not UTF-8: the whole header is malformed.
    return undefined;
  }
}

function refuse(reason: string): AuthorizationReading {
  return { ok: false, reason };
}
