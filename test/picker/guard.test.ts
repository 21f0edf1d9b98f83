import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPickerHandler } from '../../src/picker/shell.ts';
import { createPickerState } from '../../src/picker/state.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { openPicker, ORIGIN } from './support.ts';

let catalog: CountingCatalog;

beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['maki'] });
});
afterAll(() => catalog.close());

const SEARCH = { query: 'park', remote: true };

describe('the guard of the icon browser', () => {
  it('refuses hosts that are not this machine, whatever the dev server allows', async () => {
    const picker = await openPicker({ catalog });
    catalog.reset();
    for (const host of [
      'evil.test',
      '127.evil.test',
      'localhost.evil.test',
      'evil.test:5173',
      '127.0.0.1.evil.test:80',
      '192.168.0.7:5173',
      '[2001:db8::1]:5173',
      '',
      'a b',
      'localhost:port',
      'localhost/evil',
      'user@localhost',
      '[::1',
    ]) {
      const answer = await picker.send('search', SEARCH, { host });
      expect([host, answer.status]).toEqual([host, 403]);
      expect((await picker.get('', { host })).status).toBe(403);
    }
    expect(catalog.calls).toEqual([]);
    for (const host of [
      'localhost:5173',
      'app.localhost',
      '127.0.0.1:5173',
      '127.9.9.9',
      '[::1]:5',
    ])
      expect([host, (await picker.get('nothing', { host })).status]).toEqual([host, 404]);
  });

  it('answers to other names and addresses once the user has chosen them', async () => {
    const access = { hosts: ['mine.test', '.team.test'], isOpen: true };
    const picker = await openPicker({ catalog, access });
    for (const host of ['mine.test:80', 'a.team.test', '192.168.0.7:5173', '[2001:db8::1]'])
      expect([host, (await picker.get('nothing', { host })).status]).toEqual([host, 404]);
    for (const host of ['notmine.test', 'team.test.evil', 'xteam.test'])
      expect([host, (await picker.get('nothing', { host })).status]).toEqual([host, 403]);
  });

  it('wants the token of this process before anything is signed', async () => {
    const picker = await openPicker({ catalog });
    catalog.reset();
    const earlier = createPickerState().token;
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${earlier}`,
      picker.state.token,
    ]) {
      for (const name of [
        'search',
        'project',
        'render',
        'add',
        'undo',
        'open',
        'budget',
        'other',
      ]) {
        const answer = await picker.send(name, SEARCH, { authorization });
        expect([authorization, name, answer.status]).toEqual([authorization, name, 401]);
        expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
      }
    }
    expect(catalog.calls).toEqual([]);
    expect((await picker.send('search', SEARCH)).status).toBe(200);
  });

  it('wants a request of its own page: the same Origin, or without one the word of the browser', async () => {
    const picker = await openPicker({ catalog });
    catalog.reset();
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.test' },
      { origin: 'http://localhost:5174' },
      { origin: 'https://localhost:5173' },
      { origin: 'http://127.0.0.1:5173' },
      { origin: 'null' },
      { origin: 'not an origin' },
      { origin: ORIGIN, 'sec-fetch-site': 'same-site' },
      { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign)
      expect([headers, (await picker.send('search', SEARCH, headers)).status]).toEqual([
        headers,
        403,
      ]);
    const { token } = picker.state;
    const bare = (headers: Record<string, string>): Promise<Response> =>
      picker.fetch(
        new Request(`${ORIGIN}/__icon-catalog/api/search`, {
          method: 'POST',
          body: JSON.stringify(SEARCH),
          headers: {
            host: 'localhost:5173',
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            ...headers,
          },
        }),
      );
    expect((await bare({})).status).toBe(403);
    expect((await bare({ 'sec-fetch-site': 'none' })).status).toBe(403);
    expect(catalog.calls).toEqual([]);
    expect((await bare({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('takes JSON of a bounded size from POST only', async () => {
    const picker = await openPicker({ catalog });
    catalog.reset();
    expect((await picker.send('search', SEARCH, { 'content-type': 'text/plain' })).status).toBe(
      415,
    );
    expect((await picker.send('search', { ...SEARCH, query: 'x'.repeat(300_000) })).status).toBe(
      413,
    );
    for (const body of [{}, { query: 1, remote: true }, { query: 'x'.repeat(3000), remote: true }])
      expect((await picker.send('search', body)).status).toBe(400);
    const token = { authorization: `Bearer ${picker.state.token}` };
    for (const name of ['search', 'project', 'add', 'undo', 'open'])
      expect((await picker.get(`api/${name}?query=park`, token)).status).toBe(405);
    expect(catalog.calls).toEqual([]);
  });

  it('is not a failure that is reported if the page goes away while it asks', async () => {
    const picker = await openPicker({ catalog });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"que'));
        controller.error(new Error('aborted'));
      },
    });
    const streamed = { body, duplex: 'half' };
    const request = new Request(`${ORIGIN}/__icon-catalog/api/search`, {
      method: 'POST',
      ...streamed,
      headers: {
        host: 'localhost:5173',
        origin: ORIGIN,
        'content-type': 'application/json',
        authorization: `Bearer ${picker.state.token}`,
      },
    });
    expect((await picker.fetch(request)).status).toBe(400);
    expect(picker.log.lines).toEqual([]);
  });

  it('puts its policy on every answer and lets no other origin read one', async () => {
    const picker = await openPicker({ catalog });
    const answers = [
      await picker.get(''),
      await picker.get('nothing'),
      await picker.get('', { host: 'evil.test' }),
      await picker.send('search', SEARCH),
      await picker.send('search', SEARCH, { authorization: '' }),
    ];
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('gives no file but those of its page', async () => {
    const picker = await openPicker({ catalog });
    for (const path of [
      '../create-picker.ts',
      'assets/../../cli.js',
      'assets/%2e%2e/%2e%2e/cli.js',
      'assets%2f..%2f..%2fcli.js',
      'index.html/',
      'package.json',
    ]) {
      const { status } = await picker.get(path);
      expect([path, [403, 404].includes(status)]).toEqual([path, true]);
    }
  });

  it('gives pictures only under names that it has given itself', async () => {
    const picker = await openPicker({ catalog });
    const { icons } = await picker.post<{ icons: { id: string; thumb: string }[] }>(
      'search',
      SEARCH,
    );
    const [icon, other] = icons;
    expect(icon?.thumb).toMatch(/^thumb\/\d+-200-[0-9a-f]{32}\.png$/);
    const path = icon?.thumb ?? '';
    const right = await picker.get(path);
    expect([right.status, right.headers.get('content-type')]).toEqual([200, 'image/png']);
    const wrong = [
      path.replace(icon?.id ?? '', other?.id ?? ''),
      path.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
      path.replace(/-[0-9a-f]{32}/, ''),
    ];
    for (const one of wrong) expect((await picker.get(one)).status).toBe(404);
  });

  it('survives malformed requests in a server, and loses headers that the server has added', async () => {
    const picker = await openPicker({ catalog });
    const { handle, close } = createPickerHandler({
      project: () => Promise.reject(new Error('is not asked')),
      access: { hosts: [], isOpen: false },
      state: picker.state,
      log: picker.log,
    });
    const server = createServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      handle(request, response);
    });
    onTestFinished(async () => {
      await close();
      server.close();
      server.closeAllConnections();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const raw = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(text));
        let all = '';
        socket.on('data', (chunk) => (all += String(chunk)));
        socket.on('close', () => resolve(all));
      });
    for (const host of ['a b', 'localhost:port', '[::', '%', 'evil.test'])
      expect(
        await raw(`GET /__icon-catalog/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      ).toMatch(/^HTTP\/1\.1 403/);
    const [answer] = await new Promise<[import('node:http').IncomingMessage]>((resolve) => {
      send({ port, path: '/__icon-catalog/nothing', host: '127.0.0.1' }, (got) =>
        resolve([got]),
      ).end();
    });
    answer.resume();
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});
