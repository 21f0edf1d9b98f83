import { createHmac, randomUUID } from 'node:crypto';

export type Parameter = [name: string, value: string];

export interface Draft {
  method: string;
  url: string;
  key: string;
  secret: string;
  nonce: string;
  /** Whole seconds since 1970. */
  timestamp: number;
  /** Protocol parameters beside or instead of the usual ones; `undefined` leaves one out. */
  changes?: Readonly<Record<string, string | undefined>> | undefined;
}

export function freshNonce(): string {
  return randomUUID().replaceAll('-', '');
}

/** RFC 5849 section 3.6. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** By code unit, as the RFC sorts encoded text. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * A signer of its own, written after RFC 5849 and sharing nothing with the house: what it signs, a service that follows the RFC
 * accepts. Returns the protocol parameters with their signature.
 */
export function sign({ method, url, key, secret, nonce, timestamp, changes }: Draft): Parameter[] {
  const protocol = Object.entries({
    oauth_consumer_key: key,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(timestamp),
    oauth_version: '1.0',
    ...changes,
  }).filter((entry): entry is Parameter => entry[1] !== undefined);
  const { origin, pathname, searchParams } = new URL(url);
  const normalized = [...searchParams, ...protocol]
    .map(([name, value]): Parameter => [encode(name), encode(value)])
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map((pair) => pair.join('='))
    .join('&');
  const base = [method, encode(`${origin}${pathname}`), encode(normalized)].join('&');
  const signature = createHmac('sha1', `${encode(secret)}&`)
    .update(base)
    .digest('base64');
  return [...protocol, ['oauth_signature', signature]];
}

export function toHeader(parameters: readonly Parameter[]): string {
  return `OAuth ${parameters.map(([name, value]) => `${encode(name)}="${encode(value)}"`).join(', ')}`;
}

export function toQuery(parameters: readonly Parameter[]): string {
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}
