import { join, relative } from 'node:path';
import { slug } from '../attribution/plain-text.ts';
import { iconIdOf, toDefaultId } from '../request/key.ts';
import type { AttributionFiles } from '../options/resolve-attribution.ts';
import { writeChanged } from '../store/files.ts';
import type { Manifest, ManifestBuild } from '../types.ts';
import type { ShippedBuild } from './attribution-files.ts';
import {
  alone,
  createHolds,
  filesBelow,
  isBeside,
  outerFolders,
  parseList,
  readBytes,
} from './list-files.ts';
import {
  type Around,
  foundBuild,
  joined,
  onlyUses,
  othersOf,
  type OwnPart,
  pathsOf,
  placeIn,
  rebase,
} from './other-builds.ts';
import type { FoundUsage, OutputBytes } from './session-types.ts';

export interface FolderListsPorts {
  /** The package that builds: its folder, absolute, and its name. */
  project: { folder: string; name: string };
  names: AttributionFiles;
  /** Folder of the one list, where the project or an integration names it. */
  site: string | undefined;
  /** Ids that the project waits for. */
  builds: readonly string[];
  /** All attribution files of these builds, and of what other lists say. */
  render(
    shipped: readonly [own: ShippedBuild, ...ShippedBuild[]],
    others: readonly Manifest[],
    complete: boolean,
    pages: readonly Buffer[],
  ): Promise<OutputBytes[]>;
}

