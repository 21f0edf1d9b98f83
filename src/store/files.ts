import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../types.ts';
import { codeOf, removeAbandonedLock, retryWhileBusy, withFileLock } from './file-lock.ts';

/** `undefined` only if there is no such file. The lock of a killed writer is removed. */
export async function readProjectFile(path: string): Promise<Buffer | undefined> {
  const [bytes] = await Promise.all([readPresent(path), tidyProjectFile(path)]);
  return bytes;
}

/** Removes the lock of a killed writer, for a file that is neither read nor written. Never fails. */
export async function tidyProjectFile(path: string): Promise<void> {
  await realpath(path).then(removeAbandonedLock, () => undefined);
}

async function readPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(path);
  } catch (error) {
    if (NOTHING_THERE.has(codeOf(error))) return undefined;
    throw error;
  }
}

const NOTHING_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Replaces a file of the project by what `change` returns for its present bytes: whole or not at all, one writer at a
 * time, and not at all if the bytes stay the same. Permissions are kept; a symbolic link stays one, and what it points
 * to is replaced, or created, with its folder. Fails as the file system does.
 *
 * @param options.held called once if the lock is not to be had soon, with who holds it and what to do
 * @returns the bytes that the file has now
 */
export async function replaceFile(
  given: string,
  change: (present: Buffer | undefined) => Buffer | undefined,
  { held }: { held?: (description: string) => void } = {},
): Promise<Buffer | undefined> {
  // A link may point to a file that is not there yet.
  const linked = () => readlink(given).then((to) => path.resolve(path.dirname(given), to));
  const file = await realpath(given).catch(() => linked().catch(() => given));
  const write = async (): Promise<Buffer | undefined> => {
    const present = await readPresent(file);
    const bytes = change(present);
    if (bytes === undefined || present?.equals(bytes) === true) return present;
    await removeLeftovers(file);
    const rights = (await stat(file).catch(() => undefined))?.mode;
    const mode = rights && rights & 0o7777;
    // A build cannot recreate this file.
    await writeAside(file, bytes, { mode, isLasting: true });
    return bytes;
  };
  await mkdir(path.dirname(file), { recursive: true });
  return withFileLock(file, write, { held });
}

/**
 * The errors of vfat, CIFS and other file systems for what they do not support. Yarn's Plug'n'Play stands before the file
 * system and does not know every method; its errors have no code.
 */
const NOT_THERE: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EINVAL',
]);

async function ifPossible(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && !NOT_THERE.has(code)) throw error;
  }
}

/** Larger files were not written by this package. */
const LARGEST = 1024 ** 3;
const TEMPORARY = '.tmp';

/** The whole file in one read, or `undefined` if there is none that can be read. */
export async function readPackFile(file: string): Promise<Buffer | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    const found = await handle?.stat();
    if (handle === undefined || !found?.isFile() || found.size > LARGEST) return undefined;
    const bytes = Buffer.allocUnsafeSlow(found.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/**
 * Replaces the file by what `merge` returns for its present bytes, whole or not at all, one writer at a time; the same bytes
 * are not written again. Fails as the file system does.
 */
export async function replacePackFile(
  file: string,
  merge: (present: Buffer | undefined) => Buffer,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  return withFileLock(file, async () => {
    await removeLeftovers(file);
    const present = await readPackFile(file);
    const bytes = merge(present);
    if (present?.equals(bytes) !== true) await writeAside(file, bytes);
  });
}

/**
 * Writes a file whole or not at all, whatever it held before. Its folder is created if it is missing.
 * Fails as the file system does.
 *
 * @param options.mode permissions of the file. @default those of the process
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode }: { mode?: number } = {},
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeAside(file, content, { mode });
}

/** The same, but a file that has this content already stays as it is, with its times. @returns true if it was written */
export async function writeChanged(file: string, content: string | Uint8Array): Promise<boolean> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const present = await readFile(file).catch(() => undefined);
  if (present?.equals(bytes) === true) return false;
  await writeWhole(file, bytes);
  return true;
}

