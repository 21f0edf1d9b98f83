import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAuthorization } from '../../src/catalog/oauth.ts';
import { KEY, NOW, ORIGIN, createHarness } from './support.ts';

const SECONDS = Math.floor(NOW / 1000);
const PATH = '/v2/icon?query=arrow&limit=1';

interface Signed {
  method: string;
  path: string;
  key: string;
  secret: string;
  nonce: string;
  timestamp: number;
}
const signed: Signed = {
  method: 'GET',
  path: PATH,
  ...KEY,
  nonce: 'nonce-12345',
  timestamp: SECONDS,
};

function headerOf({ method, path, ...rest }: Signed): string {
  return createAuthorization({ method, url: `${ORIGIN}${path}`, ...rest });
}

async function send(authorization: string, { method = 'GET', path = PATH } = {}) {
  const harness = createHarness({ sets: ['maki'] });
  const response = await harness.server.fetch(
    new Request(`${ORIGIN}${path}`, { method, headers: { authorization } }),
  );
  return { status: response.status, text: await response.text() };
}

test('a right signature passes', async () => {
  expect((await send(headerOf(signed))).status).toBe(200);
});

describe('each change of one character is refused', () => {
  const header = headerOf(signed);
  const replaceIn = (name: string, change: (value: string) => string): string =>
    header.replace(
      new RegExp(`(${name}=")([^"]*)`),
      (_, start: string, value: string) => start + change(value),
    );
  const flip = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);

  test('in the query', async () => {
    for (const path of [
      '/v2/icon?query=arrov&limit=1',
      '/v2/icon?query=arrow&limit=2',
      '/v2/icon?query=arrow',
      `${PATH}&a=`,
      '/v2/icon?Query=arrow&limit=1',
    ]) {
      expect((await send(header, { path })).status, path).toBe(401);
    }
  });
  test('in the path', async () => {
    expect((await send(header, { path: PATH.replace('icon', 'collection') })).status).toBe(401);
    const id = headerOf({ ...signed, path: '/v2/icon/12' });
    expect((await send(id, { path: '/v2/icon/13' })).status).toBe(401);
  });
  test('in the method', async () => {
    const path = '/v2/client/blacklist/id';
    const post = headerOf({ ...signed, method: 'GET', path });
    expect((await send(post, { path, method: 'POST' })).status).toBe(401);
  });
  test('in the key', async () => {
    for (let at = 0; at < KEY.key.length; at++) {
      expect((await send(replaceIn('oauth_consumer_key', (value) => flip(value, at)))).status).toBe(
        401,
      );
    }
  });
  test('in the secret', async () => {
    for (let at = 0; at < KEY.secret.length; at++) {
      expect((await send(headerOf({ ...signed, secret: flip(KEY.secret, at) }))).status).toBe(401);
    }
  });
  test('in the nonce', async () => {
    for (let at = 0; at < signed.nonce.length; at++) {
      expect((await send(replaceIn('oauth_nonce', (value) => flip(value, at)))).status).toBe(401);
    }
  });
  test('in the timestamp', async () => {
    for (const change of [-1, 1, 10, 100]) {
      expect(
        (await send(replaceIn('oauth_timestamp', (value) => String(Number(value) + change))))
          .status,
      ).toBe(401);
    }
  });
  test('in the signature', async () => {
    const length = /oauth_signature="([^"]*)/.exec(header)?.[1]?.length ?? 0;
    expect(length).toBeGreaterThan(27);
    for (let at = 0; at < 27; at++) {
      expect((await send(replaceIn('oauth_signature', (value) => flip(value, at)))).status).toBe(
        401,
      );
    }
    expect((await send(replaceIn('oauth_signature', () => ''))).status).toBe(401);
  });
});

describe('refused although the signature is right', () => {
  test.each([
    ['a nonce of seven characters', { nonce: '1234567' }],
    ['a timestamp 301 s old', { timestamp: SECONDS - 301 }],
    ['a timestamp 301 s ahead', { timestamp: SECONDS + 301 }],
    ['an unknown key', { key: 'nobody' }],
  ])('%s', async (_, change) => {
    expect((await send(headerOf({ ...signed, ...change }))).status).toBe(401);
  });

  test.each([
    ['an old timestamp within 300 s', { timestamp: SECONDS - 300 }, 200],
    ['a timestamp ahead within 300 s', { timestamp: SECONDS + 300 }, 200],
    ['a nonce of eight characters', { nonce: '12345678' }, 200],
  ])('but %s passes', async (_, change, status) => {
    expect((await send(headerOf({ ...signed, ...change }))).status).toBe(status);
  });

  test('a replayed request, until its timestamp is stale', async () => {
    const harness = createHarness({ sets: ['maki'] });
    const options = { nonce: 'once-only-1', timestamp: SECONDS };
    expect((await harness.get(PATH, options)).status).toBe(200);
    for (const minutes of [0, 1, 2, 4.9]) {
      harness.clock.now = NOW + minutes * 60_000;
      const again = await harness.get(PATH, options);
      expect([again.status, again.body.message]).toEqual([401, 'oauth_nonce was used before.']);
    }
    harness.clock.now = NOW + 301_000;
    expect((await harness.get(PATH, options)).body.message).toMatch(/oauth_timestamp/);
    expect((await harness.get(PATH, { nonce: options.nonce })).status).toBe(200);
  });

  test('a request without a right signature uses up no nonce', async () => {
    const harness = createHarness({ sets: ['maki'] });
    const options = { nonce: 'once-only-2', timestamp: SECONDS };
    const wrong = { ...options, credentials: { ...KEY, secret: 'wrong' } };
    expect((await harness.get(PATH, wrong)).status).toBe(401);
    expect((await harness.get(PATH, options)).status).toBe(200);
  });
});

