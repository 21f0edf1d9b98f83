import { chmod, lstat, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IconCatalogError } from '../../src/errors.ts';
import { createIcons, type Icons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unchecked } from '../support/unchecked.ts';

const [ONE = 0, TWO = 0] = iconIds('maki', 2);
const MODES = ['online', 'locked', 'offline'] as const;

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

interface Project {
  root: string;
  lock: string;
  log: string[];
  icons(options?: Options, env?: Record<string, string>): Icons;
  /** Code of each icon, or the code of its error. */
  load(specifiers: string[], options?: Options, env?: Record<string, string>): Promise<string[]>;
  readLock(): Promise<string>;
}

async function createProject(): Promise<Project> {
  const root = await temporaryFolder();
  const log = recordingLog();
  const { url: baseUrl, key, secret } = catalog;
  const project: Project = {
    root,
    lock: join(root, 'icons.lock'),
    log: log.lines,
    icons: (options = {}, env = {}) =>
      createIcons(
        { catalog: { baseUrl, key, secret }, cacheDir: join(root, 'cache'), ...options },
        { root, env, log },
      ),
    async load(specifiers, options, env) {
      const icons = project.icons(options, env);
      const settled = await Promise.allSettled(
        specifiers.map((specifier) => icons.load(specifier)),
      );
      await icons.close();
      return settled.map((result) =>
        result.status === 'fulfilled'
          ? result.value.code
          : (result.reason as IconCatalogError).code,
      );
    },
    readLock: () => readFile(project.lock, 'utf8'),
  };
  return project;
}

const forgetCaches = ({ root }: Project): Promise<void> =>
  rm(join(root, 'cache'), { recursive: true });

describe('a lock', () => {
  it('is written by the first online build, and the same again by any other', async () => {
    const project = await createProject();
    await project.load([
      `icon:${ONE}`,
      `icon:${TWO}?filetype=png&size=64&color=f00`,
      `icon:${ONE}?as=meta`,
    ]);
    const text = await project.readLock();
    const {
      catalog: digest,
      lockfileVersion,
      ...lines
    } = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(lines).toSorted()).toEqual(
      [`${ONE}:svg`, `${TWO}:png:ff0000:64`].toSorted(),
    );
    expect([typeof digest, lockfileVersion]).toEqual(['string', 1]);
    for (const secret of [catalog.url, '127.0.0.1', catalog.key, catalog.secret, project.root]) {
      expect(text).not.toContain(secret);
    }
    const other = await createProject();
    await other.load([`icon:${TWO}?color=f00&size=64&filetype=png`, `icon:${ONE}?size=3em`]);
    expect(await other.readLock()).toBe(text);
  });

  it('is not touched where nothing is added, and keeps permissions and links', async () => {
    const project = await createProject();
    await project.load([`icon:${ONE}`]);
    await chmod(project.lock, 0o640);
    await utimes(project.lock, 1, 1);
    await project.load([`icon:${ONE}?color=00f`]);
    expect((await stat(project.lock)).mtimeMs).toBe(1000);
    await project.load([`icon:${TWO}`]);
    const { mode, mtimeMs } = await stat(project.lock);
    expect([mode & 0o777, mtimeMs > 1000]).toEqual([0o640, true]);

    const linked = await createProject();
    await symlink(project.lock, linked.lock);
    const [THREE = 0] = iconIds('tabler', 1);
    await linked.load([`icon:${THREE}`]);
    expect((await lstat(linked.lock)).isSymbolicLink()).toBe(true);
    expect(await project.readLock()).toContain(`"${THREE}:svg"`);

    await rm(project.lock);
    await linked.load([`icon:${TWO}`]);
    expect((await lstat(linked.lock)).isSymbolicLink()).toBe(true);
    expect(await project.readLock()).toContain(`"${TWO}:svg"`);
  });

  it('holds: neither the catalog nor the cache changes an entry that is there', async () => {
    const project = await createProject();
    const [before] = await project.load([`icon:${ONE}`]);
    const pinned = unchecked(await project.readLock()).replace(
      /"term":"[^"]*"/,
      '"term":"as pinned"',
    );
    await writeFile(project.lock, pinned);
    const [after = ''] = await project.load([`icon:${ONE}`]);
    expect(after).not.toBe(before);
    expect(after).toContain('as pinned');
    expect(await project.readLock()).toBe(pinned);
    expect(catalog.calls).toHaveLength(2);
  });

  it('that cannot be written is a warning', async () => {
    const project = await createProject();
    await writeFile(join(project.root, 'blocked'), '');
    const [code] = await project.load([`icon:${ONE}`], { lockfile: 'blocked/icons.lock' });
    expect(code).toContain('export default');
    expect(project.log.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('blocked/icons.lock cannot be written (EEXIST, '),
    ]);
  });

  it('is created with its folder', async () => {
    const project = await createProject();
    await project.load([`icon:${ONE}`], { lockfile: 'config/icons/icons.lock' });
    expect(project.log.filter((line) => line.startsWith('warn'))).toEqual([]);
    const lock = join(project.root, 'config/icons/icons.lock');
    expect(await readFile(lock, 'utf8')).toContain(`"${ONE}:svg":`);
  });

  it('that is broken stops a build, with its line', async () => {
    const project = await createProject();
    await project.load([`icon:${ONE}`]);
    await writeFile(project.lock, (await project.readLock()).replace('"rev":1', '"rev":"1"'));
    await expect(project.icons().load(`icon:${ONE}`)).rejects.toThrow(
      /LOCK_INVALID.*icons\.lock:2/,
    );
  });
});

