import { join, relative } from 'node:path';
import type { AttributionFiles } from '../options/resolve-attribution.ts';
import {
  isSomewhere,
  parseList,
  readHead,
  readList,
  readListBytes,
} from '../store/credit-lists.ts';
import { writeChanged } from '../store/files.ts';
import type { Manifest, ManifestBuild } from '../types.ts';
import type { AboutFiles, ShippedBuild } from './attribution-files.ts';
import {
  alone,
  createHolds,
  handedFiles,
  keepHanded,
  isBelow,
  namesThere,
  OUR_PAGE,
  outerFolders,
  removeList,
} from './list-files.ts';
import {
  ALONE,
  type Around,
  foundBuild,
  joined,
  listName,
  lookAround,
  missingOf,
  onlyUses,
  othersOf,
  pageIn,
  type OwnPart,
  pathsOf,
  placeIn,
  placesIn,
  rebase,
  slug,
  stillSeen,
  unansweredIn,
  waitsForOthers,
  withPrefix,
} from './other-builds.ts';
import { numberOf } from './search-outputs.ts';
import type { FoundUsage, OutputFile } from './session-types.ts';

interface FolderListsPorts {
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
  render(
    shipped: readonly [own: ShippedBuild, ...ShippedBuild[]],
    others: readonly Manifest[],
    about: AboutFiles,
  ): Promise<OutputFile[]>;
}

export interface ReportedFiles {
  /** For the bundler to write into its folder. The list itself is not among them: `settle` writes it. */
  files: OutputFile[];
  /** All of them, as `settle` will write them, absolute. */
  paths: string[];
  /** Builds that have not reported yet. */
  waiting: string[];
}

/**
 * The list that lies in a folder is the record of what its files show. A build that writes there takes over the parts of
 * other builds whose files are still there, replaces its own part, and writes the union: no cache and no clock is asked,
 * so that a build on another machine counts as much as an earlier one here.
 *
 * Files that a build has written speak for that build alone. A list speaks for everything below its folder: lists of
 * folders in it are taken over, and lists of folders around it get this build's part as well.
 */
export interface FolderLists {
  /**
   * Reads the list in a folder that is about to be emptied: builds that write elsewhere may have reported there. Other
   * builds cannot change it until `emptied`, since what they wrote in between would be lost.
   *
   * @param output what is emptied: this folder, or one around it
   */
  readAhead(folder: string, names: AttributionFiles, output: string): Promise<void>;
  /** This output folder has been emptied, or never will be; without a folder, all of them. */
  emptied(folder?: string): Promise<void>;
  report(part: OwnPart, ports: FolderListsPorts): Promise<ReportedFiles>;
  /** The output is written: the lists follow, one writer at a time. */
  settle(options?: { isWritten?: boolean }): Promise<string[]>;
  /** A build begins. */
  begin(): void;
}

interface Reported {
  part: OwnPart;
  ports: FolderListsPorts;
  target: string;
  around: Around;
  made: Made;
}

interface Made {
  files: OutputFile[];
  waiting: string[];
  /** Files of others that the list names, absolute. */
  kept: string[];
}