/** An independent signer: what RFC 5849 says, without the house's own code. */
function signByHand(
  parameters: [string, string][],
  path: string,
  query: [string, string][] = [],
): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const all = [...parameters, ...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const base = ['GET', encode(`${ORIGIN}${path}`), encode(all.join('&'))].join('&');
  return createHmac('sha1', `${encode(KEY.secret)}&`)
    .update(base)
    .digest('base64');
}

const protocol = (changes: Record<string, string | undefined> = {}): [string, string][] =>
  Object.entries({
    oauth_consumer_key: KEY.key,
    oauth_nonce: randomUUID(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(SECONDS),
    ...changes,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);

const toHeader = (parameters: [string, string][], signature: string): string =>
  `OAuth ${[...parameters, ['oauth_signature', signature]].map(([name, value]) => `${name}="${encodeURIComponent(value ?? '')}"`).join(', ')}`;

test.each([
  ['without oauth_version', {}, 200],
  ['oauth_version 1.0', { oauth_version: '1.0' }, 200],
  ['oauth_version 2.0', { oauth_version: '2.0' }, 401],
  ['HMAC-SHA256', { oauth_signature_method: 'HMAC-SHA256' }, 401],
  ['PLAINTEXT', { oauth_signature_method: 'PLAINTEXT' }, 401],
  ['an access token', { oauth_token: 'token' }, 401],
  ['no nonce', { oauth_nonce: undefined }, 401],
  ['no timestamp', { oauth_timestamp: undefined }, 401],
  ['a timestamp in words', { oauth_timestamp: 'now' }, 401],
])('signed by hand: %s', async (_, changes, status) => {
  const parameters = protocol(changes);
  const path = '/v2/client/usage';
  expect((await send(toHeader(parameters, signByHand(parameters, path)), { path })).status).toBe(
    status,
  );
});

test('parameters in the query pass, and change like those of the header', async () => {
  const harness = createHarness({ sets: ['maki'] });
  const parameters = protocol();
  const path = '/v2/client/usage';
  const query = new URLSearchParams([
    ...parameters,
    ['oauth_signature', signByHand(parameters, path)],
  ]);
  const ask = async (text: string): Promise<number> =>
    (await harness.server.fetch(new Request(`${ORIGIN}${path}?${text}`))).status;
  expect(await ask(`${query}&x=1`)).toBe(401);
  expect(await ask(`${query}&oauth_nonce=another-one`)).toBe(401);
  expect(
    await ask(String(query).replace(/oauth_timestamp=\d+/, `oauth_timestamp=${SECONDS + 1}`)),
  ).toBe(401);
  expect(await ask(String(query))).toBe(200);
  expect(await ask(String(query))).toBe(401);
});

test('parameters in both places, and one given twice, are refused', async () => {
  const parameters = protocol();
  const path = '/v2/client/usage';
  const header = toHeader(parameters, signByHand(parameters, path));
  expect((await send(header, { path: `${path}?oauth_version=1.0` })).status).toBe(401);
  expect((await send(`${header}, oauth_nonce="another-nonce"`, { path })).status).toBe(401);
  expect(
    (await send(header.replace('OAuth ', 'OAuth realm="https://x.test/", '), { path })).status,
  ).toBe(200);
});

test('unsigned and malformed requests are refused with a message and nothing that helps to forge', async () => {
  for (const authorization of [
    '',
    'Bearer x',
    'OAuth',
    'OAuth x',
    'OAuth oauth_nonce="%zz"',
    headerOf({ ...signed, secret: 'x' }),
  ]) {
    const { status, text } = await send(authorization);
    expect(status).toBe(401);
    expect(typeof (JSON.parse(text) as { message: unknown }).message).toBe('string');
    expect(text).not.toContain(KEY.secret);
    expect(text).not.toContain('&');
  }
});
