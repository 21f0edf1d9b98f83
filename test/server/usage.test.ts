import { describe, expect, test } from 'vitest';
import { FREE, KEY, NOW, createHarness } from './support.ts';

const usage = { ...KEY };
const makeHarness = (limits: object) =>
  createHarness({ sets: ['maki'], keys: [{ ...usage, ...limits }, FREE] });

test('each signed call counts one, whatever it answers; refused signatures count nothing', async () => {
  const { get, server } = makeHarness({});
  await get('/v2/icon?limit=1');
  await get('/v2/icon/1');
  await get('/v2/icon?limit=bad');
  await get('/collections');
  await get('/v2/icon', { credentials: { ...KEY, secret: 'wrong' } });
  await get('/nowhere');
  await server.fetch(new Request('http://catalog.test/v2/icon'));
  expect((await get('/v2/client/usage')).body).toEqual({ monthly: { limit: 5000, usage: 5 } });
  expect((await get('/oauth/usage')).body).toEqual({
    limits: { daily: null, hourly: null, monthly: 5000 },
    usage: { daily: 6, hourly: 6, monthly: 6 },
  });
  expect((await get('/v2/client/usage', { credentials: FREE })).body).toMatchObject({
    monthly: { usage: 1 },
  });
});

test('usage_limits stands in every v2 answer but that of usage', async () => {
  const { get, post } = makeHarness({});
  for (const path of [
    '/v2/icon?limit=1',
    '/v2/collection',
    '/v2/icon/autocomplete?query=a',
    '/v2/client/blacklist',
  ]) {
    expect((await get(path)).body).toHaveProperty('usage_limits.monthly.limit', 5000);
  }
  expect((await post('/v2/client/blacklist/term', { blacklist: [] })).body).toHaveProperty(
    'usage_limits.monthly.usage',
    5,
  );
  expect((await get('/v2/client/usage')).body).not.toHaveProperty('usage_limits');
  expect((await get('/collections')).body).not.toHaveProperty('usage_limits');
});

describe('limits', () => {
  test.each([
    ['hourlyLimit', 'hourly', Date.UTC(2026, 2, 4, 6)],
    ['dailyLimit', 'daily', Date.UTC(2026, 2, 5)],
    ['monthlyLimit', 'monthly', Date.UTC(2026, 3, 1)],
  ])('%s: 429 until the period ends', async (option, period, end) => {
    const { get, clock } = makeHarness({ [option]: 2 });
    expect((await get('/v2/icon?limit=1')).status).toBe(200);
    expect((await get('/collections')).status).toBe(200);
    for (const path of ['/v2/icon?limit=1', '/collections', '/v2/client/usage', '/oauth/usage']) {
      const { status, body, headers } = await get(path);
      expect([status, headers.get('retry-after')]).toEqual([
        429,
        String(Math.ceil((end - NOW) / 1000)),
      ]);
      expect(body.message).toContain(period);
    }
    expect((await get('/v2/icon?limit=1', { credentials: FREE })).status).toBe(200);
    clock.now = end - 1;
    expect((await get('/v2/icon?limit=1')).status).toBe(429);
    clock.now = end;
    expect((await get('/v2/icon?limit=1')).status).toBe(200);
    expect((await get('/oauth/usage')).body).toHaveProperty(`usage.${period}`, 2);
  });

  test('a call that fits the shorter period may pass the longer one', async () => {
    const { get, clock } = makeHarness({ hourlyLimit: 1, dailyLimit: 2 });
    expect((await get('/collections')).status).toBe(200);
    expect((await get('/collections')).body.message).toMatch(/hourly/);
    clock.now += 3_600_000;
    expect((await get('/oauth/usage')).body).toEqual({
      limits: { daily: 2, hourly: 1, monthly: 5000 },
      usage: { daily: 2, hourly: 1, monthly: 2 },
    });
    expect((await get('/collections')).body.message).toMatch(/daily/);
  });
});