/** @param options.isLasting waits for the disk: a rename alone does not mean that the bytes are on it */
async function writeAside(
  file: string,
  content: string | Uint8Array,
  { mode, isLasting = false }: { mode?: number | undefined; isLasting?: boolean } = {},
): Promise<void> {
  const temporary = `${file}.${randomUUID()}${TEMPORARY}`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      // The mask of the process may have taken rights away.
      if (mode !== undefined) await ifPossible(() => handle.chmod(mode));
      if (isLasting) await ifPossible(() => handle.sync());
    } finally {
      await handle.close();
    }
    await retryWhileBusy(() => rename(temporary, file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Under the lock there is no other writer: temporary files beside ours are those of killed processes. */
async function removeLeftovers(file: string): Promise<void> {
  const name = path.basename(file);
  const folder = path.dirname(file);
  for (const other of await readdir(folder)) {
    if (other.startsWith(`${name}.`) && other.endsWith(TEMPORARY)) {
      await rm(path.join(folder, other), { force: true });
    }
  }
}

/** The time in milliseconds after which an empty file counts as one that is really empty. */
const PATIENCE = 100;
const STEP = 10;

/**
 * Reads a file that people, their editors and version control write too. Those empty a file before they fill it, so an
 * empty one is read again: an empty lock pins nothing, and would be rewritten without its former content. Fails as the
 * file system does.
 */
export async function readWhole(path: string): Promise<Buffer> {
  let bytes = await readFile(path);
  for (let waited = 0; bytes.length === 0 && waited < PATIENCE; waited += STEP) {
    await delay(STEP);
    bytes = await readFile(path);
  }
  return bytes;
}

/** The text of a file; `undefined` if there is none. Fails as the file system does. */
export function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** This is synchronous, since options are resolved synchronously. */
export function isThere(file: string): boolean {
  return existsSync(file);
}

/** The meaning of system error codes, in words. */
const MEANINGS: Partial<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'not permitted',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the user has no space left',
  EFBIG: 'the file would be too large',
  ENOENT: 'its folder is missing and cannot be created',
  EEXIST: 'a file lies where a folder should be',
  ENOTDIR: 'a file lies where a folder should be',
  EISDIR: 'a folder lies where a file should be',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was ended',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
};

/** Why a file or server was unavailable: code and meaning, since messages of others hold paths and addresses. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return typeof code === 'string' ? explainCode(code) : 'unknown reason';
}

/** The same words for all parts of a cache: what fails for one reason is reported once. @param dir a folder in the cache */
export function describeCacheFailure(dir: string, error: unknown): string {
  return `The icon cache ${path.dirname(dir)} cannot be used (${reasonOf(error)}). This build is right, but the next one fetches or optimises icons again. Make room or give the right to write, or set \`cacheDir\` or ICON_CATALOG_CACHE_DIR to another folder.`;
}

/** `ENOSPC, the disk is full`; an unknown code is returned alone. */
export function explainCode(code: string): string {
  const meaning = MEANINGS[code];
  return meaning === undefined ? code : `${code}, ${meaning}`;
}

const NAME = 'unplugin-icon-catalog';

/** No folder can be created there, not even by root: the cache stays in memory. */
export const NO_CACHE_DIR: string = path.join(os.devNull, NAME);

type System = { home?: () => string; platform?: string };

/**
 * The machine-wide store: `ICON_CATALOG_CACHE_DIR`, or a folder of this package in `XDG_CACHE_HOME` (on every system;
 * the XDG specification has relative values ignored), or in the system's place for caches. `NO_CACHE_DIR` for a user
 * without a home folder.
 */
export function defaultCacheDir(env: Environment, system: System = {}): string {
  const asked = env['ICON_CATALOG_CACHE_DIR']?.trim();
  if (asked) return path.resolve(asked);
  return systemFolder('cache', env, system) ?? NO_CACHE_DIR;
}

/** This package's folder in the system's place for such files; `undefined` for a user without a home folder. */
export function systemFolder(
  kind: 'cache' | 'config',
  env: Environment,
  { home = homeDir, platform = os.platform() }: System = {},
): string | undefined {
  const xdg = env[kind === 'cache' ? 'XDG_CACHE_HOME' : 'XDG_CONFIG_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, NAME);
  const isCache = kind === 'cache';
  const windows = isCache ? 'Cache' : 'Config';
  const data = env[isCache ? 'LOCALAPPDATA' : 'APPDATA'];
  if (platform === 'win32' && data) return path.join(data, NAME, windows);
  const folder = home();
  // A relative path would be inside the project.
  if (!path.isAbsolute(folder)) return undefined;
  if (platform === 'win32')
    return path.join(folder, 'AppData', isCache ? 'Local' : 'Roaming', NAME, windows);
  if (platform === 'darwin')
    return path.join(folder, 'Library', isCache ? 'Caches' : 'Preferences', NAME);
  return path.join(folder, isCache ? '.cache' : '.config', NAME);
}

/** Empty for a user whom the system does not know, as in many containers. */
function homeDir(): string {
  const places = [() => os.homedir(), () => os.userInfo().homedir];
  for (const place of places) {
    try {
      const home = place();
      if (path.isAbsolute(home)) return home;
    } catch {
      // The next place is tried.
    }
  }
  return '';
}
