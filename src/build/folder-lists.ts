import { join, relative } from 'node:path';
import type { AttributionFiles } from '../options/resolve-attribution.ts';
import { isSomewhere, readHead, readList, readListBytes } from '../store/credit-lists.ts';
import { writeChanged } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';
import type { Manifest } from '../types.ts';
import {
  alone,
  type Around,
  handedFiles,
  isBelow,
  listName,
  lockList,
  lookAround,
  namesThere,
  OUR_PAGE,
  outerFolders,
  pageIn,
  removeList,
} from './list-files.ts';
import {
  ALONE,
  joined,
  type ListPorts,
  type Made,
  makeList,
  type Making,
  type OwnPart,
  slug,
  withPrefix,
} from './other-builds.ts';
import type { OutputFile } from './session-types.ts';

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
  emptied(folder?: string): void;
  report(part: OwnPart, ports: ListPorts): Promise<ReportedFiles>;
  /** The output is written: the lists follow, one writer at a time. */
  settle(options?: { isWritten?: boolean }): Promise<string[]>;
  /** A build begins. */
  begin(): void;
}

type Reported = Making & { made: Made };

export function createFolderLists(): FolderLists {
  const ahead = new Map<string, { list: Manifest; page: Buffer | undefined }>();
  /** Releases of lists that no other build may change, by the folder that is about to be emptied. */
  const held = new Map<string, () => void>();
  const reports = new Map<string, Reported>();
  /** What was reported since the build began. */
  const parts = new Map<string, OwnPart>();

  function emptied(folder?: string): void {
    for (const [output, release] of held) {
      if (folder !== undefined && folder !== output) continue;
      held.delete(output);
      release();
    }
  }

  return {
    emptied,
    begin: () => parts.clear(),
    async readAhead(folder, { json, html }, output) {
      ahead.delete(folder);
      if (json === false) return;
      const path = join(folder, json);
      emptied(output);
      held.set(output, await lockList(path));
      // Of files in the folder itself nothing will be left. Such a list may have megabytes, which need not be read.
      if (ALONE.test(await readHead(path))) return;
      const list = await readList(path);
      if (list?.builds.some((build) => build.folder !== undefined) === true)
        ahead.set(folder, { list, page: await pageIn(folder, html) });
    },
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
      const around = await lookAround(target, ports, part.folder);
      if (part.isHanded) return handOver({ part, ports, target, around });
      const before = ahead.get(target);
      around.before = before?.list;
      if (before?.page !== undefined) around.pages.push(before.page);
      const made = await makeList({ part, ports, target, around });
      reports.set(key, { part, ports, target, around, made });
      return {
        files: isEmitted(part, target)
          ? made.files.filter(({ fileName }) => fileName !== ports.names.json)
          : [],
        paths: made.files.map(({ fileName }) => join(target, fileName)),
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
async function handOver(reported: Making): Promise<ReportedFiles> {
  const { part, ports, target, around } = reported;
  const { id } = part.shipped.build;
  const list = join(target, listName(ports));
  return alone(list, async () => {
    const handed = handedFiles(list);
    const page = handed.files.get(join(target, ports.names.html || ''));
    around.bytes = handed.files.get(list) ?? around.bytes;
    // What this build wrote before is there if it is on disk.
    around.handed = new Set([...handed.wrote].flatMap(([by, paths]) => (by === id ? [] : paths)));
    if (page !== undefined) around.pages.push(page);
    const { files, waiting } = await makeList(reported);
    const wrote = Array.from(part.wrote, (file) => join(part.folder, file));
    handed.wrote.set(id, wrote);
    for (const { fileName, source } of files) {
      const path = join(target, fileName);
      const before = handed.files.get(path);
      if (before !== undefined) handed.earlier.add(sha256Hex(before));
      handed.files.set(path, Buffer.from(source));
    }
    return { files, paths: [], waiting };
  });
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
    const { files } = await makeList({ part: of, ports, target: folder, around: here, there });
    for (const file of files) if (!isOwn(file.fileName)) await write(folder, file);
  };
  await alone(list, async () => {
    // The bundler may have emptied its folder since: what the list said before still counts, of files that are there.
    const bytes = (await readListBytes(list)) ?? around.bytes;
    const isSame =
      (bytes === around.bytes || (around.bytes && bytes?.equals(around.bytes))) &&
      (await Promise.all(made.kept.map(isSomewhere))).every(Boolean);
    const now = isSame ? made : await makeList({ ...reported, around: { ...around, bytes } });
    for (const file of now.files) {
      const isWritten = now === made && isEmitted(part, target);
      if (file.fileName === ports.names.json || !isWritten) await write(target, file);
    }
    await update(target, part, { ...around, bytes });
  });
  if (part.folder !== target) await removeList(part.folder, ports.names);
  for (const outer of await outerFolders(target, ports.project.folder, listName(ports))) {
    const inOuter = { ...withPrefix(part, slug(relative(outer, target))), expected: [] };
    await alone(join(outer, listName(ports)), async () =>
      update(outer, inOuter, await lookAround(outer, ports, target)),
    );
  }
  return written;
}
