import { expect, it } from 'vitest';
import { createSigner } from '../../src/catalog/signer.ts';

const URL_OF_CALL = new URL('https://catalog.example/v2/icon/1');
const nonceOf = (authorization: string): string =>
  /oauth_nonce="([^"]*)"/.exec(authorization)?.[1] ?? '';

it('each signature has a nonce of its own, 128 bits of chance', () => {
  // One signer, and signers of other processes that sign in the same second.
  const signers = Array.from({ length: 20 }, () =>
    createSigner({ key: 'key', secret: 'secret', now: () => 1_700_000_000_000 }),
  );
  const nonces = signers.flatMap((signer) =>
    Array.from({ length: 100 }, () => nonceOf(signer.sign('GET', URL_OF_CALL).authorization)),
  );
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(nonces).size).toBe(2000);
  // No digit stands still, as it would if the nonces were numbered.
  for (let at = 0; at < 32; at += 1)
    expect(new Set(nonces.map((nonce) => nonce[at])).size, `digit ${at}`).toBe(16);
});

it.each([
  ['the secret holds the key', { key: 'key-1', secret: 'key-1-secret' }],
  ['the key holds the secret', { key: 'key-of-secret-1', secret: 'secret-1' }],
])('nothing is left of either in a text, also where %s', (_, pair) => {
  const { scrub } = createSigner({ ...pair, now: Date.now }).sign('GET', URL_OF_CALL);
  expect(scrub(`key ${pair.key}, secret ${pair.secret}.`)).toBe('key …, secret ….');
});

it('a nonce of the caller has at least 8 characters', () => {
  const sign = (nonce: string): string =>
    createSigner({ key: 'key', secret: 'secret', now: Date.now, nonce: () => nonce }).sign(
      'GET',
      URL_OF_CALL,
    ).authorization;
  expect(nonceOf(sign('12345678'))).toBe('12345678');
  expect(() => sign('1234567')).toThrow('A nonce must be text of at least 8 characters.');
});
