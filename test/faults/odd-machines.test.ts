import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIcons } from '../../src/index.ts';
import type { Options } from '../../src/options/options.ts';
import { readCacheKey } from '../../src/store/packs.ts';
import { withFileLock } from '../../src/store/file-lock.ts';
import { replaceFile } from '../../src/store/files.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const links = vi.hoisted(() => ({ areThere: true, asked: 0 }));
vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs/promises')>();
  const link: typeof original.link = (from, to) => {
    links.asked += 1;
    const missing = Object.assign(new Error('EPERM'), { code: 'EPERM' });
    return links.areThere ? original.link(from, to) : Promise.reject(missing);
  };
  return { ...original, link, rename: refusing(original.rename) };
});
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs')>();
  return { ...original, openSync: refusing(original.openSync) };
});

/** How often the next `rename` or `openSync` fails, as on Windows where another process has the file open. */
const refused = vi.hoisted(() => ({ rename: 0, openSync: 0, code: 'EPERM' }));

function refusing<Call extends (...given: never[]) => unknown>(call: Call): Call {
  const name = call.name as 'rename' | 'openSync';
  return ((...given) => {
    if (refused[name] === 0) return call(...given);
    refused[name] -= 1;
    throw Object.assign(new Error(refused.code), { code: refused.code });
  }) as Call;
}

const [FIRST = 0, SECOND = 0] = iconIds('maki', 2);

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

interface Project {
  root: string;
  lock: string;
  cacheDir: string;
  /** A run that adds the icon to the lock. Resolves to its warnings. */
  add(id: number, log?: ReturnType<typeof recordingLog>): Promise<string[]>;
}

async function project(): Promise<Project> {
  const [root, cacheDir] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const { url: baseUrl, key, secret } = catalog;
  const options: Options = { catalog: { baseUrl, key, secret }, cacheDir, mode: 'online' };
  return {
    root,
    cacheDir,
    lock: join(root, 'icons.lock'),
    async add(id, log = recordingLog()) {
      const icons = createIcons(options, { root, env: {}, log });
      await icons.load(`icon:${id}`);
      await icons.close();
      return log.lines.filter((line) => line.startsWith('warn'));
    },
  };
}

const heldBy = (host: string, pid: number): string =>
  JSON.stringify({ host, pid, token: 'a-token' });

it('a cache folder that cannot be used is one warning', async () => {
  const { cacheDir, add } = await project();
  await rm(cacheDir, { recursive: true });
  await writeFile(cacheDir, '');
  const about = (await add(FIRST)).filter((line) => /icon cache|optimised icons/.test(line));
  expect(about).toEqual([expect.stringContaining(`The icon cache ${cacheDir} cannot be used`)]);
});

describe('a file that another process has open', () => {
  /** @returns the content of the file after it was replaced, or tried to be */
  async function replaceWhile(
    platform: string,
    refusals: Partial<typeof refused>,
  ): Promise<string> {
    const file = join(await temporaryFolder(), 'icons.lock');
    await writeFile(file, 'old');
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
    onTestFinished(() => {
      vi.restoreAllMocks();
      Object.assign(refused, { rename: 0, openSync: 0 });
    });
    Object.assign(refused, { rename: 0, openSync: 0, ...refusals });
    const failure = await replaceFile(file, () => Buffer.from('new')).catch(String);
    expect(await readdir(join(file, '..'))).toEqual(['icons.lock']);
    return typeof failure === 'string' ? failure : await readFile(file, 'utf8');
  }

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is replaced in a moment on Windows: %s', async (code) => {
    expect(await replaceWhile('win32', { code, rename: 3 })).toBe('new');
  });

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is locked in a moment on Windows: %s', async (code) => {
    expect(await replaceWhile('win32', { code, openSync: 3 })).toBe('new');
  });

  it('is an error where it stays open', async () => {
    expect(await replaceWhile('win32', { code: 'EPERM', rename: 1000 })).toBe('Error: EPERM');
    expect(refused.rename).toBeGreaterThan(900);
    expect(await replaceWhile('win32', { code: 'EPERM', openSync: 1000 })).toBe('Error: EPERM');
  });

  it.each([{ rename: 1 }, { openSync: 1 }])('is an error at once elsewhere: %o', async (once) => {
    expect(await replaceWhile('linux', { code: 'EPERM', ...once })).toBe('Error: EPERM');
  });

  it('is an error at once where it fails for another reason', async () => {
    expect(await replaceWhile('win32', { code: 'ENOSPC', rename: 1 })).toBe('Error: ENOSPC');
  });
});

