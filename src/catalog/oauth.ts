import { createHmac, timingSafeEqual } from 'node:crypto';
import OAuth from 'oauth-1.0a';

/** A decoded name and its decoded value. */
export type Parameter = readonly [name: string, value: string];

export interface SignedRequest {
  method: string;
  /** Absolute address; the query counts, the fragment does not. */
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

/** The library's parameter objects cannot hold this name: it would leave the signature unnoticed. */
const UNSIGNABLE = '__proto__';

/** Encodes and normalises; signs nothing. */
const ANONYMOUS = signerOf('');

/** Percent-encoding of RFC 5849 section 3.6: everything but letters, digits and `-._~`. */
export function percentEncode(text: string): string {
  return ANONYMOUS.percentEncode(text);
}

/** Parameter string of RFC 5849 section 3.4.1.3.2. @throws TypeError for a name that no signer carries */
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
  return `OAuth ${signed.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`;
}

/** Compares in constant time. `secret` is the one that belongs to the request's key. */
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

/** The library adds these to the request's own; ours are all among the request's. */
function noData(): OAuth.Data {
  return Object.create(null) as OAuth.Data;
}

function signerOf(secret: string): OAuth {
  return new OAuth({
    consumer: { key: '', secret },
    signature_method: SIGNATURE_METHOD,
    hash_function: (base, key) => createHmac('sha1', key).update(base).digest('base64'),
  });
}

/**
 * The library cuts values at a second `=`, keeps `+`, chokes on a stray `%` and keeps the case of hosts:
 * it gets an address that WHATWG URL has normalised, and the decoded parameters apart from it.
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

export { parseAuthorization, MIN_NONCE_LENGTH } from './authorization.ts';
