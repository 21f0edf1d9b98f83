import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { createNodeHost } from '../../../src/cli/host.ts';
import type { Options } from '../../../src/options/options.ts';
import { missingOf } from '../../../src/build/other-builds.ts';
import { startCountingCatalog } from '../../support/counting-catalog.ts';
import { readTree, writeFiles, writeProject } from '../../support/write-project.ts';
import {
  BUNDLERS,
  buildWith,
  goneFiles,
  idOf,
  listed,
  listIn,
  scanSite,
  optionsOf,
  type Bundler,
  type Name,
} from './build-with.ts';

const shows = (name: Name): string => `import icon from 'icon:${name}'; globalThis.shown = icon;`;
const FILES = {
  'client.js': shows('home'),
  'server.js': shows('bus'),
};

/** What the list of a folder says, compared with a scan of the files that it speaks for. */
async function judged(list: string, site = list): Promise<Name[]> {
  const names = listed(await listIn(list));
  expect(names).toEqual(await scanSite(site));
  expect(await goneFiles(list)).toEqual([]);
  return names;
}

const machine = createNodeHost();

async function emit(root: string, args: string[]): Promise<void> {
  let text = '';
  const write = (chunk: string | Uint8Array): void => void (text += String(chunk));
  const output = { write, isTerminal: false, columns: undefined, hasColor: false };
  const host = { ...machine, cwd: root, env: {}, stdout: output, stderr: output };
  expect(await main(['emit', ...args], host), text).toBe(0);
}

/** An icon as a build ships it; the lock knows it from then on. */
async function markupOf(
  bundler: Bundler,
  { root, name, options = {} }: { root: string; name: Name; options?: Options },
): Promise<string> {
  await writeFiles(root, { 'other.js': shows(name) });
  await buildWith(bundler, { root, entry: 'other.js', outDir: 'elsewhere', options });
  const tree = await readTree(join(root, 'elsewhere'));
  const [, script] = [...tree].find(([path]) => path.endsWith('.js')) ?? [];
  const text = String(script).replaceAll('\\"', '"').replaceAll('\\u003c', '<');
  return /<svg.*?<\/svg>/.exec(text)?.[0] ?? '';
}

it('a list is not complete if files of the lock are still on their way after five seconds', async () => {
  const catalog = await startCountingCatalog({ sets: ['tabler', 'maki'] });
  onTestFinished(() => catalog.close());
  const { url: baseUrl, key, secret } = catalog;
  const options: Options = { catalog: { baseUrl, key, secret } };
  const root = await writeProject({ 'main.js': shows('bus') });
  await markupOf('rollup', { root, name: 'home', options });
  const build = { root, entry: 'main.js', outDir: 'dist', options };
  await buildWith('rollup', build);
  await rm(join(root, '.cache'), { recursive: true });
  let letGo = (): void => undefined;
  const held = new Promise<void>((done) => (letGo = done));
  catalog.hold = (path) => (path.includes(`/${idOf('home')}/`) ? held : undefined);
  await buildWith('rollup', build);
  const { complete, builds } = await listIn(join(root, 'dist'));
  expect({ complete, builds }).toMatchObject({ complete: false, builds: [{ complete: false }] });
  letGo();
  await buildWith('rollup', build);
  expect((await listIn(join(root, 'dist'))).complete).toBe(true);
});

