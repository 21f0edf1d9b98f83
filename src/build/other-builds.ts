import { join, relative } from 'node:path';
import { moveUses } from '../attribution/manifest/create-manifest.ts';
import type { AttributionFiles } from '../options/resolve-attribution.ts';
import { isSomewhere, parseList } from '../store/credit-lists.ts';
import { sha256Hex } from '../store/hash.ts';
import type { IconUsage, Manifest, ManifestBuild, ManifestIcon } from '../types.ts';
import type { AboutFiles, Attribution, ShippedBuild } from './attribution-files.ts';
import { type Around, isBelow, placeIn } from './list-files.ts';
import { numberOf } from './search-outputs.ts';
import type { ReportOptions } from './session-interface.ts';
import type { FoundUsage, OutputFile } from './session-types.ts';
import type { StrayIcons } from './stray-icons.ts';

/** What one build says of the icons that it ships. Files are named from its output folder. */
export interface OwnPart extends Required<
  Pick<ReportOptions, 'expected' | 'keepsOwn' | 'emits' | 'isHanded'>
> {
  shipped: ShippedBuild;
  /** Lists that packages and folders brought into the build. */
  brought: readonly Manifest[];
  /** Output folder, absolute. */
  folder: string;
  /** The files that the build has written. */
  wrote: ReadonlySet<string>;
  /** Files of others that it has added to: what they show besides is still there. */
  rewrote: ReadonlySet<string>;
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

export interface ListPorts {
  /** The package that builds: its folder, absolute, and its name. */
  project: { folder: string; name: string };
  names: AttributionFiles;
  /** Folder of the one list, where the project or an integration names it. */
  site: string | undefined;
  /** The project has named it: its builds may bear one name and write into several folders. */
  isNamed: boolean;
  /** Ids that the project waits for. */
  builds: readonly string[];
  /** All attribution files of these builds, and of what other lists say. */
  render: Attribution['files'];
}

/** What the files of one folder are made of. */
export interface Making {
  part: OwnPart;
  ports: ListPorts;
  /** The folder, absolute. */
  target: string;
  around: Around;
  there?: AboutFiles['there'];
}

export interface Made {
  files: OutputFile[];
  waiting: string[];
  /** Files of others that the list names, absolute. */
  kept: string[];
}

/** The files for one folder: this build's part, and what is left of the others. */
export async function makeList(making: Making): Promise<Made> {
  const { ports, target, around, there } = making;
  const { render, builds, isNamed } = ports;
  // Builds of one name may write into several folders of a site.
  const prefix = isNamed ? slug(relative(target, making.part.folder)) : '';
  const part = withPrefix(making.part, prefix);
  const place = placeIn(target, part.folder);
  const here = <Use extends FoundUsage>(usages: readonly Use[]): Use[] =>
    Array.from(usages, (use) => ({ ...use, file: place.of(use.file) }));
  const build: ManifestBuild = { ...part.shipped.build, ...place.folder };
  const own: ShippedBuild = { build, usages: here(part.shipped.usages) };
  const leftover = foundBuild(build);
  const lists = await othersOf({ part, own, target, around });
  const drawn = lists.map((list) => onlyUses(list, (use) => use.build !== leftover.id));
  const before = lists.map((list) => onlyUses(list, (use) => use.build === leftover.id));
  const brought = part.brought.map((list) => rebase(list, { from: part.folder, to: target }));
  const ownIds = own.usages.map(({ id }) => numberOf(id));
  const listed = new Set([...ownIds, ...idsOf([...drawn, ...brought])]);
  const strays = await part.strays({
    listed,
    also: new Set(idsOf(before)),
    named: new Set(drawn.flatMap((list) => pathsOf(list, target))),
  });
  if (!strays.isWhole) build.complete = false;
  const placeOf = (id: string, file: string): string => `${id} ${file}`;
  const seen = here(strays.usages);
  const places = new Set(seen.map(({ id, file }) => placeOf(numberOf(id), file)));
  const known = new Set<string>();
  // The records of what was found before stay: a search finds a drawing, and not what was done to it.
  const left = before.map((list) =>
    onlyUses(list, ({ file }, { id }) => {
      const isSearched =
        strays.searched.has(id) &&
        (place.folder.folder !== undefined || isBelow(join(target, file), part.folder));
      known.add(placeOf(id, file));
      return !isSearched || places.has(placeOf(id, file));
    }),
  );
  const fresh = seen.filter(
    ({ id, file }) => !listed.has(numberOf(id)) && !known.has(placeOf(numberOf(id), file)),
  );
  const found = Array.from(new Set(fresh.map(({ from }) => from)), (source): ShippedBuild => ({
    build: foundBuild(build, source),
    usages: fresh.filter(({ from }) => from === source),
  }));
  const others = [...drawn, ...brought];
  for (const list of left) if (list.icons.length > 0) others.push({ ...list, builds: [leftover] });
  const all = [build, ...others.flatMap((list) => list.builds)];
  const waiting = missingOf([...builds, ...part.expected], all);
  // A project that names the builds of its site knows them: lists of single outputs may wait for each other.
  if (builds.length === 0) waiting.push(...unansweredIn(part, around, target));
  const complete =
    waiting.length === 0 &&
    all.every((each) => each.complete !== false) &&
    (there === undefined || !waitsForOthers(parseList(around.bytes, around.path)));
  const files = await render([own, ...found], others, { complete, pages: around.pages, there });
  const kept = [...drawn, ...left].flatMap((list) => pathsOf(list, target));
  kept.push(...strays.usages.map(({ file }) => join(part.folder, file)));
  return { waiting, files, kept };
}

function idsOf(lists: readonly Manifest[]): string[] {
  return lists.flatMap(({ icons }) => icons.map(({ id }) => id));
}

interface OthersInput extends Pick<Making, 'part' | 'target' | 'around'> {
  /** As the list names it. */
  own: ShippedBuild;
}

/** What the lists that are there say of others than this part. */
async function othersOf(input: OthersInput): Promise<Manifest[]> {
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
  const rewrote = new Set([...part.rewrote].map((file) => join(part.folder, file)));
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
      const isLeft = use.build === own.build.id && !part.keepsOwn;
      return [isLeft ? { ...use, build: leftover } : use];
    },
  });
  const builds = left.builds.filter(({ id }) => id !== own.build.id && id !== leftover);
  return { ...left, builds };
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
function unansweredIn({ brought }: OwnPart, { inner }: Around, target: string): string[] {
  const lists = [
    ...inner.map(({ folder, list }) => ({ list, of: placeIn(target, folder).way })),
    ...brought.map((list) => ({ list, of: list.builds[0]?.from ?? 'a package' })),
  ];
  return lists
    .filter(({ list }) => waitsForOthers(list))
    .map(({ of }) => `those that the list of ${of} waits for`);
}

/** True for a list that waits for builds which it does not name. */
function waitsForOthers(list: Manifest | undefined): boolean {
  return list?.complete === false && list.builds.every(({ complete }) => complete !== false);
}

/** Absolute paths of all files that a list names. */
function pathsOf(list: Manifest, target: string): string[] {
  const pathOf = pathIn(list, target);
  return [...new Set(list.icons.flatMap(({ usedIn }) => usedIn.map(pathOf)))];
}

/** What no build drew: files that are left of an earlier build, markup that somebody has pasted, or that a package has. */
function foundBuild({ consumer, folder }: ManifestBuild, from?: string): ManifestBuild {
  const parts = [from, folder].filter((part) => part !== undefined);
  return {
    id: ['found', ...parts.map(slug)].join('.'),
    bundler: 'none',
    consumer: folder === undefined ? 'client' : consumer,
    precision: 'found',
    ...(folder === undefined ? {} : { folder }),
    ...(from === undefined ? {} : { from }),
  };
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

function onlyUses(list: Manifest, is: (use: IconUsage, icon: ManifestIcon) => boolean): Manifest {
  return moveUses(list, { use: (use, icon) => (is(use, icon) ? [use] : []) });
}