describe('the lock of the lock file', () => {
  it('is reported with its owner if a process of another host does not release it', async () => {
    const { lock, add } = await project();
    await add(FIRST);
    await writeFile(`${lock}.lock`, heldBy('another-host', 4321));
    const log = recordingLog();
    const adding = add(SECOND, log);
    await expect
      .poll(() => log.lines.join('\n'))
      .toMatch(/icons\.lock\.lock is held by process 4321 of the host another-host.* Delete it/);
    expect(await readFile(lock, 'utf8')).not.toContain(`"${SECOND}:svg"`);
    await rm(`${lock}.lock`);
    await adding;
    expect(await readFile(lock, 'utf8')).toContain(`"${SECOND}:svg"`);
  });

  it('is waited for two seconds before it is reported, once', async () => {
    const file = join(await temporaryFolder(), 'icons.lock');
    await writeFile(`${file}.lock`, heldBy('another-host', 4321));
    const start = Date.now();
    let later = 0;
    let look = (): void => undefined;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      look();
      return start + later;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const threeLooks = async (): Promise<void> => {
      let looks = 0;
      await new Promise<void>((done) => {
        look = () => ((looks += 1) === 3 ? done() : undefined);
      });
    };
    const reported: string[] = [];
    const held = (description: string): void => void reported.push(description);
    const writing = withFileLock(file, async () => 'written', { held, pause: 1 });
    await threeLooks();
    later = 2000;
    await threeLooks();
    expect(reported).toEqual([]);
    later = 2001;
    await threeLooks();
    expect(reported).toEqual([expect.stringContaining('process 4321 of the host another-host')]);
    await rm(`${file}.lock`);
    expect(await writing).toBe('written');
    expect(reported).toHaveLength(1);
  });

  it('is reported at once if a folder has its name', async () => {
    const { lock, add } = await project();
    await mkdir(`${lock}.lock`);
    const said = (await add(FIRST)).join('\n');
    expect(said).toContain('icons.lock.lock is a folder. Remove it');
    // A folder is not waited for, as a process is.
    expect(said).not.toContain('is held by');
    expect(await readFile(lock, 'utf8')).toContain(`"${FIRST}:svg"`);
  });
});

describe('a file system', () => {
  // Yarn's Plug'n'Play, which stands before the file system, throws at once, and errors without a code.
  it.each(['EPERM', 'ENOSYS', 'ENOTSUP', 'EINVAL', 'Method not implemented.'])(
    'that answers %s to what it lacks keeps the lock up to date',
    async (code) => {
      const { lock, add, root } = await project();
      await add(FIRST);
      const handle = await open(lock);
      const prototype = Object.getPrototypeOf(handle) as Pick<typeof handle, 'chmod' | 'sync'>;
      await handle.close();
      const fail = (): Promise<never> => {
        if (!code.startsWith('E')) throw new Error(code);
        return Promise.reject(Object.assign(new Error(code), { code }));
      };
      const chmod = vi.spyOn(prototype, 'chmod').mockImplementation(fail);
      const sync = vi.spyOn(prototype, 'sync').mockImplementation(fail);
      onTestFinished(() => void vi.restoreAllMocks());
      expect(await add(SECOND)).toEqual([]);
      expect(chmod).toHaveBeenCalled();
      expect(sync).toHaveBeenCalled();
      expect(await readFile(lock, 'utf8')).toContain(`"${SECOND}:svg"`);
      expect(await readdir(root)).toEqual(['icons.lock']);
    },
  );

  it('without links has a key of the cache, too', async () => {
    links.areThere = false;
    links.asked = 0;
    onTestFinished(() => void (links.areThere = true));
    const folder = await temporaryFolder();
    const file = join(folder, 'cache.key');
    const warn = (message: string): void => expect.unreachable(message);
    const key = await readCacheKey({ secret: undefined, file }, warn);
    expect(links.asked).toBe(1);
    expect(await readFile(file, 'latin1')).toBe(`${Buffer.from(key).toString('hex')}\n`);
    expect(await readCacheKey({ secret: undefined, file }, warn)).toEqual(key);
    expect(await readdir(folder)).toEqual(['cache.key']);
  });

  it('that fails on the way to the disk is reported', async () => {
    const { lock, add } = await project();
    await add(FIRST);
    const handle = await open(lock);
    const prototype = Object.getPrototypeOf(handle) as Pick<typeof handle, 'sync'>;
    await handle.close();
    vi.spyOn(prototype, 'sync').mockRejectedValue(Object.assign(new Error('EIO'), { code: 'EIO' }));
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await add(SECOND)).join('\n')).toContain('icons.lock cannot be written (EIO');
  });
});

it('an emptied lock is reported before its icons are locked again', async () => {
  const { lock, add } = await project();
  await add(FIRST);
  for (const text of ['', '{\n"lockfileVersion":1\n}\n']) {
    await writeFile(lock, text);
    const warnings = await add(FIRST);
    expect(warnings.join('\n')).toContain('icons.lock is empty: each icon is locked again');
    expect(await readFile(lock, 'utf8')).toContain(`"${FIRST}:svg"`);
  }
  expect(await add(SECOND)).toEqual([]);
  await rm(lock);
  expect(await add(SECOND)).toEqual([]);
});

it('locks and claims of killed builds go away', async () => {
  const { cacheDir, add } = await project();
  const content = join(cacheDir, 'content');
  await mkdir(content, { recursive: true });
  // No process has this number: the system's largest is far smaller.
  const dead = heldBy(hostname(), 2 ** 30);
  const alive = heldBy(hostname(), process.pid);
  for (const name of ['dead.claims', 'icons-1.pack.lock'])
    await writeFile(join(content, name), dead);
  await writeFile(join(content, 'alive.claims'), alive);
  await add(FIRST);
  expect((await readdir(content)).toSorted()).toEqual(['alive.claims', 'icons-1.pack']);
});
