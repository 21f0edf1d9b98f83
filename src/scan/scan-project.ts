import { readdir, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Scan } from './found.ts';
import { listFiles } from './list-files.ts';
import { scanSource } from './scan-source.ts';

/** A larger file is data or a bundle, and a parser would need minutes for it. */
const LARGEST = 4 * 1024 * 1024;
/** The number of files that are open at the same time. */
const AT_ONCE = 32;

/** Only in projects of Eleventy are the words `icon` and `iconUrl` shortcodes. */
const ELEVENTY = /^(?:\.eleventy\.[cm]?js|eleventy\.config\.[cm]?[jt]s)$/;

export interface ProjectScan extends Scan {
  /** The number of files that were searched. */
  files: number;
}

/**
 * Every `icon:` reference of a project, in the order of files and lines. Needs no catalog and no bundler.
 *
 * @param options.paths files, folders and patterns; everything that git would track if there are none
 * @throws NothingNamed
 */
export async function scanProject(
  root: string,
  {
    paths = [],
    onFile,
  }: { paths?: readonly string[]; onFile?: (done: number, all: number) => void } = {},
): Promise<ProjectScan> {
  const files = await listFiles(root, paths);
  const shortcodes = (await readdir(root)).some((name) => ELEVENTY.test(name));
  const scans: Scan[] = [];
  let next = 0;
  let done = 0;
  async function work(): Promise<void> {
    for (let at = next++; at < files.length; at = next++) {
      scans[at] = await scanFile(root, files[at] ?? '', shortcodes);
      onFile?.((done += 1), files.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    files: files.length,
    references: scans.flatMap(({ references }) => references),
    unknown: scans.flatMap(({ unknown }) => unknown),
    warnings: scans.flatMap(({ warnings }) => warnings),
  };
}

async function scanFile(root: string, file: string, shortcodes: boolean): Promise<Scan> {
  const path = resolve(root, file);
  const passedOver = (message: string): Scan => ({
    references: [],
    unknown: [],
    warnings: [{ file, line: 1, column: 1, message }],
  });
  try {
    const { size } = await stat(path);
    if (size > LARGEST)
      return passedOver(`is larger than ${LARGEST / 1024 / 1024} MiB and was not read`);
    return await scanSource({ text: await readFile(path, 'utf8'), file, shortcodes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The file is deleted but still in git's index, so it holds no reference.
    if (code === 'ENOENT') return { references: [], unknown: [], warnings: [] };
    if (code === undefined) throw error;
    return passedOver(`cannot be read (${code})`);
  }
}
