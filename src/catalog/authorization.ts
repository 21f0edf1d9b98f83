import type { Parameter } from './oauth.ts';

/** What a request says about its own signing; nothing of it is checked against a key yet. */
interface ReadAuthorization {
  transport: 'header' | 'query';
  key: string;
  nonce: string;
  /** Whole seconds since 1970. */
  timestamp: number;
  signature: string;
  /** To be given to `verifySignature`: what the header adds to the query. */
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
    return refuse('Signature parameters stand in the header and in the query.');
  }
  return check(header.length > 0 ? 'header' : 'query', header, query);
}

function check(
  transport: 'header' | 'query',
  header: readonly Parameter[],
  query: readonly Parameter[],
): AuthorizationReading {
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
  if (value('oauth_token') !== '') return refuse('An access token is not supplied here.');
  if (value('oauth_nonce').length < MIN_NONCE_LENGTH) {
    return refuse(`oauth_nonce has fewer than ${MIN_NONCE_LENGTH} characters.`);
  }
  if (!/^[1-9]\d{0,14}$/.test(value('oauth_timestamp'))) {
    return refuse('oauth_timestamp is not a number of seconds.');
  }
  return {
    ok: true,
    authorization: {
      transport,
      key: value('oauth_consumer_key'),
      nonce: value('oauth_nonce'),
      timestamp: Number(value('oauth_timestamp')),
      signature: value('oauth_signature'),
      parameters: header.filter(([name]) => name !== 'oauth_signature'),
    },
  };
}

/** Pairs of an `OAuth …` header without `realm`; none for other schemes; `undefined` where it is malformed. */
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
    // Not UTF-8 in percent-encoding: the whole header is malformed.
    return undefined;
  }
}

function refuse(reason: string): AuthorizationReading {
  return { ok: false, reason };
}
