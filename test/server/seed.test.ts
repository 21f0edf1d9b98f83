import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCatalogServer, embeddedIconId, EMBEDDED_SITE_URL } from '../../src/server.ts';
import type { EmbeddedOptions } from '../../src/options/options.ts';
import { embeddedIdentity } from '../../src/server/installed-sets.ts';
import { writeFiles } from '../support/write-project.ts';
import { type Answer, createHarness } from './support.ts';
import { DOT, createFolder, fakeSet } from './project.ts';

const terms = (answer: Answer): string[] =>
  (answer.body['icons'] as { term: string }[]).map(({ term }) => term);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';

test('making a server reads nothing: a missing set is reported by ready, listen and calls', async () => {
  const options: EmbeddedOptions = { sets: ['no-such-set'], root: await createFolder() };
  const { server, get } = createHarness(options);
  const expected = {
    code: 'OPTIONS_INVALID',
    message: expect.stringContaining('npm i -D @iconify-json/no-such-set'),
  };
  await expect(server.ready()).rejects.toMatchObject(expected);
  await expect(server.listen()).rejects.toMatchObject(expected);
  const { status, body } = await get('/v2/icon');
  expect([status, body.message]).toEqual([500, expect.stringContaining('npm i -D')]);
});

test('nothing installed and no folder: says what to install', async () => {
  await expect(createCatalogServer({ root: await createFolder() }).ready()).rejects.toMatchObject({
    code: 'OPTIONS_INVALID',
    message: expect.stringContaining('@iconify-json/tabler'),
  });
});

test('sets of the project and of folders above it; the nearest of two wins', async () => {
  const root = await createFolder({
    ...fakeSet('upper', { icons: { one: { body: DOT } } }),
    ...fakeSet('both', { icons: { far: { body: DOT } } }),
    ...Object.fromEntries(
      Object.entries(fakeSet('both', { icons: { near: { body: DOT } } })).map(([path, text]) => [
        `app/${path}`,
        text,
      ]),
    ),
  });
  const { get } = createHarness({ root: join(root, 'app') });
  expect(terms(await get('/v2/icon'))).toEqual(['Near', 'One']);
  expect(
    terms(
      await createHarness({ root: join(root, 'app'), sets: ['@iconify-json/upper'] }).get(
        '/v2/icon',
      ),
    ),
  ).toEqual(['One']);
});

test('a set is parsed once in a process, and again when its file has changed', async () => {
  const setOf = (icons: string[]): Record<string, string> =>
    fakeSet('kept', { icons: Object.fromEntries(icons.map((name) => [name, { body: DOT }])) });
  const root = await createFolder(setOf(['one']));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => {
    parse.mockRestore();
  });
  const parsed = (): number =>
    parse.mock.calls.filter(([text]) => text.includes('"prefix":"kept"')).length;
  const list = async (): Promise<string[]> =>
    terms(await createHarness({ root, sets: ['kept'] }).get('/v2/icon'));
  expect([await list(), await list()]).toEqual([['One'], ['One']]);
  expect(parsed()).toBe(1);
  await writeFiles(root, setOf(['one', 'two']));
  expect(await list()).toEqual(['One', 'Two']);
  expect(parsed()).toBe(2);
});

test('aliases are icons; hidden ones are served by id and listed nowhere; broken ones are not icons', async () => {
  const root = await createFolder(
    fakeSet('s', {
      icons: { a: { body: DOT }, gone: { body: DOT, hidden: true } },
      aliases: {
        b: { parent: 'a', rotate: 1 },
        c: { parent: 'b', hidden: true },
        d: { parent: 'gone' },
        e: { parent: 'gone', hidden: false },
        f: { parent: 'nobody' },
        g: { parent: 'h' },
        h: { parent: 'g' },
      },
      categories: { 'Some Things': ['a'] },
    }),
  );
  const { get } = createHarness({ root });
  const answer = await get('/v2/icon');
  expect(terms(answer)).toEqual(['A', 'B', 'E']);
  expect((answer.body['icons'] as { tags: string[] }[])[0]?.tags).toEqual([
    'b',
    'c',
    'some things',
  ]);
  for (const name of ['gone', 'c', 'd']) {
    const { status } = await get(`/v2/icon/${embeddedIconId('s', name)}/download`);
    expect([name, status]).toEqual([name, 200]);
    expect(terms(await get(`/v2/icon?query=${name}`))).not.toContain(name.toUpperCase());
  }
  expect((await get(`/v2/icon/${embeddedIconId('s', 'f')}`)).status).toBe(404);
  const { body } = await get(`/v2/icon/${embeddedIconId('s', 'b')}/download`);
  expect(Buffer.from(String(body['base64_encoded_file']), 'base64').toString()).toContain(
    'rotate(90 12 12)',
  );
});

