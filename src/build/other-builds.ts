import { join, relative } from 'node:path';
import { moveUses } from '../attribution/manifest/create-manifest.ts';
import type { IconUsage, Manifest, ManifestBuild, ManifestIcon } from '../types.ts';
import type { ShippedBuild } from './attribution-files.ts';
import { type AttributionFiles, USUAL_NAMES } from '../options/resolve-attribution.ts';
import {
  isSomewhere,
  parseList,
  readBytes,
  readList,
  readListBytes,
} from '../store/credit-lists.ts';
import { sha256Hex } from '../store/hash.ts';
import { filesBelow, isBelow } from './list-files.ts';
import { numberOf } from './search-outputs.ts';
import type { StrayIcons } from './stray-icons.ts';

interface OthersInput {
  part: Pick<OwnPart, 'folder' | 'wrote' | 'rewrote' | 'keepsOwn'>;
  /** As the list names it. */
  own: ShippedBuild;
  target: string;
  around: Around;
}

/** What the lists that are there say of others than this part. */
export async function othersOf(input: OthersInput): Promise<Manifest[]> {
  const { target, around } = input;
  const inner = around.inner.map(({ folder, list }) =>
    rebase(list, { from: folder, to: target, prefix: `${slug(relative(target, folder))}.` }),
  );
  const seen = new Set(inner.flatMap(({ builds }) => builds.map(({ id }) => id)));
  const all = [...inner];
  const there = saysMore(input) ? parseList(around.bytes, around.path) : undefined;
  // The list of an inner folder knows best, and then that of the folder as it is now.
  for (const list of [there, around.before]) {
    if (list === undefined) continue;
    all.push(onlyUses(list, ({ build }) => !seen.has(build)));
    for (const { id } of list.builds) seen.add(id);
  }
  return Promise.all(all.map((list) => stillThere(list, input)));
}

/** The id of the only build of a list, none of whose files are in another folder, as the list has it in its text. */
export const ALONE: RegExp = /\n\s*"builds": \[\{"id":"([^"]*)"(?![^\n]*"(?:id|folder)":)/;
const USE = /\{"build":"[^"]*","file":("(?:[^"\\]|\\.)*")/g;

/** False for most lists: of this build alone, with all files written again. Megabytes need not be parsed for it. */
function saysMore({ part: { wrote, folder }, own, target, around }: OthersInput): boolean {
  // What is looked for is ASCII, whatever else there is.
  const text = around.bytes?.toString('latin1');
  if (text === undefined) return false;
  if (folder !== target || ALONE.exec(text)?.[1] !== own.build.id) return true;
  for (const [, file = ''] of text.matchAll(USE))
    if (!wrote.has(JSON.parse(file) as string)) return true;
  return false;
}

/** Without the files that are gone, and without those that this build has written itself. */
async function stillThere(list: Manifest, input: OthersInput): Promise<Manifest> {
  const { part, own, target, around } = input;
  const wrote = new Set([...part.wrote].map((file) => join(part.folder, file)));
  const rewrote = new Set([...(part.rewrote ?? [])].map((file) => join(part.folder, file)));
  const there = new Set<string>();
  const pathOf = pathIn(list, target);
  await Promise.all(
    pathsOf(list, target).map(async (path) => {
      if (wrote.has(path)) return;
      if (around.handed?.has(path) === true || (await isSomewhere(path))) there.add(path);
    }),
  );
  const leftover = foundBuild(own.build).id;
  const left = moveUses(list, {
    use(use) {
      const path = pathOf(use);
      if (!there.has(path) || (use.build === own.build.id && rewrote.has(path))) return [];
      const isLeft = use.build === own.build.id && part.keepsOwn !== true;
      return [isLeft ? { ...use, build: leftover } : use];
    },
  });
  return {
    ...left,
    builds: left.builds.filter(({ id }) => id !== own.build.id && id !== leftover),
  };
}

function pathIn({ builds }: Manifest, target: string): (use: IconUsage) => string {
  const folders = new Map(builds.map(({ id, folder = '' }) => [id, join(target, folder)]));
  return (use) => join(folders.get(use.build) ?? target, use.file);
}

/**
 * Ids that none of the builds answers. `docs.client` answers `docs.client`, `docs` or `client`, and `rollup.admin.main` also
 * `rollup.admin`, but each answers one of them only: where `client` and `docs` are expected, another `client` is still to
 * come.
 */
export function missingOf(expected: readonly string[], builds: readonly ManifestBuild[]): string[] {
  const missing = new Set(expected);
  const others = [...new Set(builds.map(({ id }) => id))].filter((id) => !missing.delete(id));
  for (const parts of others.map((id) => id.split('.'))) {
    const isMeant = (each: string): boolean =>
      each.includes('.') && each.split('.').every((part) => parts.includes(part));
    const answered = [...missing].find(isMeant) ?? parts.find((part) => missing.has(part));
    if (answered !== undefined) missing.delete(answered);
  }
  return [...missing];
}

/** For the last line of a build: what lists of folders in this one and of packages wait for. */
export function unansweredIn({ brought }: OwnPart, { inner }: Around, target: string): string[] {
  const lists = [
    ...inner.map(({ folder, list }) => ({
      list,
      of: relative(target, folder).replaceAll('\\', '/'),
    })),
    ...brought.map((list) => ({ list, of: list.builds[0]?.from ?? 'a package' })),
  ];
  return lists.flatMap(({ list, of }) =>
    waitsForOthers(list) ? [`those that the list of ${of} waits for`] : [],
  );
}

/** True for a list that waits for builds which it does not name. */
export function waitsForOthers(list: Manifest | undefined): boolean {
  return list?.complete === false && list.builds.every(({ complete }) => complete !== false);
}

/** Absolute paths of all files that a list names. */
export function pathsOf(list: Manifest, target: string): string[] {
  return [...new Set(list.icons.flatMap(({ usedIn }) => usedIn.map(pathIn(list, target))))];
}

/** What no build drew: files that are left of an earlier build, markup that somebody has pasted. */
export function foundBuild({ consumer, folder }: ManifestBuild): ManifestBuild {
  return {
    id: folder === undefined ? 'found' : `found.${slug(folder)}`,
    bundler: 'none',
    consumer: folder === undefined ? 'client' : consumer,
    precision: 'found',
    ...(folder === undefined ? {} : { folder }),
  };
}

/**
 * What was found before, without what is gone. The records stay: a search finds a drawing, and not what was done to it.
 *
 * @param seen.isLookedAt false for a file of the list that was not searched
 */
export function stillSeen(
  before: Manifest,
  { usages, searched, isLookedAt }: StrayIcons & { isLookedAt: (file: string) => boolean },
): Manifest {
  const seen = new Set(usages.map(({ id, file }) => `${numberOf(id)} ${file}`));
  return onlyUses(
    before,
    ({ file }, { id }) => !searched.has(id) || !isLookedAt(file) || seen.has(`${id} ${file}`),
  );
}

/** What a list has, as `number file`. */
export function placesIn({ icons }: Manifest): string[] {
  return icons.flatMap(({ id, usedIn }) => usedIn.map(({ file }) => `${id} ${file}`));
}

/** A list of one folder as one of another folder says it. */
export function rebase(
  list: Manifest,
  { from, to, prefix = '' }: { from: string; to: string; prefix?: string },
): Manifest {
  const places = new Map(
    list.builds.map(({ id, folder = '' }) => [id, placeIn(to, join(from, folder))]),
  );
  const usual = placeIn(to, from);
  return moveUses(list, {
    use: ({ file, ...use }) => {
      const place = places.get(use.build) ?? usual;
      return [{ ...use, build: prefix + use.build, file: place.of(file) }];
    },
    build: ({ folder: _folder, ...build }) => ({
      ...build,
      id: prefix + build.id,
      ...places.get(build.id)?.folder,
    }),
  });
}

/** A text as the id of a build, or as a part of one. Names that differ in letters that an id cannot hold get a digest. */
export function slug(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+$/, '');
  if (/^\p{ASCII}*$/u.test(text)) return name;
  const digest = sha256Hex(text).slice(0, 8);
  return name === '' ? digest : `${name}-${digest}`;
}

