import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createAuthorization,
  createBaseString,
  createSignature,
  normalizeParameters,
  percentEncode,
  type Parameter,
  verifySignature,
} from '../../src/catalog/oauth.ts';
import vectors from './oauth-vectors.json' with { type: 'json' };

type Vector = (typeof vectors.signature_vectors)[number];

function pairs(list: readonly (readonly string[])[]): Parameter[] {
  return list.map(([name = '', value = '']): Parameter => [name, value]);
}

/** The vectors say what a signer of tokens and forms does; ours gets those parameters from outside. */
function requestOf(vector: Vector) {
  const parameters: Parameter[] = [
    ['oauth_consumer_key', vector.consumer_key],
    ['oauth_nonce', vector.nonce],
    ['oauth_signature_method', vector.signature_method],
    ['oauth_timestamp', vector.timestamp],
    ...pairs(vector.form_params),
    ...pairs(vector.extra_oauth_params),
  ];
  if (vector.oauth_version !== null) parameters.push(['oauth_version', vector.oauth_version]);
  if (vector.token !== null) parameters.push(['oauth_token', vector.token]);
  return { method: vector.method, url: vector.url, parameters };
}

const tokenless = vectors.signature_vectors.filter(
  ({ token, signature_method }) => token === null && signature_method === 'HMAC-SHA1',
);

describe('published vectors', () => {
  it('has some without a token to run', () => {
    expect(tokenless.length).toBeGreaterThanOrEqual(3);
  });

  it.each(tokenless)('$name: signature', (vector) => {
    expect(createSignature(requestOf(vector), vector.consumer_secret)).toBe(
      vector.expected_signature,
    );
  });

  it.each(vectors.signature_vectors)('$name: base string', (vector) => {
    const base = createBaseString(requestOf(vector));
    if (vector.expected_base_string !== null) expect(base).toBe(vector.expected_base_string);
    const key = `${percentEncode(vector.consumer_secret)}&${percentEncode(vector.token_secret ?? '')}`;
    const hash = vector.signature_method === 'HMAC-SHA256' ? 'sha256' : 'sha1';
    expect(createHmac(hash, key).update(base).digest('base64')).toBe(vector.expected_signature);
  });

  it.each(vectors.parameter_encoding.cases)('encodes $input as $expected', (encoding) => {
    expect(percentEncode(encoding.input)).toBe(encoding.expected);
  });

  it.each(vectors.normalized_parameters.cases)('normalises to $expected', (normalized) => {
    expect(normalizeParameters(pairs(normalized.params))).toBe(normalized.expected);
  });

  it.each(vectors.base_string_uri)(
    'base string URI of $request',
    ({ method, request, expected }) => {
      const base = createBaseString({ method, url: request, parameters: [] });
      expect(base.split('&')[1]).toBe(percentEncode(expected));
    },
  );
});

describe('createAuthorization', () => {
  it('writes the header that the wiki and the RFC describe', () => {
    const header = createAuthorization({
      method: 'GET',
      url: 'https://catalog.example/v2/icon?query=a%20b',
      key: 'a key',
      secret: 's',
      nonce: 'nonce-12345',
      timestamp: 1_700_000_000,
    });
    expect(header).toMatch(
      /^OAuth oauth_consumer_key="a%20key", oauth_nonce="nonce-12345", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", oauth_version="1.0", oauth_signature="[\w%]+"$/,
    );
  });
});

it('signs no parameter that an object cannot hold as its own, and trusts none', () => {
  const request = { method: 'GET', url: 'https://catalog.example/v2/icon' };
  const hostile: Parameter[] = [['__proto__', 'x']];
  expect(() => createSignature({ ...request, parameters: hostile }, 'secret')).toThrow(/__proto__/);
  const signature = createSignature({ ...request, parameters: [] }, 'secret');
  const signed = { ...request, signature, parameters: [] };
  expect(verifySignature(signed, 'secret')).toBe(true);
  expect(verifySignature({ ...signed, parameters: hostile }, 'secret')).toBe(false);
  expect(verifySignature({ ...signed, url: `${request.url}?__proto__=x` }, 'secret')).toBe(false);
});
