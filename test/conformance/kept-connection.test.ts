import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createCatalogServer } from '../../src/server.ts';
import { freshNonce, sign, toHeader } from './support/sign.ts';

const KEY = { key: 'key-4711', secret: 'secret-0815' };

test('after a body that is too long, a client with one connection goes on', async () => {
  const server = createCatalogServer({ sets: ['maki'], keys: [KEY] });
  const { url: base, close } = await server.listen();
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  onTestFinished(async () => {
    await dispatcher.close();
    await close();
  });
  const call = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const url = `${base}${path}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const authorization = toHeader(sign({ method, url, ...KEY, nonce: freshNonce(), timestamp }));
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    await answer.body.dump();
    return [answer.statusCode, answer.headers.connection];
  };

  const long = JSON.stringify({ blacklist: [], more: 'x'.repeat(4 * 1024 * 1024) });
  for (let turn = 0; turn < 20; turn++) {
    // A client that does not learn that the connection ends sends the next call into it, and loses that now and then.
    expect(await call('POST', '/v2/client/blacklist/id', long)).toEqual([413, 'close']);
    expect(await call('GET', '/v2/client/usage')).toEqual([200, 'keep-alive']);
  }
});
