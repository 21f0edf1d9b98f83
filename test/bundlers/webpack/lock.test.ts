import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../../src/icons.ts';
import type { Options } from '../../../src/options/options.ts';
import { embeddedIconId } from '../../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../../support/counting-catalog.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { unchecked } from '../../support/unchecked.ts';
import { BUNDLERS, writeFiles, type Bundler } from './bundle.ts';
import { age, buildProject, HOME, STAR, watchProject, type Built } from './real-project.ts';

const FILES = {
  'src/index.js': `import './home.js'; import './star.js'; import './other.js'; import './style.css'; import './plain.css'`,
  'src/home.js': `import icon, { credit } from 'icon:${HOME}'; console.log(icon, credit)`,
  'src/star.js': `import icon, { credit } from 'icon:${STAR}'; console.log(icon, credit)`,
  'src/other.js': `console.log('other')`,
  'src/style.css': `b { background: url("icon:${HOME}?color=ff0000"), url("icon:${STAR}?color=ff0000") }`,
  'src/plain.css': `i { color: red }`,
};

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
});
afterAll(() => catalog.close());

function options(root: string, more: Options = {}): Options {
  const { url: baseUrl, key, secret } = catalog;
  return { catalog: { baseUrl, key, secret }, cacheDir: join(root, '.icons'), ...more };
}

async function project(): Promise<string> {
  const root = await temporaryFolder();
  await writeFiles(root, FILES);
  const icons = createIcons(options(root), { root, env: {} });
  await icons.sync([`icon:${HOME}`, `icon:${STAR}`]);
  await icons.close();
  await age(root, [...Object.keys(FILES), 'icons.lock']);
  return root;
}

const watch = (bundler: Bundler, root: string, more: Options = {}) =>
  watchProject(bundler, { root, options: options(root, more) });

const build = (bundler: Bundler, root: string, more: Options = {}): Promise<Built> =>
  buildProject(bundler, { root, options: options(root, more), persistent: true });

async function editLock(root: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(join(root, 'icons.lock'), 'utf8');
  const after = change(unchecked(before));
  expect(after).not.toBe(before);
  await writeFiles(root, { 'icons.lock': after });
}

const rename = (from: string, to: string) => (text: string) =>
  text.replace(`"term":"${from}"`, `"term":"${to}"`);

describe.each(BUNDLERS)('a changed lock, with %s', (bundler) => {
  it.each(['online', 'locked', 'offline'] as const)(
    'rebuilds the icons that it is about while watching, and nothing else, %s',
    async (mode) => {
      const root = await project();
      const { next } = await watch(bundler, root, { mode });
      const first = await next();
      expect(first.errors).toEqual([]);
      expect(first.made).toContain('icon of star');

      await editLock(root, rename('Home', 'Casa'));
      const second = await next();
      expect(second).toMatchObject({ errors: [], made: ['icon of home', 'style.css'] });
      expect(second.output).toContain('Casa');

      await editLock(root, rename('Star', 'Stella'));
      const third = await next();
      expect(third).toMatchObject({ errors: [], made: ['icon of star', 'style.css'] });
      expect(third.output).toContain('Stella');

      // A line of an icon that is not imported.
      await editLock(root, (text) => {
        const line = text.split('\n').find((one) => one.startsWith(`"${STAR}:`)) ?? '';
        return text.replace(line, `${line}\n${line.replace(/^"\d+/, '"999999999999999')}`);
      });
      expect(await next()).toMatchObject({ errors: [], made: [] });
    },
  );

  it('is an error while it cannot be read, and recovers', async () => {
    const root = await project();
    const { next } = await watch(bundler, root, { mode: 'locked' });
    await next();
    await editLock(root, (text) => text.replace('"rev":1', '"rev":'));
    const broken = await next();
    expect(broken.errors.join('\n')).toContain('LOCK_INVALID');
    await editLock(root, (text) => rename('Home', 'Casa')(text.replace('"rev":,', '"rev":1,')));
    const repaired = await next();
    expect(repaired.errors).toEqual([]);
    expect(repaired.output).toContain('Casa');
  });

  it('lets an icon in that was missing', async () => {
    const root = await project();
    const whole = await readFile(join(root, 'icons.lock'), 'utf8');
    await writeFile(join(root, 'icons.lock'), whole.replace(new RegExp(`"${STAR}:svg".*\\n`), ''));
    await age(root, ['icons.lock']);
    const { next } = await watch(bundler, root, { mode: 'locked' });
    expect((await next()).errors.join('\n')).toContain('LOCK_MISSING');
    await writeFiles(root, { 'icons.lock': whole });
    const second = await next();
    expect(second.errors).toEqual([]);
    expect(second.output).toContain('Star');
  });

  it('is seen by the first build of a process with a persistent cache', async () => {
    const root = await project();
    const first = await build(bundler, root, { mode: 'locked' });
    expect(first).toMatchObject({ errors: [] });
    expect((await build(bundler, root, { mode: 'locked' })).made).toEqual([]);

    await editLock(root, rename('Home', 'Casa'));
    const third = await build(bundler, root, { mode: 'locked' });
    expect(third.errors).toEqual([]);
    expect(third.output).toContain('Casa');
    expect(third.made).toContain('icon of home');
    expect(third.made).not.toContain('home.js');
    expect((await build(bundler, root, { mode: 'locked' })).made).toEqual([]);
  });

  it('that comes into being rebuilds nothing', async () => {
    const root = await project();
    await rm(join(root, 'icons.lock'));
    const { next } = await watch(bundler, root);
    expect((await next()).errors).toEqual([]);
    // Written at the end of that build.
    expect(await next()).toMatchObject({ errors: [], made: [] });
    await editLock(root, rename('Home', 'Casa'));
    expect(await next()).toMatchObject({ errors: [], made: ['icon of home', 'style.css'] });
  });
});

