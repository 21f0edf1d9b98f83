import { describe, expect, test } from 'vitest';
import { createCatalogServer } from '../../src/server.ts';
import { createAccounts, createAuthenticator } from '../../src/server/accounts.ts';
import { openState } from '../../src/server/state.ts';
import vectors from '../catalog/oauth-vectors.json' with { type: 'json' };
import { checkTargets, embedded } from './support/conformance.ts';
import { freshNonce, sign, toHeader, toQuery, type Draft, type Parameter } from './support/sign.ts';

type Vector = (typeof vectors.signature_vectors)[number];
type Transport = 'header' | 'query';

const TRANSPORTS: Transport[] = ['header', 'query'];
const NOW: number = Date.UTC(2026, 2, 4, 5, 6, 7, 89);

/** The check of signatures as the server has it, for keys with a secret. */
async function createCheck(keys: { key: string; secret: string }[]) {
  const authenticate = createAuthenticator(createAccounts(keys, await openState(undefined, [])));
  return (request: Request, now: number): string => {
    try {
      return authenticate(request, now).key;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

function toRequest(
  { method, url }: { method: string; url: string },
  parameters: readonly Parameter[],
  transport: Transport,
): Request {
  if (transport === 'header')
    return new Request(url, { method, headers: { authorization: toHeader(parameters) } });
  return new Request(`${url}${url.includes('?') ? '&' : '?'}${toQuery(parameters)}`, { method });
}

/** The parameters that a vector publishes, with its signature. */
function parametersOf(vector: Vector): Parameter[] {
  const pairs = [
    ['oauth_consumer_key', vector.consumer_key],
    ['oauth_nonce', vector.nonce],
    ['oauth_signature_method', vector.signature_method],
    ['oauth_timestamp', vector.timestamp],
    ['oauth_version', vector.oauth_version],
    ['oauth_token', vector.token],
    ...vector.extra_oauth_params,
    ['oauth_signature', vector.expected_signature],
  ];
  return pairs.filter((pair): pair is Parameter => typeof pair[1] === 'string');
}

describe.each(TRANSPORTS)('published vectors in the %s', (transport) => {
  const oneLegged = vectors.signature_vectors.filter(
    ({ token, signature_method }) => token === null && signature_method === 'HMAC-SHA1',
  );

  async function verdictOn(vector: Vector): Promise<string> {
    const check = await createCheck([{ key: vector.consumer_key, secret: vector.consumer_secret }]);
    const now = Number(vector.timestamp) * 1000;
    return check(toRequest(vector, parametersOf(vector), transport), now);
  }

  test.each(oneLegged.filter(({ nonce }) => nonce.length >= 8))('$name passes', async (vector) => {
    expect(await verdictOn(vector)).toBe(vector.consumer_key);
  });

  test.each(oneLegged.filter(({ nonce }) => nonce.length < 8))(
    '$name has a nonce that the interface does not allow',
    async (vector) => {
      expect(await verdictOn(vector)).toMatch(/fewer than 8/);
    },
  );

  test.each(
    vectors.signature_vectors.filter(({ signature_method }) => signature_method !== 'HMAC-SHA1'),
  )('$name has another method', async (vector) => {
    expect(await verdictOn(vector)).toMatch(/not HMAC-SHA1/);
  });

  test.each(
    vectors.signature_vectors.filter(
      ({ token, signature_method }) => token !== null && signature_method === 'HMAC-SHA1',
    ),
  )('$name has an access token', async (vector) => {
    expect(await verdictOn(vector)).not.toBe(vector.consumer_key);
  });
});

/** The text with one character changed, dropped or added, at every place from `start` on. */
function changesOf(text: string, start = 0): string[] {
  const changed: string[] = [];
  for (let at = start; at < text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    for (const other of ['1', 'x', 'Z'])
      if (other !== text[at]) changed.push(before + other + after);
    changed.push(before + after, `${before}x${text[at]}${after}`);
  }
  return [...changed, `${text}1`];
}

describe.each(TRANSPORTS)('a change of one character, signed in the %s', (transport) => {
  const origin = 'http://catalog.test';
  const draft: Draft = {
    method: 'GET',
    url: `${origin}/v2/icon?query=caf%C3%A9%20arrow&limit=1`,
    key: 'key-4711',
    secret: 'secret-0815',
    nonce: 'nonce-abcdef',
    timestamp: Math.floor(NOW / 1000),
  };
  const keys = [draft, { key: 'key-4712', secret: 'another' }];

  /** Every variant is refused, and what it is a variant of passes: so it was the change. */
  async function expectRefusals(variants: readonly (() => Request)[]): Promise<void> {
    const check = await createCheck(keys);
    expect(variants.length).toBeGreaterThan(0);
    for (const variant of variants) {
      const request = variant();
      expect([request.url, check(request, NOW)]).not.toContain(draft.key);
    }
    expect(check(toRequest(draft, sign(draft), transport), NOW)).toBe(draft.key);
    expect(check(toRequest(draft, sign(draft), transport), NOW)).toMatch(/used before/);
  }

  const parameters = sign(draft);
  const changed = (name: string, values: string[]) =>
    values.map((value) => (): Request => {
      const others = parameters.map(([known, old]): Parameter => [
        known,
        known === name ? value : old,
      ]);
      return toRequest(draft, others, transport);
    });
  const [path = '', query = ''] = draft.url.slice(origin.length).split('?');

  test('of the method', () =>
    expectRefusals(
      changesOf(draft.method)
        .filter((method) => !/^(?:connect|trace|track)$/i.test(method))
        .map((method) => () => toRequest({ ...draft, method }, parameters, transport)),
    ));
  test('of the path', () =>
    expectRefusals(
      changesOf(path, 1).map(
        (other) => () =>
          toRequest({ ...draft, url: `${origin}${other}?${query}` }, parameters, transport),
      ),
    ));
  test('of the query', () =>
    expectRefusals(
      changesOf(query).map(
        (other) => () =>
          toRequest({ ...draft, url: `${origin}${path}?${other}` }, parameters, transport),
      ),
    ));
  test('of the key', () =>
    expectRefusals(changed('oauth_consumer_key', [...changesOf(draft.key), 'key-4712'])));
  test('of the secret', () =>
    expectRefusals(
      changesOf(draft.secret).map(
        (secret) => () => toRequest(draft, sign({ ...draft, secret }), transport),
      ),
    ));
  test('of the nonce', () => expectRefusals(changed('oauth_nonce', changesOf(draft.nonce))));
  test('of the timestamp', () =>
    expectRefusals(
      changed('oauth_timestamp', [
        ...changesOf(String(draft.timestamp)),
        ...[-300, -1, 1, 300].map((by) => String(draft.timestamp + by)),
      ]),
    ));
  test('of the signature', () => {
    const signature = parameters.at(-1)?.[1] ?? '';
    return expectRefusals(changed('oauth_signature', changesOf(signature)));
  });
});

checkTargets([
  [
    'a request is taken once, whichever way it is sent again',
    embedded(async (target) => {
      const nonce = freshNonce();
      const status = async (options: object): Promise<number> =>
        (await target.ask('/v2/client/usage', { nonce, ...options })).status;
      expect(await status({})).toBe(200);
      expect(await status({})).toBe(401);
      expect(await status({ transport: 'query' })).toBe(401);
      expect((await target.ask('/v2/icon?limit=1', { nonce })).status).toBe(401);
      const credentials = target.embedded.take('paid');
      expect(await status({ credentials })).toBe(200);
    }),
  ],
  [
    'of a hundred copies of a request that come at once, one passes',
    embedded(async (target) => {
      const options = { nonce: freshNonce() };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => target.ask('/v2/client/usage', options)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(99);
    }),
  ],
  [
    'a stale request is refused, also one that was never seen',
    embedded(async (target) => {
      const seconds = Math.floor(target.embedded.clock.now / 1000);
      for (const timestamp of [seconds - 301, seconds + 301, 1, 0, -1])
        expect((await target.ask('/v2/client/usage', { timestamp })).status).toBe(401);
    }),
  ],
  [
    'parameters count wherever they stand: in the query with a query of its own, once only',
    embedded(async (target) => {
      const path = '/v2/icon?query=a%20b%2Bc%26d&limit=1';
      expect((await target.ask(path, { transport: 'query' })).status).toBe(200);
      expect((await target.ask(`${path}&oauth_nonce=12345678`)).status).toBe(401);
    }),
  ],
]);

test('a request is verified by the address that it was sent to', async () => {
  const credentials = { key: 'key-4711', secret: 'secret-0815' };
  const server = createCatalogServer({ sets: ['maki'], keys: [credentials], now: () => NOW });
  const timestamp = Math.floor(NOW / 1000);
  const send = async (signedFor: string, sentTo: string): Promise<number> => {
    const parameters = sign({
      method: 'GET',
      url: signedFor,
      ...credentials,
      nonce: freshNonce(),
      timestamp,
    });
    return (await server.fetch(toRequest({ method: 'GET', url: sentTo }, parameters, 'header')))
      .status;
  };
  const path = '/v2/client/usage';
  expect(await send(`http://catalog.test${path}`, `http://catalog.test${path}`)).toBe(200);
  expect(await send(`http://catalog.test:80${path}`, `http://CATALOG.test${path}`)).toBe(200);
  expect(await send(`http://other.test${path}`, `http://catalog.test${path}`)).toBe(401);
  expect(await send(`https://catalog.test${path}`, `http://catalog.test${path}`)).toBe(401);
  expect(await send(`http://catalog.test:81${path}`, `http://catalog.test${path}`)).toBe(401);
});
