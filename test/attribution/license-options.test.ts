import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, createLogger } from 'vite';
import { describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { createIcons } from '../../src/icons.ts';
import type { LicenseOptions, Options } from '../../src/options/options.ts';
import { createSession } from '../../src/build/session.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { findAssertion } from '../../src/attribution/license/policy.ts';
import { createCatalogServer } from '../../src/server.ts';
import { collectionId } from '../../src/server/ids.ts';
import vitePlugin from '../../src/vite.ts';
import webpackPlugin from '../../src/webpack.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { record } from './records.ts';

const MIT = { license: 'MIT', by: 'Legal', evidence: 'https://example.com/mail' };
const ISC = { ...MIT, license: 'ISC' };

function licenses(given: LicenseOptions, more: Options = {}) {
  const options = { aliases: { house: 123, tree: 124 }, licenses: given, ...more };
  return resolveOptions(options, { root: '/project', env: {} }).licenses;
}

describe('licenses.assert', () => {
  it('is found by id, alias, collection and declared value, the nearest to the icon first', () => {
    const { assert } = licenses({
      assert: {
        house: MIT,
        '0124': ISC,
        'collection:7': { ...MIT, license: 'Zlib' },
        'royalty-free': { ...MIT, license: 'BSL-1.0' },
      },
    });
    const found = (id: string, collection: string, license_description: string) =>
      findAssertion(
        record({
          id,
          license_description,
          collections: [{ id: collection, name: 'Sea', permalink: '/sea/' }],
        }),
        assert,
      )?.license;
    expect(found('123', '7', 'royalty-free')).toBe('MIT');
    expect(found('124', '7', 'royalty-free')).toBe('ISC');
    expect(found('125', '7', 'royalty-free')).toBe('Zlib');
    expect(found('125', '8', 'royalty-free')).toBe('BSL-1.0');
    expect(found('125', '8', 'MIT')).toBeUndefined();
    expect(found('125', '8', '__proto__')).toBeUndefined();
  });

  it('of an alias is refused if its id says otherwise, and counts once if it says the same', () => {
    expect(() => licenses({ assert: { house: MIT, 123: ISC } })).toThrow(
      /OPTIONS_INVALID.*states two licences of icon 123: under "123" and under "house"/s,
    );
    expect(licenses({ assert: { house: MIT, 123: MIT } }).assert).toEqual({ 123: MIT });
  });

  it.each([
    ['huose', 'Did you mean "house"?'],
    ['collection:sea', 'collection:123'],
    ['collections:7', 'collection:123'],
  ])('of %s is refused', (key, remedy) => {
    const refused = (): unknown => licenses({ assert: { [key]: MIT } });
    expect(refused).toThrow(/OPTIONS_INVALID.*neither an id of an icon, an alias nor/s);
    expect(refused).toThrow(remedy);
  });

  it('of a name counts with the embedded catalog', () => {
    const { assert } = licenses({ assert: { 'tabler/home': MIT } }, { catalog: 'embedded' });
    expect(Object.keys(assert)).toEqual([expect.stringMatching(/^\d+$/)]);
  });

  it('of two collections that hold one icon is refused if they differ', () => {
    const both = record({
      id: '9',
      collections: ['7', '8'].map((id) => ({ id, name: id, permalink: '/' })),
    });
    const { assert } = licenses({ assert: { 'collection:7': MIT, 'collection:8': ISC } });
    expect(() => findAssertion(both, assert)).toThrow(
      /OPTIONS_INVALID.*two collections.*collection:7 and collection:8/s,
    );
    const { assert: settled } = licenses({
      assert: { 9: MIT, 'collection:7': MIT, 'collection:8': ISC },
    });
    expect(findAssertion(both, settled)).toEqual(MIT);
  });
});

describe('licenses.allow', () => {
  it('takes the words of the interface, identifiers and asserted ones', () => {
    const allow = ['public-domain', 'creative-commons-attribution', 'MIT', 'LicenseRef-own'];
    expect(licenses({ allow }).allow).toEqual(allow);
    // Where unknown licences may ship, the catalog may call them anything.
    expect(licenses({ allow: ['royalty-free'], unknown: 'warn' }).allow).toEqual(['royalty-free']);
  });

  it.each([
    ['mit', '"MIT"'],
    ['MIT ', '"MIT"'],
    ['CC BY 4.0', '"CC-BY-4.0"'],
    ['creative-commons-atribution', '"creative-commons-attribution"'],
    ['public domain', '"public-domain"'],
    ['royalty-free', 'licenses.assert'],
  ])('of %j is refused', (value, remedy) => {
    const refused = (): unknown => licenses({ allow: ['public-domain', value] });
    expect(refused).toThrow(/OPTIONS_INVALID.*which no icon can have/s);
    expect(refused).toThrow(remedy);
  });
});

/** A project with a folder of icons under each of these licences, by the name of its folder. */
async function projectOf(
  licenseByFolder: Record<string, string>,
): Promise<{ root: string; options: Options; ids: Record<string, string> }> {
  const root = await temporaryFolder();
  const folders = [];
  for (const [path, license] of Object.entries(licenseByFolder)) {
    await mkdir(join(root, path));
    for (const name of ['one', 'two'])
      await writeFile(
        join(root, path, `${name}.svg`),
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>',
      );
    folders.push({ path, name: path, author: 'Ada', license });
  }
  const embedded = { sets: [], folders, root };
  const own = [{ key: 'key', secret: 'secret' }];
  const server = createCatalogServer({ ...embedded, keys: own });
  const { createCatalogClient } = await import('../../src/client.ts');
  const client = createCatalogClient({
    baseUrl: 'http://catalog.invalid',
    ...own[0]!,
    fetch: (request) => server.fetch(request),
  });
  const { icons } = await client.icons({ limit: 50 });
  const ids: Record<string, string> = {};
  for (const { id, collections, term } of icons)
    ids[`${collections?.[0]?.name}/${term?.toLowerCase()}`] = id;
  return { root, ids, options: { catalog: { embedded }, cacheDir: join(root, 'cache') } };
}

/** Warnings of one build of a bundler. */
async function buildWarnings(
  root: string,
  options: Options,
  ids: readonly string[],
): Promise<string[]> {
  const log = recordingLog();
  const session = createSession(options, 'test');
  session.configure({ root, env: {}, log });
  session.begin();
  for (const id of ids) await session.load(session.resolve(`icon:${id}`, '/main.js'));
  await session.end();
  await session.close();
  return log.lines.filter((line) => line.startsWith('warn '));
}

/** Warnings of a build of webpack with its cache on disk. */
async function webpackWarnings(root: string, options: Options): Promise<string[]> {
  const compiler = webpack({
    mode: 'production',
    context: root,
    entry: './main.js',
    output: { path: join(root, 'dist') },
    cache: { type: 'filesystem', cacheDirectory: join(root, 'webpack') },
    plugins: [webpackPlugin(options)],
  });
  if (compiler === null) throw new TypeError('no compiler');
  const warnings: string[] = [];
  compiler.hooks.infrastructureLog.tap('test', (_origin, type, args) => {
    if (type === 'warn') warnings.push(String(args));
    return true;
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  expect(stats?.toJson({ all: false, errors: true }).errors).toEqual([]);
  return warnings;
}

/** Warnings of the same without a bundler. */
async function iconsWarnings(
  root: string,
  options: Options,
  ids: readonly string[],
): Promise<string[]> {
  const log = recordingLog();
  const icons = createIcons(options, { root, env: {}, log });
  for (const id of ids) await icons.load(`icon:${id}`);
  await icons.close();
  return log.lines.filter((line) => line.startsWith('warn '));
}

describe('what a build reports', () => {
  const FOLDERS = {
    nc: 'CC-BY-NC-4.0',
    sa: 'CC-BY-SA-4.0',
    gpl: 'GPL-3.0-or-later',
    free: 'CC0-1.0',
    mit: 'MIT',
  };

  it('once for each licence that asks something of the project, by name unless it is allowed', async () => {
    const { root, options, ids } = await projectOf(FOLDERS);
    const all = Object.values(ids);
    expect(all).toHaveLength(10);
    const pair = (folder: string): string =>
      [ids[`${folder}/one`], ids[`${folder}/two`]]
        .toSorted((a, b) => Number(a) - Number(b))
        .join(', ');
    const expected = [
      `2 icons under CC-BY-NC-4.0 (non-commercial use only): ${pair('nc')}.`,
      `2 icons under CC-BY-SA-4.0 (the same licence for changed copies): ${pair('sa')}.`,
      `2 icons under GPL-3.0-or-later (its own terms for what holds the icon): ${pair('gpl')}.`,
    ].map((text) => expect.stringContaining(text));
    // Cold, warm, and without a bundler.
    expect(await buildWarnings(root, options, all)).toEqual(expected);
    expect(await buildWarnings(root, options, all)).toEqual(expected);
    expect(await iconsWarnings(root, options, all)).toEqual(expected);
    const allow = Object.values(FOLDERS);
    expect(await buildWarnings(root, { ...options, licenses: { allow } }, all)).toEqual([]);
    expect(await iconsWarnings(root, { ...options, licenses: { allow } }, all)).toEqual([]);
  });

  it('once for icons that require credit under `attribution: false`, also from a warm cache', async () => {
    const { root, options, ids } = await projectOf({ free: 'CC0-1.0', mit: 'MIT' });
    const all = Object.values(ids);
    const off: Options = { ...options, attribution: false };
    const expected = [
      expect.stringMatching(
        /^warn `attribution` is false, and 2 icons of this build may be shown only with credit: \d+, \d+\./,
      ),
    ];
    for (const _ of ['cold', 'warm']) {
      expect(await buildWarnings(root, off, all)).toEqual(expected);
      expect(await iconsWarnings(root, off, all)).toEqual(expected);
    }
    const free = all.filter((id) => id === ids['free/one'] || id === ids['free/two']);
    expect(await buildWarnings(root, off, free)).toEqual([]);
    expect(await buildWarnings(root, options, all)).toEqual([]);
    // Nothing is drawn, so nothing needs a credit.
    const meta = all.map((id) => `${id}?as=meta`);
    expect(await buildWarnings(root, off, meta)).toEqual([]);
  });

  it('not where the project shows the records of `icon:credits` itself', async () => {
    const { root, options, ids } = await projectOf({ mit: 'MIT' });
    const off: Options = { ...options, attribution: false };
    const entry = join(root, 'main.js');
    const imports = `import one from 'icon:${ids['mit/one']}';\nimport credits from 'icon:credits';\n`;
    for (const [shown, expected] of [
      ['one', [expect.stringContaining('`attribution` is false, and 1 icon')]],
      ['one, credits', []],
    ] as const) {
      await writeFile(entry, `${imports}console.log(${shown});`);
      const lines: string[] = [];
      const logger = createLogger('warn');
      logger.warn = (line) => void lines.push(line);
      await build({
        root,
        configFile: false,
        customLogger: logger,
        plugins: [vitePlugin(off)],
        build: { lib: { entry, formats: ['es'] }, write: false },
      });
      expect(lines).toEqual(expected);
    }
  });

  it('each key of `licenses.assert` that no icon of the lock has, with the nearest one that is there', async () => {
    const { root, options, ids } = await projectOf({ own: 'house rules', mit: 'MIT' });
    const collection = collectionId('mit');
    const all = Object.values(ids);
    const withKeys = (...keys: string[]): Options => ({
      ...options,
      licenses: {
        unknown: 'warn',
        assert: Object.fromEntries(keys.map((key) => [key, ISC])),
      },
    });
    const right = withKeys('house rules', `collection:${collection}`, '123');
    const wrong = withKeys('house rules', 'house-rule', `collection:${collection}0`, 'x y z');
    const expected = [
      '"house-rule", but no icon of icons.lock has that `license_description`. Did you mean "house rules"?',
      `"collection:${collection}0", but no icon of icons.lock is in that collection. Did you mean "collection:${collection}"?`,
      '"x y z", but no icon of icons.lock has that `license_description`. Its icons have "MIT", "house rules".',
    ].map((text) => `warn \`licenses.assert\` has the key ${text}`);
    for (const _ of ['cold', 'warm']) {
      expect(await buildWarnings(root, wrong, all)).toEqual(expected);
      expect(await iconsWarnings(root, wrong, all)).toEqual(expected);
      expect(await buildWarnings(root, right, all)).toEqual([]);
      expect(await iconsWarnings(root, right, all)).toEqual([]);
    }
    // The icon that the key is about belongs to another build of the project.
    const some = all.filter((id) => id === ids['mit/one']);
    expect(await buildWarnings(root, right, some)).toEqual([]);
  });

  it('from the cache of webpack, which loads nothing again', async () => {
    const { root, options, ids } = await projectOf({ nc: 'CC-BY-NC-4.0' });
    await writeFile(
      join(root, 'main.js'),
      `import icon from 'icon:${ids['nc/one']}';\ndocument.title = icon;`,
    );
    for (const attribution of [undefined, false] as const) {
      const expected = expect.arrayContaining([expect.stringContaining('CC-BY-NC-4.0')]);
      for (const run of ['cold', 'warm'])
        expect(
          await webpackWarnings(root, { ...options, attribution }),
          `${run} ${attribution}`,
        ).toEqual(expected);
    }
  });
});