it('no call is made for icons that only the cache knows', async () => {
  const catalog = await startCountingCatalog({ sets: ['tabler', 'maki'] });
  onTestFinished(() => catalog.close());
  const { url: baseUrl, key, secret } = catalog;
  const lib = await writeProject({
    'main.js': `import home from 'icon:home'; import star from 'icon:star?color=original'; globalThis.shown = [home, star];`,
  });
  const options: Options = {
    catalog: { baseUrl, key, secret },
    cacheDir: join(lib, '.cache'),
  };
  await buildWith('rollup', { root: lib, entry: 'main.js', outDir: 'lib', options });
  const text = String((await readTree(join(lib, 'lib'))).get('main.js'));
  /** Numbers of the icons that an app without a lock of its own calls the catalog for, and the folder of its output. */
  const build = async (): Promise<{ called: string[]; root: string }> => {
    const root = await writeProject({
      'main.js': `import './node_modules/lib/main.js'; import bus from 'icon:bus'; globalThis.other = bus;`,
      'node_modules/lib/package.json': '{"name":"lib"}',
      'node_modules/lib/main.js': text,
    });
    catalog.reset();
    await buildWith('rollup', { root, entry: 'main.js', outDir: 'dist', options });
    const ids = catalog.calls.map((call) => /\/icon\/(\d+)/.exec(call)?.[1]);
    return { called: [...new Set(ids.filter((id) => id !== undefined))], root };
  };
  const { called, root } = await build();
  expect(called).toEqual([String(idOf('bus'))]);
  expect(await judged(join(root, 'dist'))).toEqual(['home', 'star', 'bus']);
  const lock = await readFile(join(root, 'icons.lock'), 'utf8');
  expect(lock).toContain(`"${idOf('star')}:svg:original"`);
  expect(lock).not.toContain(`"${idOf('star')}:svg"`);

  // The drawings are still there, and of what a credit needs the file alone, the record alone, or nothing.
  const content = join(lib, '.cache/content');
  const home = `import home from 'icon:home'; globalThis.shown = home;`;
  for (const [entry, mode] of [
    [home, 'locked'],
    [home.replace("home'", "home?as=meta'"), 'online'],
    ['', 'online'],
  ] as const) {
    await rm(content, { recursive: true });
    if (mode === 'locked') await rm(join(lib, '.cache/packs'), { recursive: true });
    const root = mode === 'locked' ? lib : await writeProject({});
    await writeFiles(root, { 'again.js': entry });
    const again = { root, entry: 'again.js', outDir: 'again' };
    await buildWith('rollup', { ...again, options: { ...options, mode } });
    const next = await build();
    expect(next.called).toEqual([String(idOf('bus'))]);
    expect(listed(await listIn(join(next.root, 'dist')))).toEqual(['bus']);
  }
});