test.each([
  [{ title: 'CC BY 4.0', spdx: 'CC-BY-4.0' }, 'creative-commons-attribution'],
  [{ title: 'CC0', spdx: 'CC0-1.0' }, 'public-domain'],
  [{ title: 'Public Domain' }, 'public-domain'],
  [{ title: 'Apache 2.0', spdx: 'Apache-2.0' }, 'Apache-2.0'],
  [{ title: 'CC BY-SA 4.0', spdx: 'CC-BY-SA-4.0' }, 'CC-BY-SA-4.0'],
  [{ title: 'CC BY-NC 4.0', spdx: 'CC-BY-NC-4.0' }, 'CC-BY-NC-4.0'],
  [{ title: 'Our own terms' }, 'Our own terms'],
])('licence %j is described as %s', async (license, description) => {
  const root = await createFolder(fakeSet('s', { icons: { a: { body: DOT } }, license }));
  const { body } = await createHarness({ root }).get('/v2/icon');
  expect((body['icons'] as { license_description: string }[])[0]?.license_description).toBe(
    description,
  );
});

test('dates come from the set, or are fixed', async () => {
  const root = await createFolder({
    ...fakeSet('a', { icons: { a: { body: DOT } }, lastModified: 1_700_000_000 }),
    ...fakeSet('b', { icons: { a: { body: DOT } } }),
  });
  const { body } = await createHarness({ root }).get('/collections');
  expect(
    (body['collections'] as { date_updated: string }[]).map(({ date_updated }) => date_updated),
  ).toEqual(['2023-11-14 22:13:20', '2026-01-01 00:00:00']);
});

test.each([
  [
    { set: ['maki'] },
    'There is no option `set`. Options here: sets, folders, keys, now, root, stateDir.',
  ],
  [{ sets: 'maki' }, '`sets` must be a list of strings, not "maki".'],
  [
    { folders: [{ name: 'own' }] },
    '`folders` must be a list of paths, or of objects with a `path`',
  ],
  [
    { stateDir: 'https://state.example' },
    '`stateDir` must be the path of a folder, not "https://state.example".',
  ],
  [{ keys: { key: 'a', secret: 'b' } }, '`keys` must be a list.'],
  [{ keys: [null] }, '`keys[0]` of the embedded catalog needs a `key` and a `secret`'],
  [[{ keys: [{ key: 'a', secret: 'b' }] }], '`options` must be an object.'],
])('refuses %j with what is allowed', (options, message) => {
  expect(() => createCatalogServer(options as never)).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID', message: expect.stringContaining(message) }),
  );
});

