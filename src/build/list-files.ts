import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { isSearched } from '../attribution/check/scan.ts';
import { type AttributionFiles, USUAL_NAMES } from '../options/resolve-attribution.ts';
import { isSomewhere, readBytes } from '../store/credit-lists.ts';
import { withFileLock } from '../store/file-lock.ts';
import { sha256Hex, shortHash } from '../store/hash.ts';
import { filesIn } from '../store/walk.ts';
import { isObject, parseJson } from '../untrusted.ts';
import { GENERATOR } from '../version.ts';

/** More files than a site has that anybody looks through. */
const MOST_FILES = 50_000;

/**
 * Names of the files of an output, sorted; folders of packages and hidden ones are left out. None for a folder that the
 * project itself lies in: what is there is no output.
 */
export async function filesBelow(target: string, root: string): Promise<string[]> {
  if (target === root || isBelow(root, target)) return [];
  const isSkipped = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
  return filesIn(target, { isSkipped, most: MOST_FILES }).catch(() => []);
}

/** A larger one is data of some program. */
const LARGEST = 8 * 1024 * 1024;

/** Decompresses what servers send compressed; `undefined`: the name has no such ending. */
export async function unpacked(name: string, content: Uint8Array): Promise<Buffer | undefined> {
  if (/\.(?:gz|svgz)$/i.test(name)) return promisify(gunzip)(content);
  return /\.br$/i.test(name) ? promisify(brotliDecompress)(content) : undefined;
}

/** Those of these files of a folder that icons may be in. A compressed file is what its plain one is, if that is there. */
export async function readContents(
  folder: string,
  names: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const name of names.filter(isSearched)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.size > LARGEST) continue;
    if (/\.(?:gz|br)$/i.test(name) && existsSync(path.replace(/\.\w+$/, ''))) continue;
    const content = await readBytes(path);
    if (content === undefined) continue;
    contents.set(name, (await unpacked(name, content).catch(() => undefined)) ?? content);
  }
  return contents;
}

/** In milliseconds. A build that takes the lock of another one loses credits, so a busy machine gets more time than caches do. */
const LIST_LOCK = { abandoned: 60_000, patience: 120_000 };

/**
 * One writer of a list at a time, in this process and others. The lock is kept outside of the output folder, since a
 * bundler that empties its folder would remove it.
 *
 * @throws Error if the lock cannot be created: two builds that write at once would lose credits
 */
export async function alone(list: string, run: () => Promise<void>): Promise<void> {
  const folder = tmpdir();
  const user = process.getuid?.() ?? '';
  const name = `icon-catalog-${user}-${shortHash(list)}`;
  let isStarted = false;
  const start = (): Promise<void> => {
    isStarted = true;
    return run();
  };
  try {
    await withFileLock(join(folder, name), start, LIST_LOCK);
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
  const held = new Map<string, () => Promise<void>>();

  async function release(folder?: string): Promise<void> {
    for (const each of folder === undefined ? [...held.keys()] : [folder]) {
      const end = held.get(each);
      held.delete(each);
      await end?.();
    }
  }

  return {
    release,
    async take(folder, list) {
      await release(folder);
      await new Promise<void>((taken, failed) => {
        const isFree = new Promise<void>((free) => {
          held.set(folder, () => {
            free();
            return released;
          });
        });
        const released = alone(list, () => {
          taken();
          return isFree;
        }).catch(failed);
      });
    },
  };
}

interface HandedFiles {
  /** Attribution files by their paths. */
  files: Map<string, Buffer>;
  /** Digests of what they were before. */
  earlier: Set<string>;
  /** Every file of the builds, absolute, by their ids. */
  wrote: Map<string, string[]>;
}

const handed = new Map<string, HandedFiles>();

/**
 * What builds of this process gave to a tool that writes their files (esbuild with `write: false`), by the path of their
 * list: they find each other's files here, whether those are written already or not.
 */
export function handedFiles(list: string): HandedFiles {
  if (handed.size === 0) process.once('exit', keepLatest);
  const found = handed.get(list) ?? { files: new Map(), earlier: new Set(), wrote: new Map() };
  handed.set(list, found);
  return found;
}

export function keepHanded({ files, earlier }: HandedFiles, path: string, bytes: Buffer): void {
  const before = files.get(path);
  if (before !== undefined) earlier.add(sha256Hex(before));
  files.set(path, bytes);
}

/** A tool that writes the files of several builds at once may have ended with those of an earlier one. */
function keepLatest(): void {
  for (const { files, earlier } of handed.values())
    for (const [path, latest] of files) {
      const written = existsSync(path) ? readFileSync(path) : latest;
      if (!written.equals(latest) && earlier.has(sha256Hex(written))) writeFileSync(path, latest);
    }
}

/** The package that a root belongs to. Its name is how its builds are called beside those of other packages. */
export function projectOf(root: string): { folder: string; name: string; version?: unknown } {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    const read = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
    if (!isObject(read)) continue;
    const { name = basename(folder), version } = read;
    return { folder, name: String(name), version };
  }
  return { folder: root, name: basename(root) };
}

export function isBelow(folder: string, other: string): boolean {
  const way = relative(other, folder);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
}

/** Folders between the project's and this one that have lists of their own. */
export async function outerFolders(target: string, root: string, list: string): Promise<string[]> {
  const found: string[] = [];
  for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === root || isBelow(root, folder)) break;
    if (await isSomewhere(join(folder, list))) found.push(folder);
  }
  return found;
}

/** Names of the files of credits in a folder of another build. What is not there was not asked for there. */
export async function namesThere(
  folder: string,
  names: AttributionFiles,
): Promise<AttributionFiles> {
  const found = { ...USUAL_NAMES } as AttributionFiles;
  for (const kind of Object.keys(USUAL_NAMES) as (keyof AttributionFiles)[]) {
    found[kind] = false;
    for (const name of [USUAL_NAMES[kind], names[kind]])
      if (name !== false && (await isSomewhere(join(folder, name)))) found[kind] = name;
  }
  return found;
}

/** What a page of credits that this plugin has written holds. */
export const OUR_PAGE: string = `<meta name="generator" content="${GENERATOR.name}">`;

/** Removes the files of credits that an earlier build wrote into its own folder, before one list spoke for several. */
export async function removeList(folder: string, names: AttributionFiles): Promise<void> {
  const there = await namesThere(folder, names);
  const list = there.json === false ? undefined : await readBytes(join(folder, there.json));
  if (list?.includes(`"name":"${GENERATOR.name}"`) !== true) return;
  for (const [kind, name] of Object.entries<string | false>({ ...there })) {
    const bytes = name === false ? undefined : await readBytes(join(folder, name));
    if (bytes === undefined || (kind === 'html' && !bytes.includes(OUR_PAGE))) continue;
    for (const ending of ['', '.gz', '.br'])
      await rm(join(folder, `${name}${ending}`), { force: true });
  }
}