describe.each(BUNDLERS)('a changed vendor file, with %s', (bundler) => {
  const HEART = embeddedIconId('tabler', 'heart');
  const OFFLINE: Options = { mode: 'offline', vendor: true };

  /** With the lines of three icons in a vendor file, and in no other place. */
  async function vendored(): Promise<{
    root: string;
    lock: string;
    /** Writes the vendor file without the lines of some icons. */
    writeWithout(...ids: number[]): Promise<void>;
    /** What the lock says about the bytes of an icon. */
    bytesOf(id: number): string;
  }> {
    const root = await temporaryFolder();
    await writeFiles(root, FILES);
    const icons = createIcons(options(root, { vendor: true }), { root, env: {} });
    await icons.sync([HOME, STAR, HEART].map((id) => `icon:${id}`));
    await icons.close();
    await rm(join(root, '.icons'), { recursive: true });
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    const whole = await readFile(join(root, 'icons.vendor.ndjson'), 'utf8');
    const bytesOf = (id: number): string =>
      new RegExp(`"${id}:svg":\\{"rev":1,("integrity":"[^"]+","size":\\d+)`).exec(lock)?.[1] ?? '';
    return {
      root,
      lock,
      bytesOf,
      async writeWithout(...ids) {
        const digests = ids.map((id) => bytesOf(id).slice(0, 60));
        const lines = whole
          .split('\n')
          .filter((line) => !digests.some((one) => line.includes(one)));
        await writeFiles(root, { 'icons.vendor.ndjson': lines.join('\n') });
      },
    };
  }

  const AGED = [...Object.keys(FILES), 'icons.lock', 'icons.vendor.ndjson'];

  it('lets an icon in that was missing, and rebuilds nothing else', async () => {
    const { root, writeWithout } = await vendored();
    await writeWithout(STAR);
    await age(root, AGED);
    const { next } = await watch(bundler, root, OFFLINE);
    expect((await next()).errors.join('\n')).toContain('OFFLINE_MISSING');

    await writeWithout();
    const second = await next();
    expect(second).toMatchObject({ errors: [], made: ['icon of star', 'style.css'] });
    expect(second.output).toContain('Star');

    // Nothing of what was made depends on a line that is gone, or on one that is not imported.
    await writeWithout(HEART);
    expect(await next()).toMatchObject({ errors: [], made: [] });
    await writeWithout(HEART, STAR);
    expect(await next()).toMatchObject({ errors: [], made: [] });
  });

  it('gives the bytes that a changed lock asks for, whichever is written first', async () => {
    const { root, lock, bytesOf, writeWithout } = await vendored();
    await writeWithout(HEART);
    await age(root, AGED);
    const { next } = await watch(bundler, root, OFFLINE);
    const first = await next();
    expect(first.errors).toEqual([]);

    await editLock(root, (text) => text.replace(bytesOf(HOME), bytesOf(HEART)));
    expect((await next()).errors.join('\n')).toContain('OFFLINE_MISSING');
    await writeWithout();
    const redrawn = await next();
    expect(redrawn).toMatchObject({ errors: [], made: ['icon of home', 'style.css'] });
    expect(redrawn.output).not.toBe(first.output);

    await writeWithout(HEART);
    expect(await next()).toMatchObject({ errors: [], made: [] });
    await writeFiles(root, { 'icons.lock': lock });
    const restored = await next();
    expect(restored).toMatchObject({ errors: [], made: ['icon of home', 'style.css'] });
    expect(restored.output).toBe(first.output);
  });
});
