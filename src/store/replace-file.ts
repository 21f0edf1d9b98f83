import type { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { removeAbandonedLock, withFileLock } from './file-lock.ts';
import { removeLeftovers, TEMPORARY } from './pack-file.ts';
import { readWhole } from './read-whole.ts';

/**
 * `undefined`: there is none. A file that cannot be read is not taken for one that is not there. The lock of a killed
 * writer goes.
 */
export async function readProjectFile(path: string): Promise<Buffer | undefined> {
  const [bytes] = await Promise.all([readPresent(path), tidyProjectFile(path)]);
  return bytes;
}

/** For a file that is neither read nor written: the lock of a killed writer goes. Never fails. */
export async function tidyProjectFile(path: string): Promise<void> {
  await realpath(path).then(removeAbandonedLock, () => undefined);
}

async function readPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(error.code))
      return undefined;
    throw error;
  }
}

const NOTHING_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Replaces a file of the project by what `change` makes of its present bytes: whole or not at all, one writer at a time,
 * and not at all where the bytes stay the same. Permissions are kept; a symbolic link stays one, and what it points to is
 * replaced. Fails as the file system does.
 *
 * @param options.held called once if the lock is not to be had soon, with who holds it and what to do
 * @returns the bytes that the file has now
 */
export async function replaceFile(
  path: string,
  change: (present: Buffer | undefined) => Buffer | undefined,
  { held }: { held?: (description: string) => void } = {},
): Promise<Buffer | undefined> {
  const file = await realpath(path).catch(() => path);
  const write = async (): Promise<Buffer | undefined> => {
    const present = await readPresent(file);
    const bytes = change(present);
    if (bytes === undefined || present?.equals(bytes) === true) return present;
    await removeLeftovers(file);
    const mode = await stat(file).then(
      (found) => found.mode & 0o7777,
      () => undefined,
    );
    const temporary = `${file}.${randomUUID()}${TEMPORARY}`;
    try {
      const handle = await open(temporary, 'wx');
      try {
        await handle.writeFile(bytes);
        if (mode !== undefined) await ifPossible(handle.chmod(mode));
        // Renaming alone does not say that the bytes are on the disk, and this file is not made anew by a build.
        await ifPossible(handle.sync());
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    return bytes;
  };
  return withFileLock(file, write, { held });
}

/** What vfat, CIFS and other file systems answer to what they do not have. */
const NOT_THERE: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EINVAL',
]);

async function ifPossible(done: Promise<void>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NOT_THERE.has(error.code))) throw error;
  }
}