describe.each(BUNDLERS)('the list in a folder, with %s,', (bundler) => {
  it('is one of client and server that two jobs built without a shared cache', async () => {
    const root = await writeProject(FILES);
    const builds = bundler === 'vite' ? ['client', 'ssr'] : ['client', 'server'];
    const given = (folder: string) => ({
      // Rollup has no root of its own.
      options: { attribution: { site: join(folder, 'dist/client'), builds } },
    });
    await buildWith(bundler, { root, entry: 'client.js', outDir: 'dist/client', ...given(root) });
    const first = await listIn(join(root, 'dist/client'));
    expect([listed(first), first.complete]).toEqual([['home'], false]);

    // The other job has the sources and what the first one built, and nothing else.
    const other = await writeProject(FILES);
    await cp(join(root, 'dist'), join(other, 'dist'), { recursive: true });
    const server = { root: other, entry: 'server.js', outDir: 'dist/server', isServer: true };
    await buildWith(bundler, { ...server, ...given(other) });
    expect(await judged(join(other, 'dist/client'), join(other, 'dist'))).toEqual(['home', 'bus']);
    expect((await listIn(join(other, 'dist/client'))).complete).toBe(true);
    expect([...(await readTree(join(other, 'dist/server'))).keys()]).not.toContain(
      'icon-attribution.json',
    );

    // A build that runs again replaces its own part, and takes over what the folder still has.
    await writeFiles(other, { 'client.js': shows('star') });
    const client = { root: other, entry: 'client.js', outDir: 'dist/client', clean: true };
    if (bundler === 'rollup' || bundler === 'esbuild')
      for (const file of (await readTree(join(other, 'dist/client'))).keys())
        if (file.endsWith('.js')) await rm(join(other, 'dist/client', file));
    await buildWith(bundler, { ...client, ...given(other) });
    expect(await judged(join(other, 'dist/client'), join(other, 'dist'))).toEqual(['star', 'bus']);
    await rm(join(other, 'dist/server'), { recursive: true });
    await buildWith(bundler, { ...client, ...given(other) });
    const last = await listIn(join(other, 'dist/client'));
    expect([listed(last), last.complete]).toEqual([['star'], false]);
  });

  it('is one of two packages that write into one folder, in either order, byte for byte', async () => {
    const lists: string[] = [];
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const root = await writeProject({
        'packages/a/package.json': '{"name":"@site/a","type":"module"}',
        'packages/a/main.js': shows('home'),
        'packages/b/package.json': '{"name":"@site/b","type":"module"}',
        'packages/b/second.js': shows('bus'),
      });
      for (const name of order) {
        const entry = name === 'a' ? 'main.js' : 'second.js';
        const built = { root: join(root, 'packages', name ?? ''), entry, outDir: '../../dist' };
        await buildWith(bundler, built);
      }
      expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
      const { builds, complete } = await listIn(join(root, 'dist'));
      expect([builds.map(({ precision }) => precision), complete]).toEqual([
        ['emitted', 'emitted'],
        true,
      ]);
      const tree = await readTree(join(root, 'dist'));
      for (const [name, content] of tree)
        if (name.startsWith('icon-attribution.')) lists.push(`${name}\n${String(content)}`);
    }
    expect(lists).toHaveLength(6);
    expect(lists.slice(0, 3)).toEqual(lists.slice(3));
  });

  it.each([
    ['outer', 'inner'],
    ['inner', 'outer'],
  ])('holds the icons of an app in a folder of its own: %s first', async (...order) => {
    const root = await writeProject({ 'outer.js': shows('home'), 'inner.js': shows('bus') });
    const french = { code: 'fr', words: { back: 'Retour à {site}', title: 'Crédits "<&>"' } };
    const outer: Options['attribution'] = {
      title: 'Refuge & Co',
      home: '/',
      language: french,
      text: 'icon-attribution.txt',
      markdown: false,
      builds: ['later'],
    };
    for (const name of order) {
      const isOuter = name === 'outer';
      const outDir = isOuter ? 'dist' : 'dist/admin';
      const attribution = isOuter ? outer : { title: 'Admin' };
      await buildWith(bundler, { root, entry: `${name}.js`, outDir, options: { attribution } });
    }
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
    expect(await judged(join(root, 'dist/admin'))).toEqual(['bus']);
    // The outer build says what lies in its folder, whichever build was the last one.
    const tree = await readTree(join(root, 'dist'));
    const names = [...tree.keys()].filter((name) => name.startsWith('icon-attribution.'));
    expect(names.toSorted()).toEqual(
      ['html', 'json', 'txt'].map((end) => `icon-attribution.${end}`),
    );
    const page = String(tree.get('icon-attribution.html'));
    expect(page).toContain('<a href="/">Retour à Refuge &#38; Co</a>');
    expect(page).toContain('<html lang="fr"');
    expect(page).toContain('<h1>Crédits &#34;&#60;&#38;&#62;&#34;</h1>');
    expect(page.match(/ href="icon-attribution[^"]*"/g)).toEqual([
      ' href="icon-attribution.json"',
      ' href="icon-attribution.txt"',
    ]);
    expect(String(tree.get('icon-attribution.txt'))).toMatch(/Bus[^]*Home|Home[^]*Bus/);
    expect((await listIn(join(root, 'dist'))).complete).toBe(false);
    expect((await listIn(join(root, 'dist/admin'))).complete).toBe(true);
  });

  it('says nothing of another output that was not joined with it', async () => {
    const root = await writeProject(FILES);
    await buildWith(bundler, { root, entry: 'client.js', outDir: 'dist-a' });
    await buildWith(bundler, { root, entry: 'server.js', outDir: 'dist-b', isServer: true });
    expect(await judged(join(root, 'dist-a'))).toEqual(['home']);
    expect(await judged(join(root, 'dist-b'))).toEqual(['bus']);
  });

  it('does not take the place of a file that the build has made', async () => {
    const root = await writeProject({
      ...FILES,
      'index.html': '<script type="module" src="/client.js"></script>',
    });
    const html = bundler === 'vite' ? 'index.html' : 'client.js';
    const options: Options = { attribution: { html } };
    const building = buildWith(bundler, { root, entry: html, outDir: 'dist', options });
    await expect(building).rejects.toThrow(
      `\`attribution.html\` is "${html}", and the build has made a file of this name itself.`,
    );
  });

  it('waits for the builds that the list of a folder in it waits for', async () => {
    const root = await writeProject(FILES);
    const server = bundler === 'vite' ? 'ssr' : 'server';
    const options: Options = { attribution: { builds: ['client', server] } };
    const inner = join(root, 'dist/inner');
    const outer = async (): Promise<boolean> => {
      await buildWith(bundler, { root, entry: 'server.js', outDir: 'dist' });
      return (await listIn(join(root, 'dist'))).complete;
    };
    const build = { root, outDir: 'dist/inner', options };
    await buildWith(bundler, { ...build, entry: 'client.js' });
    expect((await listIn(inner)).complete).toBe(false);
    expect(await outer()).toBe(false);
    await buildWith(bundler, { ...build, entry: 'server.js', isServer: true });
    expect((await listIn(inner)).complete).toBe(true);
    expect(await outer()).toBe(true);
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
  });

  it('keeps what a rebuild has left behind, until it is gone', async () => {
    const asFile = (name: Name): string =>
      `import icon from 'icon:${name}?url'; globalThis.shown = icon;`;
    const root = await writeProject({ 'main.js': asFile('home') });
    const built = { root, entry: 'main.js', outDir: 'dist' };
    await buildWith(bundler, built);
    await writeFiles(root, { 'main.js': asFile('bus') });
    await buildWith(bundler, built);
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
    const { icons, builds } = await listIn(join(root, 'dist'));
    const home = icons.find(({ title }) => title === 'Home');
    expect(builds.find(({ id }) => id === home?.usedIn[0]?.build)?.precision).toBe('found');
    for (const file of (await readTree(join(root, 'dist'))).keys())
      if (/home.*\.svg$|^\w{20}\.svg$/.test(file) && file === home?.usedIn[0]?.file)
        await rm(join(root, 'dist', file));
    await buildWith(bundler, built);
    expect(listed(await listIn(join(root, 'dist')))).toEqual(['bus']);
  });

  it.runIf(bundler === 'vite' || bundler === 'webpack')(
    'has nothing of files that the bundler itself removes from its folder',
    async () => {
      const root = await writeProject({ ...FILES, 'third.js': shows('star') });
      const build = { root, outDir: 'dist', clean: true };
      await buildWith(bundler, { ...build, entry: 'client.js', clean: false });
      await buildWith(bundler, { ...build, entry: 'server.js', clean: false });
      await writeFiles(root, {
        'dist/pasted.html': await markupOf(bundler, { root, name: 'bell' }),
      });
      await buildWith(bundler, { ...build, entry: 'third.js' });
      expect(await judged(join(root, 'dist'))).toEqual(['star']);
      const { builds } = await listIn(join(root, 'dist'));
      expect(builds).toHaveLength(1);
      for (const ending of ['html', 'md']) {
        const text = await readFile(join(root, `dist/icon-attribution.${ending}`), 'utf8');
        expect([text.includes('Star'), text.includes('Home')]).toEqual([true, false]);
      }
    },
  );

  it('keeps what was done to an icon in files that a rebuild has left behind', async () => {
    const shown = (query: string): string =>
      `import icon from 'icon:home?url&${query}'; globalThis.shown = icon;`;
    const root = await writeProject({ 'main.js': shown('color=ff0000') });
    const built = { root, entry: 'main.js', outDir: 'dist' };
    await buildWith(bundler, built);
    await writeFiles(root, { 'main.js': shown('color=original&size=48') });
    await buildWith(bundler, built);
    await buildWith(bundler, built);
    expect(await judged(join(root, 'dist'))).toEqual(['home']);
    const {
      icons: [home],
      builds,
    } = await listIn(join(root, 'dist'));
    expect(builds).toHaveLength(2);
    expect(new Set(home?.usedIn.map(({ file }) => file)).size).toBe(2);
    expect(home?.changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['recolor']));
  });

  it('says of files that a rebuild has left behind what was done to them, and not what a search guesses', async () => {
    const root = await writeProject({
      'main.js': `import icon from 'icon:home?url&color=original'; globalThis.shown = icon;`,
    });
    const built = { root, entry: 'main.js', outDir: 'dist' };
    await buildWith(bundler, built);
    const [before] = (await listIn(join(root, 'dist'))).icons;
    await writeFiles(root, { 'main.js': 'globalThis.shown = 1;' });
    await buildWith(bundler, built);
    const [left] = (await listIn(join(root, 'dist'))).icons;
    expect(left?.usedIn).toEqual([{ ...before?.usedIn[0], build: 'found' }]);
    expect(left?.changes).toEqual(before?.changes);
    expect(left?.changes.map(({ kind }) => kind)).not.toContain('recolor');
  });

  it('holds builds of one name that write into several folders of a site', async () => {
    const root = await writeProject({
      'client.js': shows('home'),
      'admin/client.js': shows('bus'),
    });
    const attribution = { site: join(root, 'dist/web'), builds: ['client', 'admin'] };
    const options = { attribution };
    const web = { root, entry: 'client.js', outDir: 'dist/web', options, clean: true };
    const admin = { root, entry: 'admin/client.js', outDir: 'dist/admin', options, clean: true };
    await buildWith(bundler, admin);
    // One build is no answer to two names.
    expect((await listIn(join(root, 'dist/web'))).complete).toBe(false);
    for (const built of [web, admin, web, web, admin, admin, web]) await buildWith(bundler, built);
    expect(await judged(join(root, 'dist/web'), join(root, 'dist'))).toEqual(['home', 'bus']);
    expect((await listIn(join(root, 'dist/web'))).complete).toBe(true);
    const { builds } = await listIn(join(root, 'dist/web'));
    expect(builds.map(({ precision }) => precision)).toEqual(['emitted', 'emitted']);
    await rm(join(root, 'dist/admin'), { recursive: true });
    await buildWith(bundler, web);
    expect(await judged(join(root, 'dist/web'))).toEqual(['home']);
  });

  it('takes the place of the lists that the outputs had before one spoke for them', async () => {
    const root = await writeProject(FILES);
    const site = join(root, 'dist');
    const attribution = { html: 'credits.html' };
    const client = { root, entry: 'client.js', outDir: 'dist/client' };
    const server = { root, entry: 'server.js', outDir: 'dist/server', isServer: true };
    for (const built of [client, server])
      await buildWith(bundler, { ...built, options: { attribution } });
    await writeFiles(root, {
      'client.js': shows('star'),
      'dist/client/other.json': '{}',
    });
    const options = { attribution: { ...attribution, site } };
    for (const built of [client, server]) await buildWith(bundler, { ...built, options });
    // Bundlers that name files by their content have left the old one there.
    const left = bundler === 'vite' ? (['home'] as const) : [];
    expect(listed(await listIn(site))).toEqual([...left, 'star', 'bus']);
    const names = [...(await readTree(site)).keys()];
    expect(names.filter((name) => /icon-attr|credits|other/.test(name)).toSorted()).toEqual([
      'client/other.json',
      'credits.html',
      'icon-attribution.json',
      'icon-attribution.md',
    ]);
    await buildWith(bundler, { ...client, clean: true, options });
    expect((await listIn(site)).complete).toBe(true);
  });

  it('has a part for each build that begins with another file, until its files are gone', async () => {
    const root = await writeProject({
      'main.js': shows('home'),
      'widget.js': shows('bus'),
      'old.js': shows('star'),
    });
    const attribution = { builds: ['widget', 'old'] };
    const build = async (entry: string): Promise<string[]> => {
      const options = { attribution };
      await buildWith(bundler, { root, entry, outDir: 'dist', options });
      await judged(join(root, 'dist'));
      const { builds, complete } = await listIn(join(root, 'dist'));
      return [...builds.map(({ precision }) => precision), complete ? 'complete' : 'waits'];
    };
    expect(await build('main.js')).toEqual(['emitted', 'waits']);
    expect(await build('widget.js')).toEqual(['emitted', 'emitted', 'waits']);
    expect(await build('old.js')).toEqual(['emitted', 'emitted', 'emitted', 'complete']);
    for (const entry of ['main.js', 'widget.js', 'main.js'])
      expect(await build(entry)).toEqual(['emitted', 'emitted', 'emitted', 'complete']);
    // Its entry is called otherwise now: what it was before is there as long as its files are.
    await writeFiles(root, { 'new.js': shows('bell') });
    expect(await build('new.js')).toHaveLength(5);
    for (const file of (await readTree(join(root, 'dist'))).keys())
      if (/(?:^|\/)old[^/]*\.js$/.test(file)) await rm(join(root, 'dist', file));
    expect(await build('new.js')).toEqual(['emitted', 'emitted', 'emitted', 'waits']);
  });

  it('has a part for each of two builds that write into one folder and begin with the usual names', async () => {
    const root = await writeProject({ 'main.js': shows('home'), 'index.js': shows('bus') });
    const build = async (entry: string): Promise<void> => {
      await buildWith(bundler, { root, entry, outDir: 'dist' });
    };
    await build('main.js');
    for (const entry of ['index.js', 'index.js', 'main.js', 'main.js', 'index.js']) {
      await build(entry);
      expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
      const { builds, complete } = await listIn(join(root, 'dist'));
      expect(complete).toBe(true);
      expect(builds.map(({ precision }) => precision)).toEqual(['emitted', 'emitted']);
      const [first = '', second] = builds.map(({ id }) => id);
      expect(second).toBe(`${first}.main`);
      // Ids that the options name: either part by the bundler's, and the second one by its entry's.
      expect(missingOf([first, 'main'], builds)).toEqual([]);
    }
    // The part of the other one stays, and what a build does not show any more goes.
    await writeFiles(root, { 'main.js': shows('star') });
    for (const file of (await readTree(join(root, 'dist'))).keys())
      if (/(?:^|\/)main[^/]*\.js$/.test(file)) await rm(join(root, 'dist', file));
    await build('main.js');
    expect(await judged(join(root, 'dist'))).toEqual(['star', 'bus']);
  });

  it('has a part for each build whose entry has a name in another script', async () => {
    const shown = { '家.js': 'home', '星.js': 'star', 'äb.js': 'bus', 'öb.js': 'bell' } as const;
    const texts = Object.entries(shown).map(([entry, name]) => [entry, shows(name)]);
    const root = await writeProject(Object.fromEntries(texts));
    for (const entry of [...Object.keys(shown), '家.js'])
      await buildWith(bundler, { root, entry, outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'star', 'bell', 'bus']);
    const { builds } = await listIn(join(root, 'dist'));
    expect(builds.map(({ precision }) => precision)).toEqual(Array(4).fill('emitted'));
  });

  it('is kept up to date with its pages by builds that write no such files of their own', async () => {
    const root = await writeProject({
      'main.js': shows('home'),
      'second.js': shows('bus'),
      'docs.js': shows('star'),
    });
    const none = { json: false, html: false, markdown: false } as const;
    const options = { attribution: none };
    await buildWith(bundler, {
      root,
      entry: 'main.js',
      outDir: 'dist',
      options: { attribution: { title: 'Main' } },
    });
    await buildWith(bundler, { root, entry: 'second.js', outDir: 'dist', options });
    await buildWith(bundler, { root, entry: 'docs.js', outDir: 'dist/docs', options });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'star', 'bus']);
    const tree = await readTree(join(root, 'dist'));
    for (const end of ['html', 'md'])
      for (const title of ['Home', 'Bus', 'Star'])
        expect(String(tree.get(`icon-attribution.${end}`))).toContain(title);
    expect(String(tree.get('icon-attribution.html'))).toContain('Main</title>');
    expect([...tree.keys()].filter((name) => name.startsWith('docs/icon-attr'))).toEqual([]);
    // A page that somebody wrote is theirs.
    await writeFiles(root, { 'dist/icon-attribution.html': 'Our own words' });
    await buildWith(bundler, { root, entry: 'docs.js', outDir: 'dist/docs', options });
    await buildWith(bundler, { root, entry: 'second.js', outDir: 'dist', options });
    const { 'icon-attribution.html': page } = Object.fromEntries(
      await readTree(join(root, 'dist')),
    );
    expect(String(page)).toBe('Our own words');
  });

  it('holds what somebody pasted into a file of the folder', async () => {
    const root = await writeProject({ 'main.js': shows('home') });
    const markup = await markupOf(bundler, { root, name: 'bus' });
    await writeFiles(root, { 'dist/about.html': `<!doctype html><p>${markup}</p>` });
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
    const { icons } = await listIn(join(root, 'dist'));
    const bus = icons.find(({ title }) => title === 'Bus');
    expect(bus?.usedIn).toEqual([{ build: 'found', file: 'about.html', kind: 'inline-html' }]);
    // A build of a folder in it has not looked at that file.
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist/docs' });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
    await writeFiles(root, { 'dist/about.html': '<!doctype html><p>Nothing.</p>' });
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home']);
  });

  it('holds what is in a file of the folder, however it is written there', async () => {
    const root = await writeProject({
      'main.js': shows('home'),
      'png.js': `import icon from 'icon:bell?filetype=png&size=32&as=data'; globalThis.shown = icon;`,
    });
    const bus = await markupOf(bundler, { root, name: 'bus' });
    await buildWith(bundler, { root, entry: 'png.js', outDir: 'elsewhere' });
    const [, script] =
      [...(await readTree(join(root, 'elsewhere')))].findLast(([path]) =>
        /png.*\.js$/.test(path),
      ) ?? [];
    const [address = ''] = /data:image\/png;base64,[\w+/=]+/.exec(String(script)) ?? [];
    const picture = Buffer.from(address.replace(/.*,/, ''), 'base64');
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    const listedIn = async (files: Record<string, string | Uint8Array>): Promise<Name[]> => {
      await rm(join(root, 'dist'), { recursive: true, force: true });
      for (const [name, content] of Object.entries(files)) {
        await mkdir(join(root, 'dist', name, '..'), { recursive: true });
        await writeFile(join(root, 'dist', name), content);
      }
      await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
      const list = await listIn(join(root, 'dist'));
      expect(list.complete).toBe(true);
      return listed(list);
    };
    const escaped = bus.replaceAll(
      /[A-Za-z]/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
    const files = {
      'escaped.js': `show("${escaped.replaceAll('"', '\\"')}")`,
      'without-ending': bus,
      'bus.svgz': gzipSync(bus),
      'page.html.gz': gzipSync(`<p>${bus}</p>`),
      'page.html.br': brotliCompressSync(`<p>${bus}</p>`),
      'page.php': `<?php ?>${bus}`,
    };
    for (const [name, content] of Object.entries(files))
      expect([name, await listedIn({ [name]: content })]).toEqual([name, ['home', 'bus']]);
    // A compressed file is an earlier one of its plain one, until a later step writes it again.
    const rewritten = { 'page.html': '<p>Nothing.</p>', 'page.html.gz': gzipSync(`<p>${bus}</p>`) };
    expect(await listedIn(rewritten)).toEqual(['home']);
    expect(await listedIn({ 'logo.png': picture })).toEqual(['home', 'bell']);
    expect(await listedIn({ 'old.js': `show("${address}")` })).toEqual(['home', 'bell']);
  });

  it('takes over the list of a library, of the icons that were taken from it', async () => {
    const root = await writeProject({
      'package.json': '{"type":"module"}',
      'main.js': `import home from './node_modules/lib/home.js'; import star from 'icon:star'; import credits from 'icon:credits';
        globalThis.shown = home + star; globalThis.credited = credits;`,
      'node_modules/lib/package.json':
        '{"name":"lib","version":"1.2.3","type":"module","sideEffects":false}',
    });
    const lib = await writeProject({
      'home.js': `import icon from 'icon:home'; export default icon;`,
      'bus.js': `import icon from 'icon:bus'; export default icon;`,
    });
    const folder = join(root, 'node_modules/lib');
    for (const entry of ['home.js', 'bus.js']) {
      const built = { root: lib, entry, outDir: 'out', isServer: true };
      // Libraries of webpack and esbuild are not what this is about.
      await buildWith('rollup', built);
    }
    await cp(join(lib, 'out'), folder, { recursive: true });
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'star']);
    const { builds, icons } = await listIn(join(root, 'dist'));
    expect(builds).toContainEqual(
      expect.objectContaining({ precision: 'found', from: 'lib@1.2.3' }),
    );
    // The page of the app has the same icons, and says the same of them.
    const scripts = [...(await readTree(join(root, 'dist'))).keys()];
    const script = scripts.find((name) => name.endsWith('.js')) ?? '';
    await import(/* @vite-ignore */ pathToFileURL(join(root, 'dist', script)).href);
    expect(Reflect.get(globalThis, 'credited')).toEqual(
      icons.map(({ usedIn: _usedIn, ...credit }) => credit),
    );
  });

  it('finds icons of a library without a list by their drawings, where the lock knows them', async () => {
    const root = await writeProject({
      'main.js': `import home from './node_modules/lib/known.js'; globalThis.shown = home;`,
      'node_modules/lib/package.json': '{"name":"lib","type":"module"}',
    });
    const markup = await markupOf(bundler, { root, name: 'home' });
    await writeFiles(root, {
      'node_modules/lib/known.js': `export default ${JSON.stringify(markup)};`,
    });
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home']);
    const { builds } = await listIn(join(root, 'dist'));
    expect(builds).toContainEqual(expect.objectContaining({ precision: 'found', from: 'lib' }));

    // As after a clone: the lock, and a cache with the bytes of icons that nothing has drawn yet.
    for (const each of ['dist', '.cache/packs', '.cache/attribution', '.cache/builds'])
      await rm(join(root, each), { recursive: true, force: true });
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home']);
  });

  it('finds icons of a library without a list that only the cache knows, and locks them', async () => {
    const lib = await writeProject({});
    const home = await markupOf(bundler, { root: lib, name: 'home' });
    const bus = await markupOf(bundler, { root: lib, name: 'bus' });
    const library = {
      'node_modules/lib/package.json':
        '{"name":"lib","version":"2.1.0","type":"module","devDependencies":{"unplugin-icon-catalog":"*"}}',
      'node_modules/lib/home.js': `export default ${JSON.stringify(home)};`,
      'node_modules/lib/bus.js': `export default ${JSON.stringify(bus)};`,
    };
    const root = await writeProject({
      'main.js': `import home from './node_modules/lib/home.js'; import star from 'icon:star'; globalThis.shown = [home, star];`,
      ...library,
    });
    const options: Options = { cacheDir: join(lib, '.cache') };
    const build = { root, entry: 'main.js', outDir: 'dist', options };
    await buildWith(bundler, build);
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'star']);
    const first = await listIn(join(root, 'dist'));
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const brought = first.builds.find(({ precision }) => precision === 'found');
    expect([brought?.from, brought?.id, first.complete]).toEqual([
      'lib@2.1.0',
      'found.lib-2.1.0',
      true,
    ]);
    const uses = first.icons.map(({ id, usedIn }) => [id, usedIn.map((use) => use.build)]);
    expect(uses).toContainEqual([String(idOf('home')), [brought?.id]]);

    // Path data alone may be that of a package of icons, which states itself what it ships.
    const paths = Array.from(home.matchAll(/ d="([^"]+)"/g), ([, d]) => ['path', { d }]);
    const bare = { 'node_modules/lib/home.js': `export default ${JSON.stringify(paths)};` };
    const other = { 'node_modules/lib/package.json': '{"name":"lib","type":"module"}' };
    for (const [files, names] of [
      [bare, ['home', 'star']],
      [{ ...bare, ...other }, ['star']],
      [other, ['home', 'star']],
    ] as const) {
      for (const each of ['dist', 'icons.lock']) await rm(join(root, each), { recursive: true });
      await writeFiles(root, { ...library, ...files });
      await buildWith(bundler, build);
      expect(listed(await listIn(join(root, 'dist')))).toEqual(names);
    }
    await writeFiles(root, { ...library, 'icons.lock': lock });

    // Another machine has the lock, and none of the library's cache.
    for (const each of ['dist', '.cache'])
      await rm(join(root, each), { recursive: true, force: true });
    const locked = { ...build, options: { mode: 'locked' } as const };
    await buildWith(bundler, locked);
    expect(await listIn(join(root, 'dist'))).toEqual(first);
  });

  it('is not complete, and the build says why, where the lock may not have what only the cache knows', async () => {
    const root = await writeProject({
      'main.js': `import home from './node_modules/lib/home.js'; import star from 'icon:star'; globalThis.shown = home + star;`,
      'other.js': `import star from 'icon:star'; globalThis.shown = star;`,
      'node_modules/lib/package.json':
        '{"name":"lib","type":"module","devDependencies":{"unplugin-icon-catalog":"*"}}',
    });
    const lib = await writeProject({});
    const home = await markupOf(bundler, { root: lib, name: 'home' });
    await writeFiles(root, {
      'node_modules/lib/home.js': `export default ${JSON.stringify(home)};`,
    });
    const options: Options = { cacheDir: join(lib, '.cache') };
    await buildWith(bundler, { root, entry: 'other.js', outDir: 'before', options });
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const warnings: string[] = [];
    const warned = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      warnings.push(String(text));
      return true;
    });
    onTestFinished(() => warned.mockRestore());
    await buildWith(bundler, {
      root,
      entry: 'main.js',
      outDir: 'dist',
      options: { ...options, mode: 'locked', logLevel: 'warn' },
    });
    const list = await listIn(join(root, 'dist'));
    expect([listed(list), list.complete]).toEqual([['star'], false]);
    // The others have a log of their own.
    if (bundler === 'rollup')
      expect(warnings.join('')).toContain(
        `main.js has no credit for icon ${idOf('home')}: a library`,
      );
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toBe(lock);
  });

  it('waits for files of the lock that are still on their way from the catalog', async () => {
    const catalog = await startCountingCatalog({ sets: ['tabler', 'maki'] });
    onTestFinished(() => catalog.close());
    const { url: baseUrl, key, secret } = catalog;
    const options: Options = { catalog: { baseUrl, key, secret } };
    const root = await writeProject({
      'main.js': `import home from './node_modules/lib/known.js'; import bus from 'icon:bus'; globalThis.shown = home + bus;`,
      'node_modules/lib/package.json': '{"name":"lib","type":"module"}',
    });
    const markup = await markupOf(bundler, { root, name: 'home', options });
    await writeFiles(root, {
      'node_modules/lib/known.js': `export default ${JSON.stringify(markup)};`,
    });
    await rm(join(root, '.cache'), { recursive: true });
    // The icon that is imported comes at once.
    catalog.hold = (path) =>
      path.includes(`/${idOf('home')}/`) ? new Promise((done) => setTimeout(done, 700)) : undefined;
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist', options });
    expect(await judged(join(root, 'dist'))).toEqual(['home', 'bus']);
  });

  it('takes over the credits of components that were emitted, as far as they are imported', async () => {
    const root = await writeProject({
      'main.js': `import { Home } from './icons/index.js'; globalThis.shown = Home;`,
      'icons/package.json': '{"type":"module","sideEffects":false}',
    });
    const config = { ...optionsOf(root), lockfile: 'icons.lock', cacheDir: '.cache' };
    await writeFiles(root, { 'icon-catalog.config.json': JSON.stringify(config) });
    await emit(root, ['home', 'bus', '--framework', 'web-component', '--out', 'icons']);
    await buildWith(bundler, { root, entry: 'main.js', outDir: 'dist' });
    expect(await judged(join(root, 'dist'))).toEqual(['home']);
    const { builds } = await listIn(join(root, 'dist'));
    expect(builds).toContainEqual(expect.objectContaining({ precision: 'found', from: 'icons' }));
  });
});