/** The part of a build that is called so in a list which may have another of its name. */
export function withPrefix(part: OwnPart, prefix: string): OwnPart {
  if (prefix === '') return part;
  const { build, usages } = part.shipped;
  return { ...part, shipped: { build: { ...build, id: `${prefix}.${build.id}` }, usages } };
}

/** Parts of one build: it writes in several formats, or several times. */
export function joined(one: OwnPart, other: OwnPart): OwnPart {
  return {
    ...other,
    shipped: {
      build: { ...other.shipped.build, ...one.shipped.build },
      usages: [...one.shipped.usages, ...other.shipped.usages],
    },
    brought: [...one.brought, ...other.brought],
    wrote: new Set([...one.wrote, ...other.wrote]),
  };
}

/** How files of an output are named in the list of a folder: from there, or, outside of it, from the output. */
export function placeIn(
  target: string,
  folder: string,
): { folder: { folder?: string }; of(file: string): string } {
  const way = relative(target, folder).replaceAll('\\', '/');
  if (way === '') return { folder: {}, of: (file) => file };
  if (isBelow(folder, target)) return { folder: {}, of: (file) => `${way}/${file}` };
  return { folder: { folder: way }, of: (file) => file };
}

export function onlyUses(
  list: Manifest,
  is: (use: IconUsage, icon: ManifestIcon) => boolean,
): Manifest {
  return moveUses(list, { use: (use, icon) => (is(use, icon) ? [use] : []) });
}

/** What one build says of the icons that it ships. Files are named from its output folder. */
export interface OwnPart {
  shipped: ShippedBuild;
  /** Lists that packages and folders brought into the build. */
  brought: readonly Manifest[];
  /** Output folder, absolute. */
  folder: string;
  /** The files that the build has written. */
  wrote: ReadonlySet<string>;
  /** Files of others that it has added to: what they show besides is still there. */
  rewrote?: ReadonlySet<string>;
  /** Ids of builds that belong to this one. */
  expected: readonly string[];
  /** Its other files of an earlier run stay its own: it works on some of the files of a site. */
  keepsOwn?: boolean;
  /** The bundler writes what it is given. */
  emits: boolean;
  /** A tool writes all of its files, at a time that only it knows. */
  isHanded: boolean;
  /**
   * Icons in files of its folder that no build lists.
   *
   * @param icons.named absolute paths of the files that other builds speak for
   */
  strays(icons: {
    listed: ReadonlySet<string>;
    also: ReadonlySet<string>;
    named: ReadonlySet<string>;
  }): Promise<StrayIcons>;
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

/** @param except a folder whose list is not taken over, as its build reports to this list itself */
export async function lookAround(
  target: string,
  ports: ListPlace,
  except?: string,
): Promise<Around> {
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
    if (folder === except) continue;
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
