import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { slug } from '../attribution/plain-text.ts';
import { withFileLock } from '../store/file-lock.ts';
import { sha256Hex } from '../store/hash.ts';
import type { Manifest } from '../types.ts';

/** More files than a site has that anybody looks through. */
const MOST_FILES = 50_000;

/**
 * Names of the files of an output, sorted; folders of packages and hidden ones are left out. None for a folder that the
 * project itself lies in: what is there is no output.
 */
export async function filesBelow(target: string, root: string): Promise<string[]> {
  if (target === root || isBelow(root, target)) return [];
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(target, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules';
      if (entry.isDirectory() && !isHidden) folders.push(name);
      else if (entry.isFile()) found.push(name);
    }
    if (found.length > MOST_FILES) break;
  }
  return found.toSorted();
}

/** Text that an icon may be in. */
const TEXT = /\.(?:x?html?|[cm]?js|css|svg|json|xml|webmanifest|php|txt)$/i;
/** A larger one is data of some program. */
const LARGEST = 8 * 1024 * 1024;

/** The texts among these files of a folder. */
export async function readContents(
  folder: string,
  names: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const name of names.filter((each) => TEXT.test(each))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.size > LARGEST) continue;
    const content = await readBytes(path);
    if (content !== undefined) contents.set(name, content);
  }
  return contents;
}

/**
 * Whether a file that a list names still exists.
 *
 * @param mayBeOutside webpack's files may lie outside of the output folder (`../app/page.js` of Next.js), which their
 *   names do not say
 */
export async function isSomewhere(
  path: string,
  target: string,
  mayBeOutside: boolean,
): Promise<boolean> {
  const file = relative(target, path);
  const places =
    !mayBeOutside || file.startsWith('..')
      ? [path]
      : [path, join(target, '..', file), join(target, '../..', file)];
  for (const place of places) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isFile() === true) return true;
  }
  // A step that compresses files may have put others in their places.
  for (const ending of ['.gz', '.br', '.zst'])
    if ((await stat(path + ending).catch(() => undefined))?.isFile() === true) return true;
  return false;
}

/** @throws Error for a file of that name that is no list */
export function parseList(bytes: Buffer | undefined, folder: string): Manifest | undefined {
  if (bytes === undefined) return undefined;
  const read = tryParse(bytes.toString()) as Partial<Manifest> | undefined;
  if (read?.schemaVersion === 1 && Array.isArray(read.icons) && Array.isArray(read.builds))
    return read as Manifest;
  throw new Error(
    `The list of icons in ${folder} cannot be read, so this build cannot add to it. Remove the file, then run every build that writes into this folder again.`,
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * One writer of a list at a time, in this process and others. The lock is kept outside of the output folder, since a
 * bundler that empties its folder would remove it.
 *
 * @throws Error if the lock cannot be created: two builds that write at once would lose credits
 */
export async function alone(list: string, run: () => Promise<void>): Promise<void> {
  const folder = tmpdir();
  const user = process.getuid?.() ?? '';
  const name = `icon-catalog-${user}-${sha256Hex(list).slice(0, 32)}`;
  let isStarted = false;
  const start = (): Promise<void> => {
    isStarted = true;
    return run();
  };
  try {
    await withFileLock(join(folder, name), start);
  } catch (error) {
    if (isStarted) throw error;
    throw new Error(
      `The list of icons in ${dirname(list)} cannot be written: its lock ${name}.lock cannot be created in ${folder}, the folder for temporary files (${error instanceof Error ? error.message : 'unknown reason'}). Make that folder writable, or set TMPDIR to one that is.`,
      { cause: error },
    );
  }
}

/** Lists that no other build may change until a bundler has emptied their folders. */
export function createHolds(): {
  take(folder: string, list: string): Promise<void>;
  release(folder?: string): Promise<void>;
} {
  const held = new Map<string, { release(): void; released: Promise<void> }>();

  async function release(folder?: string): Promise<void> {
    for (const each of folder === undefined ? [...held.keys()] : [folder]) {
      const hold = held.get(each);
      held.delete(each);
      hold?.release();
      await hold?.released.catch(() => undefined);
    }
  }

  return {
    release,
    async take(folder, list) {
      await release(folder);
      await new Promise<void>((taken, failed) => {
        let free!: () => void;
        const isFree = new Promise<void>((done) => (free = done));
        const released = alone(list, () => {
          taken();
          return isFree;
        });
        held.set(folder, { release: free, released });
        released.catch(failed);
      });
    },
  };
}

/** `undefined` for a file that cannot be read. */
export function readBytes(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}

/** The folder of the package that a root belongs to, and how its builds are called beside those of other packages. */
export function projectOf(root: string): { folder: string; name: string } {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const text = tryRead(join(folder, 'package.json'));
    if (text === undefined) continue;
    const { name } = (tryParse(text) ?? {}) as { name?: unknown };
    return { folder, name: slug(typeof name === 'string' ? name : basename(folder)) || 'project' };
  }
  return { folder: root, name: slug(basename(root)) || 'project' };
}

function tryRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export function isBelow(folder: string, other: string): boolean {
  const way = relative(other, folder);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
}

/** True if both lie in one repository, beside each other: its packages may write into one folder. */
export function isBeside(folder: string, other: string): boolean {
  if (folder === other || isBelow(folder, other)) return false;
  let common = dirname(other);
  while (common !== dirname(common) && folder !== common && !isBelow(folder, common))
    common = dirname(common);
  for (let each = common; each !== dirname(each); each = dirname(each))
    if (ROOTS.some((name) => existsSync(join(each, name)))) return true;
  return false;
}

/** What lies in the root of a repository. A folder for temporary files, which all projects share, has none of it. */
const ROOTS = ['package.json', '.git', 'pnpm-workspace.yaml'];

/** Folders between the project's and this one that have lists of their own. */
export async function outerFolders(
  target: string,
  { root, list }: { root: string; list: string },
): Promise<string[]> {
  const found: string[] = [];
  for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === root || isBelow(root, folder)) break;
    if ((await readBytes(join(folder, list))) !== undefined) found.push(folder);
  }
  return found;
}
