import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStorage, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import type { Options } from '../../src/options/options.ts';
import { createSession } from '../../src/build/session.ts';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';
import type { Session } from '../../src/build/session-interface.ts';

const [one = 0, two = 0, three = 0] = iconIds('maki', 3);
const BUILD = {
  id: 'test',
  bundler: 'test',
  consumer: 'client',
  precision: 'module-graph',
} as const;

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ keys: [{ key: 'k', secret: 's', monthlyLimit: 20 }] });
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

async function sessionIn(
  cacheDir: string,
  { root = cacheDir, ...options }: Options & { root?: string } = {},
): Promise<{ session: Session; lines: string[] }> {
  const { url: baseUrl, key, secret } = catalog;
  const session = createSession(
    { catalog: { baseUrl, key, secret }, cacheDir, ...options },
    'test',
  );
  const { lines, ...log } = recordingLog();
  session.configure({ root, env: {}, log });
  onTestFinished(() => session.close());
  return { session, lines };
}

describe('a session', () => {
  it('says what the build did, and that a second one made no calls', async () => {
    const cacheDir = await temporaryFolder();
    const { session, lines } = await sessionIn(cacheDir);
    session.begin();
    for (const specifier of [`icon:${one}`, `icon:${one}?color=f00`, `icon:${two}`])
      await session.load(session.resolve(specifier, '/main.js'));
    await session.end(['dist/icon-attribution.html']);
    expect(lines.at(-1)).toMatch(
      /^info test: 2 icons in 3 variants · 4 signed calls · 0 from cache · [\d.]+ s · 4 of 20 calls used this month · attribution: dist\/icon-attribution\.html$/,
    );

    session.begin();
    await session.load(session.resolve(`icon:${one}`, '/main.js'));
    await session.end();
    expect(lines.at(-1)).toMatch(
      /^info test: 1 icon in 1 variant · 0 signed calls · 1 from cache · [\d.]+ s$/,
    );
  });

  it('pins what a dev server asks for without an end of a build', async () => {
    const folder = await temporaryFolder();
    const embedded = { sets: ['maki'], root: process.cwd() };
    const { session } = await sessionIn(folder, { catalog: { embedded } });
    const asked = [one, two].map((id) => session.resolve(`icon:${id}`, '/main.js'));
    await Promise.all(asked.map((id) => session.load(id, { placeholder: true })));
    const lock = (): Promise<string> => readFile(join(folder, 'icons.lock'), 'utf8');
    await expect.poll(() => lock().catch(() => ''), { timeout: 20_000 }).not.toBe('');
    expect((await lock()).match(/^"\d+:svg":/gm)).toHaveLength(2);
  });

  it('warns from 90 % of the monthly limit on', async () => {
    const { session, lines } = await sessionIn(await temporaryFolder());
    session.begin();
    for (const id of iconIds('tabler', 7)) await session.load(session.resolve(`icon:${id}`));
    await session.end();
    expect(
      lines.find((line) => line.startsWith('warn ') && line.includes("this month's 20 calls")),
    ).toMatch(/9\d %/);
  });

  it('shares calls, limits and caches with other sessions of equal options', async () => {
    const big = await startCountingCatalog({ latency: 20 });
    onTestFinished(() => big.close());
    const cacheDir = await temporaryFolder();
    const options = {
      catalog: { baseUrl: big.url, key: big.key, secret: big.secret },
      concurrency: 2,
    };
    const all = await Promise.all([1, 2, 3].map(() => sessionIn(cacheDir, options)));
    const ids = iconIds('tabler', 12);
    await Promise.all(
      all.map(async ({ session }) => {
        session.begin();
        await Promise.all(ids.map((id) => session.load(session.resolve(`icon:${id}`))));
        await session.end();
      }),
    );
    expect(big.calls).toHaveLength(24);
    expect(big.peak).toBe(2);
  });

  it('shares them for options with functions or a storage, if these are the same ones', async () => {
    const big = await startCountingCatalog({ latency: 20 });
    onTestFinished(() => big.close());
    // As an object of a class: nothing of its own tells one from another.
    const storage = (): Storage =>
      Object.create(createStorage({ driver: memoryDriver() })) as Storage;
    const transform =
      () =>
      (svg: string): string =>
        svg;
    const credentials = { baseUrl: big.url, key: big.key, secret: big.secret };
    const [id = 0] = iconIds('tabler', 1);
    /** Calls that two sessions make which want one icon at the same time. */
    const callsOf = async (first: Options, second: Options): Promise<number> => {
      big.reset();
      const cacheDir = await temporaryFolder();
      const opened = [];
      for (const options of [first, second])
        opened.push(await sessionIn(cacheDir, { catalog: credentials, ...options }));
      const [one, two] = opened.map(({ session }) => session);
      one?.begin();
      two?.begin();
      await Promise.all([one, two].map(async (each) => each?.load(each.resolve(`icon:${id}`))));
      await one?.end();
      await two?.end();
      // Sessions that share nothing have a line of the summary each for calls of their own.
      const said = opened.flatMap(({ lines }) => lines.filter((line) => line.includes('signed')));
      expect(said).toHaveLength(2);
      return said.filter((line) => line.includes('· 2 signed calls ·')).length;
    };
    const [fn, other] = [transform(), transform()];
    const [store, otherStore] = [storage(), storage()];
    // Counters are shared as everything is: both say what was done together.
    expect(await callsOf({ svg: { transform: fn } }, { svg: { transform: fn } })).toBe(2);
    expect(await callsOf({ sharedCache: store }, { sharedCache: store })).toBe(2);
    expect(await callsOf({ svg: { transform: fn } }, { svg: { transform: other } })).toBe(1);
    expect(await callsOf({ sharedCache: store }, { sharedCache: otherStore })).toBe(1);
  });

  it('credits ids that a warm bundler cache hands over without having asked for them', async () => {
    const cacheDir = await temporaryFolder();
    const id = `icon:${three}?as=svg&color=currentColor&filetype=svg&size=1em`;
    const first = await startCountingCatalog();
    onTestFinished(() => first.close());
    const options = { catalog: { baseUrl: first.url, key: first.key, secret: first.secret } };
    const cold = await sessionIn(cacheDir, options);
    cold.session.begin();
    await cold.session.load(cold.session.resolve(id));
    await cold.session.end();
    await cold.session.close();
    first.reset();
    const warm = await sessionIn(cacheDir, options);
    warm.session.begin();
    const files = await warm.session.attributionFiles(
      [{ id, file: 'main.js', kind: 'inline-js' }],
      BUILD,
    );
    expect(files.map(({ fileName }) => fileName)).toEqual([
      'icon-attribution.json',
      'icon-attribution.html',
      'icon-attribution.md',
    ]);
    expect(files[0]?.source.toString()).toContain(`"${three}"`);
    expect(first.calls).toEqual([]);
  });

  it('writes the same bytes whatever the order in which icons were found', async () => {
    const cacheDir = await temporaryFolder();
    const { session } = await sessionIn(cacheDir, {
      catalog: { embedded: { sets: ['maki'], root: process.cwd() } },
    });
    const usages = iconIds('maki', 8).map((id) => ({
      id: session.resolve(`icon:${id}`),
      file: 'main.js',
      kind: 'inline-js' as const,
    }));
    session.begin();
    const files = await session.attributionFiles(usages, BUILD);
    expect(await session.attributionFiles(usages.toReversed(), BUILD)).toEqual(files);
  });

  it('has a fingerprint that follows what changes the output, and only that', () => {
    const print = (options: Options): string => createSession(options, 'test').fingerprint;
    const base = print({});
    expect(print({ concurrency: 2, cacheDir: '/x', logLevel: 'silent', budget: 3 })).toBe(base);
    expect(print({ aliases: { a: 1 } })).not.toBe(base);
    expect(print({ svg: { optimize: false } })).not.toBe(base);
    const aliases = { a: 1, b: 2 };
    expect(print({ svg: { strict: true, optimize: false }, aliases })).toBe(
      print({ aliases: { b: 2, a: 1 }, svg: { optimize: false, strict: true } }),
    );
    expect(print({ svg: { transform: (svg) => `${svg} ` } })).not.toBe(
      print({ svg: { transform: (svg) => svg } }),
    );
    // The lock says what comes from the catalog.
    expect(print({ catalog: 'embedded', mode: 'offline' })).toBe(base);
    const at = (key: string) =>
      print({ catalog: { baseUrl: 'https://a.example', key, secret: key } });
    expect(at('one')).toBe(base);
  });

  it('says which set is missing instead of blaming the network', async () => {
    const { session } = await sessionIn(await temporaryFolder(), {
      catalog: { embedded: { sets: ['not-there'] } },
    });
    session.begin();
    for (const id of [one, one + 1]) await session.load(session.resolve(`icon:${id}`, '/main.js'));
    const { message = '' } = session.missing() ?? {};
    expect(message).toMatch(
      /^\[OPTIONS_INVALID\] [^:]* The icons are:(?:\n    icon:\d+, imported by \/main\.js){2}\n/,
    );
    expect(message.match(/npm i -D @iconify-json\/not-there/g)).toHaveLength(1);
  });

  it('waits with calls and with new lines of the lock for whoever may ask for them, and with nothing else', async () => {
    const cacheDir = await temporaryFolder();
    const unlimited = await startCountingCatalog();
    onTestFinished(unlimited.close);
    const { url: baseUrl, key, secret, calls } = unlimited;
    const given = { catalog: { baseUrl, key, secret } };
    const first = await sessionIn(cacheDir, { ...given, root: await temporaryFolder() });
    const ids = [one, two].map((id) => first.session.resolve(`icon:${id}`, '/main.js'));
    const [known = '', unknown = ''] = ids;
    await first.session.load(known);
    await first.session.end();
    expect(calls).toHaveLength(2);

    // The cache knows the first icon, and the lock of this project does not.
    const root = await temporaryFolder();
    const { session } = await sessionIn(cacheDir, { ...given, root });
    let allow: (() => void) | undefined;
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    session.configure({ mayCall: () => allowed });
    const loaded: string[] = [];
    const waiting = ids.map(async (id) => {
      await session.load(session.resolve(id, '/main.js'));
      loaded.push(id);
    });
    // As long as the first session takes for both.
    for (const id of ids) await first.session.load(id);
    expect(calls).toHaveLength(4);
    expect(loaded).toEqual([]);
    allow?.();
    await Promise.all(waiting);
    await session.end();
    const lock = await readFile(join(root, 'icons.lock'), 'utf8');
    expect(lock).toContain(`"${one}:svg"`);

    // A project that has both in its lock waits for nothing.
    const third = await sessionIn(cacheDir, { ...given, root });
    third.session.configure({ mayCall: () => new Promise(() => undefined) });
    expect(await third.session.load(third.session.resolve(unknown, '/main.js'))).toMatchObject({
      kind: 'code',
    });

    // A clone has the lock alone.
    const clone = await sessionIn(await temporaryFolder(), { ...given, root });
    clone.session.configure({
      mayCall: () => {
        throw new Error('no calls yet');
      },
    });
    await expect(clone.session.load(clone.session.resolve(known, '/main.js'))).rejects.toThrow(
      'no calls yet',
    );
  });

  it('waits with a second colour of a drawing that the lock has in another one', async () => {
    const folder = await writeProject({
      'drawings/two.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#c00" d="M1 1h3v3z"/><path fill="#06c" d="M5 5h3v3z"/></svg>',
    });
    const own = await startCountingCatalog({ folders: [join(folder, 'drawings')] });
    onTestFinished(own.close);
    const { url: baseUrl, key, secret } = own;
    const given = { catalog: { baseUrl, key, secret } };
    const id = embeddedIconId('drawings', 'two');
    const cacheDir = await temporaryFolder();
    const root = await temporaryFolder();
    const load = ({ session }: { session: Session }, specifier: string): Promise<unknown> =>
      session.load(session.resolve(specifier, '/main.js'));
    const first = await sessionIn(cacheDir, { ...given, root: await temporaryFolder() });
    await load(first, `icon:${id}?color=f00`);
    await first.session.end();
    const second = await sessionIn(cacheDir, { ...given, root });
    await load(second, `icon:${id}`);
    await second.session.end();
    second.session.configure({
      mayCall: () => {
        throw new Error('not yet');
      },
    });
    await load(second, `icon:${id}`);
    await expect(load(second, `icon:${id}?color=f00`)).rejects.toThrow('not yet');
  });

  it('fetches nothing for attribution: false', async () => {
    const { session } = await sessionIn(await temporaryFolder(), { attribution: false });
    session.begin();
    expect(
      await session.attributionFiles(
        [{ id: `icon:${one}?as=svg`, file: 'a.js', kind: 'inline-js' }],
        BUILD,
      ),
    ).toEqual([]);
    expect(catalog.calls).toEqual([]);
  });
});
