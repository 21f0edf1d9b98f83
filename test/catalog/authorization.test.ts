import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createAuthorization,
  createSignature,
  parseAuthorization,
  percentEncode,
  protocolParameters,
  verifySignature,
} from '../../src/catalog/oauth.ts';

const INPUT = {
  method: 'GET',
  url: 'https://catalog.example/v2/icon?query=caf%C3%A9%20au%20lait&limit=5',
  key: 'key-4711',
  secret: 'secret-0815',
  nonce: 'abcdefgh1234',
  timestamp: 1_763_716_211,
};

function check(
  authorization: string | null,
  { method = INPUT.method, url = INPUT.url, secret = INPUT.secret } = {},
): boolean {
  const reading = parseAuthorization({ authorization, url });
  if (!reading.ok) return false;
  const { parameters, signature } = reading.authorization;
  return verifySignature({ method, url, parameters, signature }, secret);
}

/** The text with one character changed, at every place. */
function changes(text: string): string[] {
  return Array.from(text, (character, index) => {
    const other = character === 'x' ? 'y' : 'x';
    return text.slice(0, index) + other + text.slice(index + 1);
  });
}

describe('verifySignature', () => {
  const header = createAuthorization(INPUT);

  it('accepts what createAuthorization signs, with a realm too', () => {
    expect(check(header)).toBe(true);
    expect(check(header.replace('OAuth ', 'oauth realm="icons, all of them",  '))).toBe(true);
  });

  it('accepts parameters in the query', () => {
    const { method, secret } = INPUT;
    const parameters = protocolParameters(INPUT);
    const signature = createSignature({ method, url: INPUT.url, parameters }, secret);
    const query = [...parameters, ['oauth_signature', signature] as const]
      .map(([name, value]) => `${name}=${percentEncode(value)}`)
      .join('&');
    expect(check(null, { url: `${INPUT.url}&${query}` })).toBe(true);
    expect(check('Basic abc', { url: `${INPUT.url}&${query}` })).toBe(true);
    expect(check(header, { url: `${INPUT.url}&${query}` })).toBe(false);
    expect(
      parseAuthorization({ authorization: header, url: `${INPUT.url}&oauth_callback=oob` }),
    ).toMatchObject({ ok: false, reason: expect.stringContaining('header and in the query') });
  });

  it('refuses every change of one character', () => {
    for (const method of changes('GET')) expect(check(header, { method })).toBe(false);
    for (const secret of changes(INPUT.secret)) expect(check(header, { secret })).toBe(false);
    const start = 'https://catalog.example'.length;
    for (const url of changes(INPUT.url).slice(start))
      expect([url, check(header, { url })]).toEqual([url, false]);
    for (const changed of changes(header).slice('OAuth '.length)) {
      expect([changed, check(changed)]).toEqual([changed, false]);
    }
  });

  it('refuses a query that holds what the signer cannot carry', () => {
    expect(check(header, { url: `${INPUT.url}&__proto__=1` })).toBe(false);
  });

  it('accepts any query and key that were signed, and no other query', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    const names = fc.constantFrom('query', 'a b', 'é', 'a', 'A', '!', 'a!');
    fc.assert(
      fc.property(fc.array(fc.tuple(names, text)), text, text, (pairs, key, secret) => {
        const query = pairs.map((pair) => pair.map(percentEncode).join('=')).join('&');
        const url = `https://catalog.example/v2/icon?${query}`;
        const authorization = createAuthorization({ ...INPUT, url, key, secret });
        expect(check(authorization, { url, secret })).toBe(true);
        expect(check(authorization, { url: `${url}&more=1`, secret })).toBe(false);
      }),
    );
  });
});

describe('parseAuthorization', () => {
  const header = createAuthorization(INPUT);

  it('reads what the header says', () => {
    expect(parseAuthorization({ authorization: header, url: INPUT.url })).toMatchObject({
      ok: true,
      authorization: {
        key: INPUT.key,
        nonce: INPUT.nonce,
        timestamp: INPUT.timestamp,
      },
    });
  });

  it.each([
    ['nothing', null, /not signed/],
    ['another scheme', 'Bearer abc', /not signed/],
    ['another method', header.replace('HMAC-SHA1', 'PLAINTEXT'), /HMAC-SHA1/],
    ['another version', header.replace('version="1.0"', 'version="2.0"'), /oauth_version/],
    ['no nonce', header.replace(INPUT.nonce, ''), /oauth_nonce is missing/],
    ['a short nonce', header.replace(INPUT.nonce, 'abc'), /fewer than 8/],
    ['a parameter twice', `${header}, oauth_nonce="abcdefgh1234"`, /twice/],
    ['no signature', header.replace(/, oauth_signature="[^"]*"/, ''), /oauth_signature is missing/],
    ['no key', header.replace(INPUT.key, ''), /oauth_consumer_key is missing/],
    ['a token', `${header}, oauth_token="abc"`, /token/],
    [
      'a timestamp in words',
      header.replace(String(INPUT.timestamp), 'yesterday'),
      /oauth_timestamp/,
    ],
    ['bad encoding', header.replace(INPUT.nonce, '%zz'), /not well-formed/],
    ['no quotes', header.replaceAll('"', ''), /not well-formed/],
  ])('refuses %s', (_, authorization, reason) => {
    const reading = parseAuthorization({ authorization, url: INPUT.url });
    expect(reading).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });
});
