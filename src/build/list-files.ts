import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import {
  ATTRIBUTION_KINDS,
  type AttributionFiles,
  USUAL_NAMES,
} from '../options/resolve-attribution.ts';
import { isSomewhere, readBytes, readList, readListBytes } from '../store/credit-lists.ts';
import { takeFileLock } from '../store/file-lock.ts';
import { sha256Hex, shortHash } from '../store/hash.ts';
import { filesIn } from '../store/walk.ts';
import type { Manifest } from '../types.ts';
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

/** In milliseconds. A build that takes the lock of another one loses credits, so a busy machine gets more time than caches do. */
const LIST_LOCK = { abandoned: 60_000, patience: 120_000 };

/**
 * Waits until no other build writes a list, in this process and others. The lock is kept outside of the output folder,
 * since a bundler that empties its folder would remove it.
 *
 * @returns lets others write again
 * @throws Error if the lock cannot be created: two builds that write at once would lose credits
 */
export async function lockList(list: string): Promise<() => void> {
  const folder = tmpdir();
  const name = `icon-catalog-${process.getuid?.() ?? ''}-${shortHash(list)}`;
  try {
    return await takeFileLock(join(folder, name), LIST_LOCK);
  } catch (error) {
    throw new Error(
      `The list of icons in ${dirname(list)} cannot be written: its lock ${name}.lock cannot be created in ${folder}, the folder for temporary files (${error instanceof Error ? error.message : 'unknown reason'}). Make that folder writable, or set TMPDIR to one that is.`,
      { cause: error },
    );
  }
}

/** One writer of a list at a time. Fails as `lockList` does. */
export async function alone<Result>(list: string, run: () => Promise<Result>): Promise<Result> {
  const release = await lockList(list);
  try {
    return await run();
  } finally {
    release();
  }
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

/** A tool that writes the files of several builds at once may have ended with those of an earlier one. */
function keepLatest(): void {
  for (const { files, earlier } of handed.values())
    for (const [path, latest] of files) {
      const written = existsSync(path) ? readFileSync(path) : latest;
      if (!written.equals(latest) && earlier.has(sha256Hex(written))) writeFileSync(path, latest);
    }
}

export function isBelow(folder: string, other: string): boolean {
  const way = relative(other, folder);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way);
}

/** How files of an output are named in the list of a folder: from there, or, outside of it, from the output. */
export function placeIn(
  target: string,
  folder: string,
): { way: string; folder: { folder?: string }; of(file: string): string } {
  const way = relative(target, folder).replaceAll('\\', '/');
  if (isBelow(folder, target)) return { way, folder: {}, of: (file) => `${way}/${file}` };
  return { way, folder: way === '' ? {} : { folder: way }, of: (file) => file };
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
  for (const kind of ATTRIBUTION_KINDS) {
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

export interface Around {
  path: string;
  /** The list as it lies there, and what it was before the folder was emptied. */
  bytes: Buffer | undefined;
  before: Manifest | undefined;
  /** Files of other builds that a tool is about to write, absolute. */
  handed?: ReadonlySet<string>;
  inner: { folder: string; list: Manifest }[];
  /** Pages of credits of all of these. */
  pages: Buffer[];
}

/** Whose lists, and how they are called. */
interface ListPlace {
  project: { folder: string };
  names: AttributionFiles;
}

/** If a project gives the list no name, it may still be there under its usual one. */
export const listName = ({ names }: ListPlace): string => names.json || USUAL_NAMES.json;

/** @param own a folder whose list is not taken over, as its build reports to this list itself */
export async function lookAround(target: string, ports: ListPlace, own: string): Promise<Around> {
  const { html } = ports.names;
  const path = join(target, listName(ports));
  const bytes = await readListBytes(path);
  const around: Around = { path, bytes, before: undefined, inner: [], pages: [] };
  const add = (page: Buffer | undefined): void => void (page && around.pages.push(page));
  const end = `/${listName(ports).replaceAll('\\', '/')}`;
  const names = await filesBelow(target, ports.project.folder);
  const lists = names
    .map((name) => name.replace(/\.(?:gz|br)$/, ''))
    .filter((name) => name.endsWith(end));
  for (const name of new Set(lists)) {
    const folder = join(target, name.slice(0, -end.length));
    if (folder === own) continue;
    const list = await readList(join(target, name));
    if (list === undefined) continue;
    around.inner.push({ folder, list });
    add(await pageIn(folder, html));
  }
  if (bytes !== undefined) add(await pageIn(target, html));
  return around;
}

export async function pageIn(folder: string, html: string | false): Promise<Buffer | undefined> {
  return html === false ? undefined : readBytes(join(folder, html));
}