describe('folders', () => {
  test('files are icons named after their paths; other files and empty ones are not', async () => {
    const root = await createFolder({
      'art/Big Arrow.svg': SVG,
      'art/deep/er/ünï_cödé.SVG': SVG,
      'art/notes.txt': 'x',
      'art/no.svg': 'hello',
      'art/huge.svg': `${SVG}${' '.repeat(1024 * 1024)}`,
      'art/empty.svg': '',
    });
    const { get } = createHarness({
      root,
      sets: [],
      folders: [
        {
          path: 'art',
          name: 'Our Art',
          author: 'The Studio',
          license: 'creative-commons-attribution',
        },
      ],
    });
    const answer = await get('/v2/icon');
    expect(terms(answer)).toEqual(['Big arrow', 'Deep er ünï cödé']);
    expect((answer.body['icons'] as object[])[0]).toMatchObject({
      id: String(embeddedIconId('our-art', 'big-arrow')),
      permalink: '/our-art/big-arrow/',
      license_description: 'creative-commons-attribution',
      creator: { name: 'The Studio', permalink: '/our-art/', username: 'our-art' },
      styles: [{ style: 'solid' }],
      attribution: '“Big arrow” by The Studio from Our Art, creative commons attribution',
    });
    expect((await get('/collection/our-art')).body).toMatchObject({
      collection: { icon_count: '2', name: 'Our Art' },
    });
  });

  test('a link to a file is an icon; one that leads nowhere and one to a folder are none', async () => {
    const root = await createFolder({ 'art/house.svg': SVG });
    await symlink('house.svg', join(root, 'art/home.svg'));
    await symlink('gone.svg', join(root, 'art/lost.svg'));
    await symlink('.', join(root, 'art/again'));
    const options = { root, sets: [], folders: ['art'] };
    expect(terms(await createHarness(options).get('/v2/icon'))).toEqual(['Home', 'House']);
    const before = await embeddedIdentity(options);
    await writeFiles(root, { 'art/house.svg': `${SVG}\n` });
    expect(await embeddedIdentity(options)).not.toBe(before);
  });

  test('a folder by its path alone: its name, and no licence that nobody stated', async () => {
    const root = await createFolder({ 'my-art/a.svg': SVG });
    const { body } = await createHarness({ root, sets: [], folders: ['my-art'] }).get('/v2/icon');
    expect((body['icons'] as object[])[0]).toMatchObject({
      license_description: 'project-file',
      attribution: '“A” by my-art from My art, no licence stated',
      creator: { username: 'my-art' },
      collections: [{ name: 'My art' }],
    });
  });

  test.each([
    ['a folder that is not there', {}, ['none'], /cannot read the folder none/],
    [
      'two folders of one name',
      { 'a/x/1.svg': SVG, 'b/x/1.svg': SVG },
      ['a/x', 'b/x'],
      /Two collections .* \(x\) and .* \(x\)/,
    ],
    ['two files of one name', { 'x/a b.svg': SVG, 'x/a-b.svg': SVG }, ['x'], /both called "a-b"/],
  ])('%s is an error', async (_, files, folders, message) => {
    const { server } = createHarness({ root: await createFolder(files), sets: [], folders });
    await expect(server.ready()).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(message),
    });
  });
});

describe('keys', () => {
  test('without keys one is made up, and it signs', async () => {
    const server = createCatalogServer({ sets: ['maki'] });
    const { get } = { get: createHarness({ sets: ['maki'] }).get };
    expect(server.credentials().key).toMatch(/^[0-9a-f]{32}$/);
    expect(server.credentials()).not.toEqual(createCatalogServer().credentials());
    expect((await get('/collections', { credentials: server.credentials() })).status).toBe(401);
    const { createAuthorization } = await import('../../src/catalog/oauth.ts');
    const url = 'http://catalog.test/collections';
    const authorization = createAuthorization({
      method: 'GET',
      url,
      ...server.credentials(),
      nonce: 'some-nonce',
      timestamp: Math.floor(Date.now() / 1000),
    });
    expect((await server.fetch(new Request(url, { headers: { authorization } }))).status).toBe(200);
  });

  test.each([
    [[], /empty/],
    [[{ key: '', secret: 'a' }], /keys\[0\]/],
    [[{ key: 'a', secret: '' }], /keys\[0\]/],
    [
      [
        { key: 'a', secret: 'b' },
        { key: 'a', secret: 'c' },
      ],
      /keys\[1\].*same/,
    ],
    [[{ key: 'a', secret: 'b', monthlyLimit: -1 }], /monthlyLimit/],
    [[{ key: 'a', secret: 'b', access: 'gold' as never }], /access/],
  ])('%j is refused when the server is made', (keys, message) => {
    expect(() => createCatalogServer({ keys })).toThrow(message);
  });
});

test('the site of permalinks', () => {
  expect(EMBEDDED_SITE_URL).toBe('https://icon-sets.iconify.design');
});