/** State of the lock and of the machine: what comes of an icon in each mode, and the calls it costs. */
const TABLE: {
  state: string;
  pinned: boolean;
  cached: boolean;
  expected: Record<(typeof MODES)[number], [outcome: string, calls: number]>;
}[] = [
  {
    state: 'in neither lock nor cache',
    pinned: false,
    cached: false,
    expected: { online: ['code', 2], locked: ['LOCK_MISSING', 0], offline: ['LOCK_MISSING', 0] },
  },
  {
    state: 'in the cache only',
    pinned: false,
    cached: true,
    expected: { online: ['code', 0], locked: ['LOCK_MISSING', 0], offline: ['LOCK_MISSING', 0] },
  },
  {
    state: 'in the lock only',
    pinned: true,
    cached: false,
    expected: { online: ['code', 1], locked: ['code', 1], offline: ['OFFLINE_MISSING', 0] },
  },
  {
    state: 'in both',
    pinned: true,
    cached: true,
    expected: { online: ['code', 0], locked: ['code', 0], offline: ['code', 0] },
  },
];

describe('what a mode does with an icon', () => {
  for (const { state, pinned, cached, expected } of TABLE) {
    it.each(MODES)(`${state}, %s`, async (mode) => {
      const [outcome, calls] = expected[mode];
      for (const query of ['', '?filetype=png&size=40', '?as=url&color=0f0']) {
        const project = await createProject();
        const specifier = `icon:${ONE}${query}`;
        const [right] = await project.load([specifier]);
        const lock = await project.readLock();
        if (!pinned) await rm(project.lock);
        if (!cached) await forgetCaches(project);
        catalog.reset();
        const [found] = await project.load([specifier], { mode });
        expect(found).toBe(outcome === 'code' ? right : outcome);
        expect(catalog.calls).toHaveLength(calls);
        const after = await project.readLock().catch(() => undefined);
        expect(after).toBe(pinned || mode === 'online' ? lock : undefined);
      }
    });
  }

  it('the record alone needs any line of the icon, and no bytes', async () => {
    const project = await createProject();
    const [right] = await project.load([`icon:${ONE}?as=meta`]);
    expect(await project.readLock()).toContain(`"${ONE}:meta":{"rev":1,"term"`);
    await forgetCaches(project);
    for (const mode of MODES) {
      expect(await project.load([`icon:${ONE}?as=meta`], { mode })).toEqual([right]);
    }
    await project.load([`icon:${ONE}`]);
    expect(await project.readLock()).not.toContain(':meta');
    expect(await project.load([`icon:${ONE}?as=meta`], { mode: 'offline' })).toEqual([right]);
    expect(await project.load([`icon:${TWO}?as=meta`], { mode: 'locked' })).toEqual([
      'LOCK_MISSING',
    ]);
    expect(catalog.calls).toHaveLength(2);
  });

  it('the embedded catalog obeys too', async () => {
    const project = await createProject();
    const embedded: Options = { catalog: { embedded: { sets: ['maki'], root: process.cwd() } } };
    const [right] = await project.load([`icon:${ONE}`], embedded);
    expect(
      await project.load([`icon:${ONE}`, `icon:${TWO}`], { ...embedded, mode: 'locked' }),
    ).toEqual([right, 'LOCK_MISSING']);
    await forgetCaches(project);
    expect(await project.load([`icon:${ONE}`], { ...embedded, mode: 'offline' })).toEqual([
      'OFFLINE_MISSING',
    ]);
    expect(await project.load([`icon:${ONE}`], { ...embedded, mode: 'locked' })).toEqual([right]);
  });

  it('neither needs nor asks for credentials where the machine has everything', async () => {
    const project = await createProject();
    const right = await project.load([`icon:${ONE}`]);
    for (const mode of MODES) {
      const icons = createIcons(
        { cacheDir: join(project.root, 'cache'), mode },
        { root: project.root, env: {}, log: recordingLog() },
      );
      expect([(await icons.load(`icon:${ONE}`)).code]).toEqual(right);
      await icons.close();
    }
  });
});

