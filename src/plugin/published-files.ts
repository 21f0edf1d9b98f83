import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** True where every one of these files is in the folder. */
export async function areThere(folder: string, files: readonly string[]): Promise<boolean> {
  return Object.keys(await readSizes(folder, files)).length === files.length;
}

/** Bytes of each of these files that is in the folder. */
export async function readSizes(
  folder: string,
  files: readonly string[],
): Promise<Record<string, number>> {
  const found = await Promise.all(
    files.map((file) => stat(join(folder, file)).catch(() => undefined)),
  );
  const sizes: Record<string, number> = {};
  for (const [index, file] of files.entries()) {
    const stats = found[index];
    if (stats?.isFile() === true) sizes[file] = stats.size;
  }
  return sizes;
}

/** `readSizes` for files that hold icons, wherever a compiler has put them. */
export async function readNearSizes(
  folder: string,
  files: readonly string[],
): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const place of placesOf(folder)) {
    const missing = files.filter((file) => !Object.hasOwn(sizes, file));
    if (missing.length > 0) Object.assign(sizes, await readSizes(place, missing));
  }
  return sizes;
}

/** `undefined` where it cannot be read. */
export async function readPublished(folder: string, file: string): Promise<Uint8Array | undefined> {
  for (const place of placesOf(folder)) {
    const content = await readFile(join(place, file)).catch(() => undefined);
    if (content !== undefined) return content;
  }
  return undefined;
}

/** webpack's files may lie outside of the output folder (`../app/page.js` of Next.js), which their names do not say. */
function placesOf(folder: string): string[] {
  return [folder, join(folder, '..'), join(folder, '../..')];
}

/** True where an attribution file in the folder is as it was given: another step may work on the others. */
export async function isPublished(
  folder: string,
  published: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const [file, digest] of Object.entries(published)) {
    const present = await readFile(join(folder, file)).catch(() => undefined);
    if (present !== undefined && digestOf(present) === digest) return true;
  }
  return false;
}

/** Pages, scripts, style sheets and drawings below a folder, in the order of their names. */
export async function textFilesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /\.(?:html?|[cm]?js|css|svg)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
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