export interface ReportedFiles {
  /** For the bundler to write into its folder. The list itself is not among them: `settle` writes it. */
  files: OutputBytes[];
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
  key: string;
  files: OutputBytes[];
  waiting: string[];
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
      await holds.take(output, join(folder, json));
      const bytes = await readBytes(join(folder, json));
      // Of files in the folder itself nothing will be left. Such a list may have megabytes, which need not become text.
      const isElsewhere = bytes?.includes('"folder":') === true;
      const list = isElsewhere ? parseList(bytes, folder) : undefined;
      if (list !== undefined) ahead.set(folder, { list, page: await pageIn(folder, html) });
    },
    emptied: holds.release,
    async report(given, ports) {
      const target = ports.site ?? given.folder;
      const key = JSON.stringify([given.shipped.build.id, given.folder]);
      const earlier = parts.get(key);
      const part = earlier === undefined ? given : joined(earlier, given);
      parts.set(key, part);
      const before = ahead.get(target);
      const around = await lookAround(target, ports, { before: before?.list });
      if (before?.page !== undefined) around.pages = [...around.pages, before.page];
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

/** Where a project gives the list no name, it may still be there under its usual one. */
const LIST = 'icon-attribution.json';

function listName({ names }: FolderListsPorts): string {
  return names.json === false ? LIST : names.json;
}

const isEmitted = ({ emits, folder }: OwnPart, target: string): boolean =>
  emits && folder === target;

async function settleOne(reported: Reported): Promise<string[]> {
  const written: string[] = [];
  const { part, ports, target, around, made } = reported;
  const list = join(target, listName(ports));
  const write = async (folder: string, { fileName, source }: OutputBytes): Promise<void> => {
    const path = join(folder, fileName);
    if (await writeChanged(path, source)) written.push(path);
  };
  await alone(list, async () => {
    // The bundler may have emptied its folder since: what the list said before still counts.
    const bytes = (await readBytes(list)) ?? around.bytes;
    const isSame = bytes === around.bytes || (around.bytes && bytes?.equals(around.bytes));
    const now = isSame ? made : await make({ ...reported, around: { ...around, bytes } });
    for (const file of now.files) {
      const isWritten = now.key === made.key && isEmitted(part, target);
      if (file.fileName !== ports.names.json && isWritten) continue;
      await write(target, file);
    }
  });
  for (const outer of ports.names.json === false
    ? []
    : await outerFolders(target, { root: ports.project.folder, list: ports.names.json })) {
    const path = join(outer, listName(ports));
    const prefix = slug(relative(outer, target));
    const inOuter: OwnPart = {
      ...part,
      shipped: {
        ...part.shipped,
        build: { ...part.shipped.build, id: `${prefix}.${part.shipped.build.id}` },
      },
      expected: [],
    };
    await alone(path, async () => {
      const there = await lookAround(outer, ports, { except: target });
      const { files } = await make({ part: inOuter, ports, target: outer, around: there });
      for (const file of files) await write(outer, file);
    });
  }
  return written;
}

/** The files for one folder: this build's part, and what is left of the others. */
async function make({ part, ports, target, around }: Omit<Reported, 'made'>): Promise<Made> {
  const { names, render, project, builds } = ports;
  const place = placeIn(target, part.folder);
  const here = (usages: readonly FoundUsage[]): readonly FoundUsage[] =>
    target === part.folder
      ? usages
      : Array.from(usages, (use) => ({ ...use, file: place.of(use.file) }));
  const build: ManifestBuild = {
    ...part.shipped.build,
    ...place.folder,
    ...(isBeside(target, project.folder) && {
      id: `${project.name}.${part.shipped.build.id}`,
    }),
  };
  const own: ShippedBuild = { build, usages: here(part.shipped.usages) };
  const lists = names.json === false ? [] : await othersOf({ part, own, target, around });
  const brought = part.brought.map((list) => rebase(list, { from: part.folder, to: target }));
  const leftover = foundBuild(build);
  const drawn = lists.map((list) => onlyUses(list, (use) => use.build !== leftover.id));
  const before = lists.map((list) => onlyUses(list, (use) => use.build === leftover.id));
  const strays = await part.strays({
    listed: new Set([
      ...own.usages.map(({ id }) => numberOf(id)),
      ...idsOf([...drawn, ...brought]),
    ]),
    also: new Set(idsOf(before)),
    named: new Set(drawn.flatMap((list) => pathsOf(list, target))),
  });
  const others = [
    ...drawn,
    ...brought,
    ...Array.from(before, (list) => ({
      ...list,
      builds: [leftover],
      icons: list.icons.filter(({ id }) => !strays.searched.has(id)),
    })).filter(({ icons }) => icons.length > 0),
  ];
  const found: ShippedBuild = { build: leftover, usages: here(strays.usages) };
  const all: [ShippedBuild, ...ShippedBuild[]] = [own];
  if (found.usages.length > 0) all.push(found);
  const known = [build, ...others.flatMap((list) => list.builds)];
  const ids = known.flatMap(({ id }) => [id, ...id.split('.')]);
  const waiting = [...new Set([...builds, ...part.expected])].filter((id) => !ids.includes(id));
  const complete = waiting.length === 0 && known.every((each) => each.complete !== false);
  const files = await render(all, others, complete, around.pages);
  return { key: files.map(({ digest }) => digest).join(), waiting, files };
}

function idsOf(lists: readonly Manifest[]): string[] {
  return lists.flatMap(({ icons }) => icons.map(({ id }) => id));
}

function numberOf(id: string): string {
  return iconIdOf(toDefaultId(id));
}

async function lookAround(
  target: string,
  ports: FolderListsPorts,
  { before, except }: { before?: Manifest | undefined; except?: string },
): Promise<Around> {
  const bytes = await readBytes(join(target, listName(ports)));
  const inner = await innerLists(target, ports, except);
  const folders = [...inner.map(({ folder }) => folder), ...(bytes === undefined ? [] : [target])];
  const pages = await Promise.all(folders.map((folder) => pageIn(folder, ports.names.html)));
  return { bytes, before, inner, pages: pages.filter((page) => page !== undefined) };
}

async function pageIn(folder: string, html: string | false): Promise<Buffer | undefined> {
  return html === false ? undefined : readBytes(join(folder, html));
}

async function innerLists(
  target: string,
  ports: FolderListsPorts,
  except?: string,
): Promise<Around['inner']> {
  if (ports.names.json === false) return [];
  const end = `/${ports.names.json.replaceAll('\\', '/')}`;
  const found: { folder: string; list: Manifest }[] = [];
  for (const name of await filesBelow(target, ports.project.folder)) {
    if (!name.endsWith(end)) continue;
    const folder = join(target, name.slice(0, -end.length));
    if (folder === except) continue;
    const list = parseList(await readBytes(join(target, name)), folder);
    if (list !== undefined) found.push({ folder, list });
  }
  return found;
}