export function createFolderLists(): FolderLists {
  const ahead = new Map<string, { list: Manifest; page: Buffer | undefined }>();
  const holds = createHolds();
  const reports = new Map<string, Reported>();
  /** What was reported since the build began. */
  const parts = new Map<string, OwnPart>();

  return {
    begin: () => parts.clear(),
    async readAhead(folder, { json, html }, output) {
      ahead.delete(folder);
      if (json === false) return;
      const path = join(folder, json);
      await holds.take(output, path);
      // Of files in the folder itself nothing will be left. Such a list may have megabytes, which need not be read.
      if (ALONE.test(await readHead(path))) return;
      const list = await readList(path);
      if (list?.builds.some((build) => build.folder !== undefined) === true)
        ahead.set(folder, { list, page: await pageIn(folder, html) });
    },
    emptied: holds.release,
    async report(given, ports) {
      // What is handed over stays together.
      const target = (given.isHanded ? undefined : ports.site) ?? given.folder;
      const { folder, name } = ports.project;
      // Builds of several packages may bear one name.
      const isInside = target === folder || isBelow(target, folder);
      const named = withPrefix(given, isInside ? '' : slug(name) || 'project');
      const key = JSON.stringify([named.shipped.build.id, given.folder]);
      const earlier = parts.get(key);
      const part = earlier === undefined ? named : joined(earlier, named);
      parts.set(key, part);
      // A list of this output alone is one of an earlier build.
      const except = target === part.folder ? undefined : part.folder;
      const around = await lookAround(target, ports, except);
      if (part.isHanded) return handOver({ part, ports, target, around });
      const before = ahead.get(target);
      around.before = before?.list;
      if (before?.page !== undefined) around.pages.push(before.page);
      const made = await make({ part, ports, target, around });
      reports.set(key, { part, ports, target, around, made });
      const names = made.files.map(({ fileName }) => fileName);
      return {
        files: isEmitted(part, target)
          ? made.files.filter(({ fileName }) => fileName !== ports.names.json)
          : [],
        paths: names.map((name) => join(target, name)),
        waiting: made.waiting,
      };
    },
    async settle({ isWritten = true } = {}) {
      const written: string[] = [];
      for (const [key, reported] of reports) {
        reports.delete(key);
        if (isWritten) written.push(...(await settleOne(reported)));
      }
      return written;
    },
  };
}

/** All files of a list, for a tool that writes them. */
async function handOver(reported: Omit<Reported, 'made'>): Promise<ReportedFiles> {
  const { part, ports, target, around } = reported;
  const { id } = part.shipped.build;
  const list = join(target, listName(ports));
  let made: Made = { files: [], waiting: [], kept: [] };
  await alone(list, async () => {
    const handed = handedFiles(list);
    const page = handed.files.get(join(target, ports.names.html || ''));
    around.bytes = handed.files.get(list) ?? around.bytes;
    // What this build wrote before is there if it is on disk.
    around.handed = new Set([...handed.wrote].flatMap(([by, paths]) => (by === id ? [] : paths)));
    if (page !== undefined) around.pages.push(page);
    made = await make(reported);
    const wrote = Array.from(part.wrote, (file) => join(part.folder, file));
    handed.wrote.set(id, wrote);
    for (const { fileName, source } of made.files)
      keepHanded(handed, join(target, fileName), Buffer.from(source));
  });
  return { files: made.files, paths: [], waiting: made.waiting };
}

const isEmitted = ({ emits, folder }: OwnPart, target: string) => emits && folder === target;

async function settleOne(reported: Reported): Promise<string[]> {
  const written: string[] = [];
  const { part, ports, target, around, made } = reported;
  const list = join(target, listName(ports));
  const write = async (folder: string, { fileName, source }: OutputFile): Promise<void> => {
    const path = join(folder, fileName);
    try {
      if (await writeChanged(path, source)) written.push(path);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/,.*/, '') : 'unknown reason';
      throw new Error(
        `The credits ${path} cannot be written (${why}). Remove what is there, or make its folder writable, then build again.`,
        { cause: error },
      );
    }
  };
  /** Files of other builds keep their names, and the page what it says of the site. */
  const update = async (folder: string, of: OwnPart, here: Around): Promise<void> => {
    const names = await namesThere(folder, ports.names);
    const isOwn = (name: string | false): boolean =>
      name === false || (folder === target && Object.values(ports.names).includes(name));
    if (names.json === false || Object.values(names).every(isOwn)) return;
    const page = await pageIn(folder, names.html);
    // Somebody's own page stays what it is.
    if (page?.includes(OUR_PAGE) !== true) names.html = false;
    const there = { names, page };
    const { files } = await make({ part: of, ports, target: folder, around: here, there });
    for (const file of files) if (!isOwn(file.fileName)) await write(folder, file);
  };
  await alone(list, async () => {
    // The bundler may have emptied its folder since: what the list said before still counts, of files that are there.
    const bytes = (await readListBytes(list)) ?? around.bytes;
    const isSame =
      (bytes === around.bytes || (around.bytes && bytes?.equals(around.bytes))) &&
      (await Promise.all(made.kept.map(isSomewhere))).every(Boolean);
    const now = isSame ? made : await make({ ...reported, around: { ...around, bytes } });
    for (const file of now.files) {
      const isWritten = now === made && isEmitted(part, target);
      if (file.fileName === ports.names.json || !isWritten) await write(target, file);
    }
    await update(target, part, { ...around, bytes });
  });
  if (part.folder !== target) await removeList(part.folder, ports.names);
  const root = ports.project.folder;
  for (const outer of await outerFolders(target, root, listName(ports))) {
    const inOuter = { ...withPrefix(part, slug(relative(outer, target))), expected: [] };
    await alone(join(outer, listName(ports)), async () =>
      update(outer, inOuter, await lookAround(outer, ports, target)),
    );
  }
  return written;
}

