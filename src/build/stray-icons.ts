import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { base64In, isSearched } from '../attribution/check/scan.ts';
import { isIconCatalogError } from '../errors.ts';
import type { IconLock } from '../pipeline/lock.ts';
import { parseLockKey, toCanonical } from '../request/key.ts';
import { unpacked } from '../store/credit-lists.ts';
import { sri512 } from '../store/hash.ts';
import {
  findIn,
  kindOf,
  numberOf,
  type Outputs,
  plainId,
  searchable,
  type SearchPorts,
  textOf,
} from './search-outputs.ts';
import type { FoundUsage } from './session-types.ts';

export interface StrayIcons {
  usages: readonly FoundUsage[];
  /** Numbers of the icons that were looked for: where they are not found, they are not. */
  searched: ReadonlySet<string>;
  /** False if icons could not be looked for, since their files were still on their way. */
  isWhole: boolean;
}

/**
 * Icons of the lock that no build lists, in files that may hold them all the same.
 *
 * @param icons.listed numbers of the icons that builds list
 * @param icons.also numbers of icons that were found before
 */
export async function strayIcons(
  { listed, also }: { listed: ReadonlySet<string>; also: ReadonlySet<string> },
  {
    contents,
    ...ports
  }: SearchPorts & { contents: (options: { pictures: boolean }) => Promise<Outputs> },
): Promise<StrayIcons> {
  const { iconLock, prefetched } = ports.pipeline;
  const wanted = new Set(also);
  const pictures: string[] = [];
  await iconLock.open();
  for (const key of iconLock.keys()) {
    const [id = '', kind] = key.split(':');
    if (listed.has(id)) continue;
    if (kind === 'png') pictures.push(key);
    else wanted.add(id);
  }
  const isWhole = wanted.size === 0 || (await prefetched());
  const icons = await searchable(Array.from(wanted, plainId), { ...ports, isExpected: false });
  const searched = new Set(icons.map(({ key }) => numberOf(key)));
  if (icons.length === 0 && pictures.length === 0) return { usages: [], searched, isWhole };
  const beside = (): ReturnType<typeof searchable> =>
    searchable(Array.from(listed, plainId), ports);
  const files = await contents({ pictures: pictures.length > 0 });
  const drawn = await findIn(files, icons, { consumer: 'client', beside });
  const found = await loadable(findPictures(files, pictures, iconLock), ports);
  return {
    usages: [...drawn, ...found.usages],
    searched,
    isWhole: isWhole && found.isWhole,
  };
}

/** A credit needs the bytes that the catalog sent, which this machine may lack. */
async function loadable(
  found: readonly FoundUsage[],
  { pipeline, request }: SearchPorts,
): Promise<Pick<StrayIcons, 'usages' | 'isWhole'>> {
  const usages: FoundUsage[] = [];
  for (const usage of found) {
    try {
      await pipeline.source(request(usage.id));
      usages.push(usage);
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
    }
  }
  return { usages, isWhole: usages.length === found.length };
}

const PNG = '89504e47';

/** @param keys of lines of the lock, which have the digests of the pictures */
function findPictures(
  files: Outputs,
  keys: readonly string[],
  iconLock: Pick<IconLock, 'find'>,
): FoundUsage[] {
  const ids = new Map(keys.map((key) => [iconLock.find(key)?.integrity, pictureId(key)]));
  if (ids.size === 0) return [];
  return [...files].flatMap(([file, content]) => {
    const inside = base64In(textOf(content) ?? '');
    const whole = typeof content === 'string' ? [] : [content];
    return [...whole, ...inside].flatMap((bytes): FoundUsage[] => {
      const isPicture = Buffer.from(bytes.subarray(0, 4)).toString('hex') === PNG;
      const id = isPicture ? ids.get(sri512(bytes)) : undefined;
      return id === undefined ? [] : [{ id, file, kind: kindOf(file, 'client') }];
    });
  });
}

/** The request that a line of the lock is for, whatever form it had. */
function pictureId(key: string): string {
  const { id = 0, color = null, size = null } = parseLockKey(key) ?? {};
  const rest = { as: 'url', class: null, filetype: 'png', title: null } as const;
  return toCanonical({ id, color, size, ...rest });
}

/** In bytes. A larger file is data of some program. */
const LARGEST = 8 * 1024 * 1024;

/** Those of these files of a folder that icons may be in. A compressed file is what its plain one is, if that is there. */
export async function readContents(folder: string, names: readonly string[]): Promise<Outputs> {
  const contents = new Map<string, Uint8Array>();
  for (const name of names.filter(isSearched)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.size > LARGEST) continue;
    if (/\.(?:gz|br)$/i.test(name) && existsSync(path.replace(/\.\w+$/, ''))) continue;
    const bytes = await readFile(path).catch(() => undefined);
    const content = bytes && (await unpacked(name, bytes).catch(() => bytes));
    if (bytes !== undefined) contents.set(name, content ?? bytes);
  }
  return contents;
}
