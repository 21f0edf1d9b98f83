import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withFileLock } from './file-lock.ts';

/** Larger files were not written by us. */
const LARGEST = 1024 ** 3;
export const TEMPORARY = '.tmp';

/** The whole file in one read, or `undefined` where there is none that could be read. */
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
 * Replaces the file by what `merge` makes of its present bytes, whole or not at all, one writer at a
 * time. Fails as the file system does.
 */
export async function replacePackFile(
  file: string,
  merge: (present: Buffer | undefined) => Buffer,
): Promise<Buffer> {
  await mkdir(path.dirname(file), { recursive: true });
  return withFileLock(file, async () => {
    await removeLeftovers(file);
    const bytes = merge(await readPackFile(file));
    const temporary = `${file}.${randomUUID()}${TEMPORARY}`;
    try {
      await writeFile(temporary, bytes, { flag: 'wx' });
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    return bytes;
  });
}

/** Under the lock nobody else writes: temporary files beside ours are those of killed processes. */
export async function removeLeftovers(file: string): Promise<void> {
  const name = path.basename(file);
  const folder = path.dirname(file);
  for (const other of await readdir(folder)) {
    if (other.startsWith(`${name}.`) && other.endsWith(TEMPORARY)) {
      await rm(path.join(folder, other), { force: true });
    }
  }
}