describe('the mode', () => {
  it.each([
    ['CI', { CI: 'true' }, 'LOCK_MISSING'],
    ['CI=1', { CI: '1' }, 'LOCK_MISSING'],
    ['CI=false', { CI: 'false' }, 'code'],
    ['CI=0', { CI: '0' }, 'code'],
    ['an empty CI', { CI: '' }, 'code'],
    ['ICON_CATALOG_MODE', { ICON_CATALOG_MODE: 'offline' }, 'LOCK_MISSING'],
    ['ICON_CATALOG_MODE before CI', { CI: '1', ICON_CATALOG_MODE: 'online' }, 'code'],
  ])('comes from %s where a lock is there', async (_name, env, outcome) => {
    const project = await createProject();
    await project.load([`icon:${ONE}`]);
    const [found = ''] = await project.load([`icon:${TWO}`], {}, env);
    expect(found.includes('export default') ? 'code' : found).toBe(outcome);
  });

  it('is online in CI without a lock, and what the option says in any case', async () => {
    const project = await createProject();
    const [code] = await project.load([`icon:${ONE}`], {}, { CI: '1' });
    expect(code).toContain('export default');
    const env = { CI: '1', ICON_CATALOG_MODE: 'offline' };
    expect(await project.load([`icon:${TWO}`], { mode: 'online' }, env)).not.toEqual([
      'LOCK_MISSING',
    ]);
  });

  it('that is unknown is refused', () => {
    const given = (): unknown =>
      createIcons({}, { root: '/', env: { ICON_CATALOG_MODE: 'frozen' } });
    expect(given).toThrow(
      /OPTIONS_INVALID.*ICON_CATALOG_MODE is "frozen".*online, locked, offline/s,
    );
  });
});

describe('bytes that are not those of the lock', () => {
  const otherDigest = async (project: Project): Promise<void> => {
    const other = await createProject();
    await other.load([`icon:${TWO}`]);
    const integrity = /"integrity":"([^"]*)"/;
    const [, wrong = ''] = integrity.exec(await other.readLock()) ?? [];
    const text = await project.readLock();
    await writeFile(project.lock, text.replace(integrity, `"integrity":"${wrong}"`));
  };

  it.each(['online', 'locked'] as const)('are refused from the catalog: %s', async (mode) => {
    const project = await createProject();
    await project.load([`icon:${ONE}`, `icon:${ONE}?filetype=png`]);
    await otherDigest(project);
    await forgetCaches(project);
    const failed = project.icons({ mode }).load(`icon:${ONE}?filetype=png`);
    await expect(failed).rejects.toThrow(
      new RegExp(`LOCK_MISMATCH.*${ONE}:png.*update --check ${ONE}`, 's'),
    );
  });

  it('are not taken from the caches either, whatever lies in them under the icon', async () => {
    const project = await createProject();
    const [right] = await project.load([`icon:${ONE}`]);
    const lock = await project.readLock();
    await otherDigest(project);
    expect(await project.load([`icon:${ONE}`], { mode: 'offline' })).toEqual(['OFFLINE_MISSING']);
    expect(await project.load([`icon:${ONE}`])).toEqual(['LOCK_MISMATCH']);
    await writeFile(project.lock, lock);
    expect(await project.load([`icon:${ONE}`], { mode: 'offline' })).toEqual([right]);
  });

  it('are an error in the build that comes second if two of them pin different ones', async () => {
    const project = await createProject();
    const [first, second] = ['one', 'two'].map((name) =>
      project.icons({ cacheDir: join(project.root, name), mode: 'online' }),
    );
    await first?.load(`icon:${ONE}`);
    // The catalog has another drawing meanwhile, and the lock is not written yet.
    catalog.intercept = (path, response) => {
      if (!path.includes('/download')) return false;
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h2v2z"/></svg>';
      const body = {
        base64_encoded_file: Buffer.from(svg).toString('base64'),
        content_type: 'image/svg+xml',
        usage_limits: { monthly: { limit: 9, usage: 1 } },
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    };
    await second?.load(`icon:${ONE}`);
    await first?.close();
    const pinned = await project.readLock();
    await expect(second?.close()).rejects.toThrow(
      new RegExp(`LOCK_MISMATCH.*Another process wrote other bytes for "${ONE}:svg"`, 's'),
    );
    expect(await project.readLock()).toBe(pinned);
    // What it has fetched is in its cache by then: nothing writes there any more.
    const kept = await readFile(join(project.root, 'two/content/icons-1.pack'), 'utf8');
    expect(kept).toContain('M1 1h2v2z');
  });
});