/** The files for one folder: this build's part, and what is left of the others. */
async function make({
  part: given,
  ports,
  target,
  around,
  there,
}: Omit<Reported, 'made'> & Pick<AboutFiles, 'there'>): Promise<Made> {
  const { render, builds, isNamed } = ports;
  // Builds of one name may write into several folders of a site.
  const part = withPrefix(given, isNamed ? slug(relative(target, given.folder)) : '');
  const place = placeIn(target, part.folder);
  const here = (usages: readonly FoundUsage[]): readonly FoundUsage[] =>
    Array.from(usages, (use) => ({ ...use, file: place.of(use.file) }));
  const build: ManifestBuild = { ...part.shipped.build, ...place.folder };
  const own: ShippedBuild = { build, usages: here(part.shipped.usages) };
  const lists = await othersOf({ part, own, target, around });
  const brought = part.brought.map((list) => rebase(list, { from: part.folder, to: target }));
  const leftover = foundBuild(build);
  const drawn = lists.map((list) => onlyUses(list, (use) => use.build !== leftover.id));
  const before = lists.map((list) => onlyUses(list, (use) => use.build === leftover.id));
  const listed = new Set([
    ...own.usages.map(({ id }) => numberOf(id)),
    ...idsOf([...drawn, ...brought]),
  ]);
  const strays = await part.strays({
    listed,
    also: new Set(idsOf(before)),
    named: new Set(drawn.flatMap((list) => pathsOf(list, target))),
  });
  if (!strays.isWhole) build.complete = false;
  const seen = here(strays.usages);
  const isLookedAt = (file: string): boolean =>
    place.folder.folder !== undefined || isBelow(join(target, file), part.folder);
  const left = before.flatMap((list): Manifest[] => {
    const still = stillSeen(list, { ...strays, usages: seen, isLookedAt });
    return still.icons.length > 0 ? [{ ...still, builds: [leftover] }] : [];
  });
  const known = new Set(left.flatMap(placesIn));
  const others = [...drawn, ...brought, ...left];
  const found: ShippedBuild = {
    build: leftover,
    usages: seen.filter(
      ({ id, file }) => !listed.has(numberOf(id)) && !known.has(`${numberOf(id)} ${file}`),
    ),
  };
  const all: [ShippedBuild, ...ShippedBuild[]] = [own];
  if (found.usages.length > 0) all.push(found);
  const reported = [build, ...others.flatMap((list) => list.builds)];
  const waiting = missingOf([...builds, ...part.expected], reported);
  // A project that names the builds of its site knows them: lists of single outputs may wait for each other.
  if (builds.length === 0) waiting.push(...unansweredIn(part, around, target));
  const complete =
    waiting.length === 0 &&
    reported.every((each) => each.complete !== false) &&
    (there === undefined || !waitsForOthers(parseList(around.bytes, around.path)));
  const files = await render(all, others, { complete, pages: around.pages, there });
  const kept = [
    ...[...drawn, ...left].flatMap((list) => pathsOf(list, target)),
    ...strays.usages.map(({ file }) => join(part.folder, file)),
  ];
  return { waiting, files, kept };
}

function idsOf(lists: readonly Manifest[]): string[] {
  return lists.flatMap(({ icons }) => icons.map(({ id }) => id));
}
