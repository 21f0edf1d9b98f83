import { createHash } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** True where every one of these files is in the folder. */
export async function areThere(folder: string, files: Iterable<string>): Promise<boolean> {
  const found = await Promise.all(
    Array.from(files, (file) =>
      access(join(folder, file)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

/** Writes over a file that has been written before, unless somebody else has changed it since. */
export async function publishAgain(
  path: string,
  { digest, source }: { digest: string; source: Uint8Array },
): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present !== undefined && digestOf(present) === digest) await writeFile(path, source);
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
