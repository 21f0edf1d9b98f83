import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { base64In, isSearched, type ScannedIcon } from '../attribution/check/scan.ts';
import { type IconCatalogError, isIconCatalogError } from '../errors.ts';
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
  scanAll,
  searchable,
  type SearchPorts,
  textOf,
} from './search-outputs.ts';
import type { FoundUsage } from './session-types.ts';

/** An icon that no build lists, with the package that has brought it, where that is known: `some-icons@1.2.3`. */
export type StrayUsage = FoundUsage & { from?: string | undefined };

export interface StrayIcons {
  usages: readonly StrayUsage[];
  /** Numbers of the icons that were looked for: where they are not found, they are not. */
  searched: ReadonlySet<string>;
  /** False if icons could not be looked for, since their files were still on their way. */
  isWhole: boolean;
}

/**
 * Icons that no build lists, in files that may hold them all the same: those of the lock, and those of the cache that
 * libraries without a list have drawn. What is found of the latter is added to the lock, so that it is found on every
 * machine from then on; where the mode allows no new lines, the build warns.
 *
 * @param icons.listed numbers of the icons that builds list
 * @param icons.also numbers of icons that were found before
 * @param ports.unlisted as `unlistedModules` gives them
 * @param ports.originOf says which package a module comes from
 */
export async function strayIcons(
  { listed, also }: { listed: ReadonlySet<string>; also: ReadonlySet<string> },
  {
    contents,
    unlisted,
    originOf,
    ...ports
  }: SearchPorts & {
    contents: (options: { pictures: boolean }) => Promise<Outputs>;
    unlisted: ReadonlyMap<string, boolean>;
    originOf: (module: string) => string;
  },
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
  const cached = unlisted.size === 0 ? [] : await cachedIcons(ports.pipeline, { listed, icons });
  if (icons.length + cached.length + pictures.length === 0)
    return { usages: [], searched, isWhole };
  const beside = (): ReturnType<typeof searchable> =>
    searchable(Array.from(listed, plainId), ports);
  const files = await contents({ pictures: pictures.length > 0 });
  const drawn = await findIn(files, [...icons, ...cached], { consumer: 'client', beside });
  const fresh = new Set(cached.map(({ key }) => key));
  const brought = await broughtBy(unlisted, { found: drawn, icons: [...icons, ...cached], fresh });
  const named = Array.from(drawn, (usage): StrayUsage => {
    const module = brought.get(usage.id);
    return module === undefined ? usage : { ...usage, from: originOf(module) };
  });
  const sure = named.filter(({ id }) => !fresh.has(id));
  const carried = named.filter(({ id, from }) => fresh.has(id) && from !== undefined);
  const fromCache = await loadable(carried, ports, (error, { id, file }) =>
    ports.pipeline.build.warn(
      `${file} has no credit for icon ${numberOf(id)}: a library without a list of credits has drawn it. ${error.reason} Run \`npx icon-catalog add ${numberOf(id)}\` and build again.`,
    ),
  );
  const found = await loadable(findPictures(files, pictures, iconLock), ports);
  return {
    usages: [...sure, ...fromCache.usages, ...found.usages],
    searched,
    isWhole: isWhole && fromCache.isWhole && found.isWhole,
  };
}

/** A shorter drawing, such as a cross or an arrow, may be anyone’s. */
const TELLING = 32;

/** Icons that the cache knows, besides those that builds list and those of the lock. */
async function cachedIcons(
  pipeline: SearchPorts['pipeline'],
  { listed, icons }: { listed: ReadonlySet<string>; icons: readonly ScannedIcon[] },
): Promise<ScannedIcon[]> {
  const known = new Set([...listed, ...icons.map(({ key }) => numberOf(key))]);
  const taken = new Set(icons.map(({ fingerprint }) => fingerprint));
  const cached: ScannedIcon[] = [];
  for (const [id, fingerprint] of await pipeline.drawnHere((each) => !known.has(`${each}`))) {
    // Of icons that are drawn the same, it may be any.
    if (fingerprint.length < TELLING || taken.has(fingerprint)) continue;
    taken.add(fingerprint);
    cached.push({ key: plainId(id), fingerprint });
  }
  return cached;
}

/** The start of a drawing that stands in a script or in an address. */
const MARKUP = /(?:<|%3C|\\x3c|\\u003c)svg/i;

/**
 * The first of these modules that has each icon. Packages of icons for one framework have path data without markup: what
 * they ship of the cache is theirs to state, unless this plugin has written it.
 *
 * @param found.fresh keys of icons of the cache
 */
async function broughtBy(
  modules: ReadonlyMap<string, boolean>,
  {
    found,
    icons,
    fresh,
  }: {
    found: readonly FoundUsage[];
    icons: readonly ScannedIcon[];
    fresh: ReadonlySet<string>;
  },
): Promise<Map<string, string>> {
  const brought = new Map<string, string>();
  const ids = new Set(found.map(({ id }) => id));
  if (ids.size === 0) return brought;
  const contents = await readContents('', [...modules.keys()]);
  const scanned = icons.filter(({ key }) => ids.has(key));
  for (const { key, file } of scanAll(contents, scanned)) {
    const isMarkup = modules.get(file) === true || MARKUP.test(textOf(contents.get(file)) ?? '');
    if (!brought.has(key) && (isMarkup || !fresh.has(key))) brought.set(key, file);
  }
  return brought;
}

/** A credit needs the bytes that the catalog sent, which this machine may lack. */
async function loadable(
  found: readonly StrayUsage[],
  { pipeline, request }: SearchPorts,
  refused: (error: IconCatalogError, usage: FoundUsage) => void = () => undefined,
): Promise<Pick<StrayIcons, 'usages' | 'isWhole'>> {
  const usages: StrayUsage[] = [];
  for (const usage of found) {
    try {
      await pipeline.source(request(usage.id));
      usages.push(usage);
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      refused(error, usage);
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
export async function readContents(
  folder: string,
  names: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const limit = pLimit(64);
  const read = await limit.map(names.filter(isSearched), async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.size > LARGEST) return [];
    if (/\.(?:gz|br)$/i.test(name) && existsSync(path.replace(/\.\w+$/, ''))) return [];
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return [];
    const content = await unpacked(name, bytes).catch(() => bytes);
    return [[name, content ?? bytes] as const];
  });
  return new Map(read.flat());
}
