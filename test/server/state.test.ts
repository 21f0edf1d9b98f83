import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEY, createHarness } from './support.ts';
import { createFolder } from './project.ts';

test('blacklists and usage survive a restart', async () => {
  const stateDir = join(await createFolder(), 'state');
  const options = { sets: ['maki'], stateDir };
  const first = createHarness(options);
  await first.post('/v2/client/blacklist/id', { blacklist: [1, 2] });
  await first.post('/v2/client/blacklist/term', { blacklist: ['über alles', '☕'] });
  await Promise.all(Array.from({ length: 20 }, () => first.get('/collections')));
  const second = createHarness(options);
  expect((await second.get('/v2/client/blacklist')).body).toEqual({
    blacklist: { collection_ids: [], icon_ids: [1, 2], search_terms: ['über alles', '☕'] },
    usage_limits: { monthly: { limit: 5000, usage: 23 } },
  });
});

test('an answered call is on disk, a limit holds across restarts, and a new month begins at zero', async () => {
  const stateDir = await createFolder();
  const options = { sets: ['maki'], stateDir, keys: [{ ...KEY, monthlyLimit: 2 }] };
  expect((await createHarness(options).get('/collections')).status).toBe(200);
  expect((await createHarness(options).get('/collections')).status).toBe(200);
  const third = createHarness(options);
  expect((await third.get('/collections')).status).toBe(429);
  third.clock.now = Date.UTC(2026, 3, 1);
  expect((await third.get('/collections')).status).toBe(200);
});

test('neither key nor secret stands on disk, and no half-written file is left', async () => {
  const stateDir = await createFolder();
  const { get, post } = createHarness({ sets: ['maki'], stateDir });
  await post('/v2/client/blacklist/term', { blacklist: ['x'] });
  await Promise.all(Array.from({ length: 30 }, () => get('/collections')));
  const files = await readdir(stateDir);
  expect(files.map((name) => name.replace(/[0-9a-f]{16}/, '…')).sort()).toEqual([
    'blacklist-….json',
    'usage-….json',
  ]);
  for (const name of files) {
    const text = `${name}${await readFile(join(stateDir, name), 'utf8')}`;
    expect(text).not.toContain(KEY.key);
    expect(text).not.toContain(KEY.secret);
  }
});

test.each(['', '{', '{"version":2}', '{"version":1,"usage":{"counts":{}}}', '[]'])(
  'a damaged file (%j) is an error that names it, not a silent reset',
  async (content) => {
    const stateDir = await createFolder();
    await createHarness({ sets: ['maki'], stateDir }).get('/collections');
    const [file] = await readdir(stateDir);
    await writeFile(join(stateDir, String(file)), content);
    const { server, get } = createHarness({ sets: ['maki'], stateDir });
    await expect(server.ready()).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringContaining(String(file)),
    });
    expect((await get('/collections')).status).toBe(500);
  },
);

test('a folder that cannot be made is an error', async () => {
  const root = await createFolder({ file: '' });
  const { server } = createHarness({ sets: ['maki'], stateDir: join(root, 'file', 'state') });
  await expect(server.ready()).rejects.toMatchObject({ code: 'OPTIONS_INVALID', path: 'stateDir' });
});
