import { open, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Manifest } from '../types.ts';
import { isObject, parseJson } from '../untrusted.ts';

/** A list of 100,000 icons has a quarter of it. */
const LARGEST_LIST = 256 * 1024 * 1024;

/** What a step that compresses files puts in their places. */
const PACKED = { '': undefined, '.gz': promisify(gunzip), '.br': promisify(brotliDecompress) };
const PLAIN_FIRST = Object.keys(PACKED) as (keyof typeof PACKED)[];

/** Whether a file still exists, under its own name or compressed. */
export async function isSomewhere(path: string): Promise<boolean> {
  for (const ending of [...PLAIN_FIRST, '.zst'])
    if ((await stat(path + ending).catch(() => undefined))?.isFile() === true) return true;
  return false;
}

/** `undefined` for a file that cannot be read. One that is there in compressed form alone is unpacked. */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  for (const ending of PLAIN_FIRST) {
    const bytes = await readPacked(path, ending).catch(() => undefined);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** Decompresses what servers send compressed; `undefined`: the name has no such ending. Fails as zlib does. */
export async function unpacked(name: string, bytes: Uint8Array): Promise<Buffer | undefined> {
  const ending = name
    .toLowerCase()
    .replace(/\.svgz$/, '.gz')
    .slice(-3) as keyof typeof PACKED;
  return PACKED[ending]?.(bytes, { maxOutputLength: LARGEST_LIST });
}

async function readPacked(path: string, ending: keyof typeof PACKED): Promise<Buffer> {
  const bytes = await readFile(path + ending);
  return PACKED[ending]?.(bytes, { maxOutputLength: LARGEST_LIST }).catch(() => bytes) ?? bytes;
}

/** The beginning of a list, which names its builds; empty if it cannot be read. */
export async function readHead(path: string): Promise<string> {
  const bytes = Buffer.alloc(16_384);
  const handle = await open(path).catch(() => undefined);
  const read = await handle?.read(bytes).catch(() => undefined);
  await handle?.close();
  return bytes.toString('latin1', 0, read?.bytesRead ?? 0);
}

/**
 * The bytes of a list, which must not pass for absent if it is there: what it says of other builds would be lost.
 *
 * @param called its path, as the user knows it
 * @returns `undefined` only if there is none
 * @throws Error for one that cannot be read
 */
export async function readListBytes(
  path: string,
  called: string = path,
): Promise<Buffer | undefined> {
  for (const ending of PLAIN_FIRST) {
    try {
      const found = await stat(path + ending);
      if (found.isDirectory()) throw new Error('it is a folder');
      if (!found.isFile() || found.size > LARGEST_LIST)
        throw new Error(found.isFile() ? 'it has more than 256 MB' : 'it is not a file');
      return await readPacked(path, ending);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(called + ending, message);
    }
  }
  return undefined;
}

/** @throws Error for bytes that are no list */
export function parseList(bytes: Buffer | undefined, called: string): Manifest | undefined {
  if (bytes === undefined) return undefined;
  const read = parseJson(bytes.toString());
  if (isList(read)) return read;
  if (read === undefined) throw unreadable(called, 'it is empty, cut off or not JSON');
  const { schemaVersion: version } = isObject(read) ? read : {};
  if (typeof version === 'number' && version > 1)
    throw new Error(
      `The list of icons ${called} was written by a later version of unplugin-icon-catalog. Update the package here, too.`,
    );
  throw unreadable(called, 'it is not a list of credits');
}

export async function readList(path: string, called: string = path): Promise<Manifest | undefined> {
  return parseList(await readListBytes(path, called), called);
}

function unreadable(called: string, why: string): Error {
  return new Error(
    `The list of icons ${called} cannot be read: ${why}. Remove it, then run every build that writes into its folder again.`,
  );
}

/** What every reader of a list relies on. */
function isList(read: unknown): read is Manifest {
  return (
    isObject(read) &&
    read['schemaVersion'] === 1 &&
    isObject(read['catalog']) &&
    typeof read['catalog']['siteUrl'] === 'string' &&
    areAll(read['builds'], ['id']) &&
    areAll(read['icons'], ['id']) &&
    read['icons'].every(
      (icon) =>
        areAll(icon['usedIn'], ['build', 'file']) &&
        areAll(icon['changes'], ['kind']) &&
        ['creator', 'credit', 'source', 'license'].every((part) => isObject(icon[part])),
    )
  );
}

/** @param texts names of fields that each of them has as text */
function areAll(value: unknown, texts: readonly string[]): value is Record<string, unknown>[] {
  return (
    Array.isArray(value) &&
    value.every((each) => isObject(each) && texts.every((name) => typeof each[name] === 'string'))
  );
}
