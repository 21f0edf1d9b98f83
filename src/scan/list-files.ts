import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Ignore, default as createIgnore } from 'ignore';
import type createMatcher from 'picomatch';
import { isSource } from './scan-source.ts';

/** Loads CommonJS packages when they are needed: an `import` of them takes five times as long. */
const require = createRequire(import.meta.url);

const run = promisify(execFile);

/** Never sources, whether or not they are ignored. Themes of VitePress and previews of Storybook are sources. */
const SKIPPED =
  /(?:^|\/)(?:node_modules|bower_components|dist|\.vitepress\/(?:cache|\.temp)|\.(?!(?:vitepress|storybook)(?:\/|$))[^/]+)(?:\/|$)/;
/** Enough for the paths of a hundred thousand files. */
const LONGEST_LIST = 64 * 1024 * 1024;

/** A path or pattern on the command line that matches nothing. */
export class NothingNamed extends Error {}

/**
 * Files of a project that may hold references: relative to the root, `/` between folders, sorted. Without `paths` what
 * git would track, or what no `.gitignore` names where there is no git; with them these files, folders and patterns.
 *
 * @throws NothingNamed for a path that is not there and a pattern that fits nothing
 */
export async function listFiles(root: string, paths: readonly string[] = []): Promise<string[]> {
  if (paths.length === 0) return sorted(await everyFile(root));
  const found = new Set<string>();
  let every: Promise<string[]> | undefined;
  for (const path of paths) {
    const files = await namedFiles(root, path, () => (every ??= everyFile(root)));
    for (const file of files) found.add(file);
  }
  return sorted(found);
}

async function namedFiles(
  root: string,
  path: string,
  every: () => Promise<string[]>,
): Promise<string[]> {
  const name = relative(root, resolve(root, path)).split(sep).join('/');
  const about = await stat(resolve(root, path)).catch(() => undefined);
  // A file that is named explicitly is wanted, even with another ending or in an ignored folder.
  if (about?.isFile() === true) return [name];
  if (about?.isDirectory() === true) {
    const within = await everyFile(resolve(root, path));
    return within.map((file) => (name === '' ? file : `${name}/${file}`));
  }
  if (!isGlob(path)) throw new NothingNamed(`There is no file or folder ${JSON.stringify(path)}.`);
  const matching = (await every()).filter(createGlob(name));
  if (matching.length === 0)
    throw new NothingNamed(`No source file matches ${JSON.stringify(path)}.`);
  return matching;
}

async function everyFile(folder: string): Promise<string[]> {
  const files = (await listWithGit(folder)) ?? (await walk(folder));
  return files.filter((file) => isSource(file) && !SKIPPED.test(file));
}

/** Tracked files and new ones that are not ignored; `undefined` if git or a repository is missing. */
async function listWithGit(folder: string): Promise<string[] | undefined> {
  try {
    const { stdout } = await run(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
      { cwd: folder, maxBuffer: LONGEST_LIST },
    );
    // An ignored folder has nothing to list, but it was named explicitly.
    return stdout === '' ? undefined : stdout.split('\0').filter((file) => file !== '');
  } catch {
    return undefined;
  }
}

/** A `.gitignore` and the folder that holds it, `''` for the root. */
interface IgnoreFile {
  folder: string;
  rules: Ignore;
}

/** Links to folders are not followed: they lead in circles, or to files that are listed anyway. */
async function walk(root: string): Promise<string[]> {
  const ignore = require('ignore') as typeof createIgnore;
  const files: string[] = [];
  const pending: { folder: string; above: readonly IgnoreFile[] }[] = [{ folder: '', above: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder } = next;
    const own = await readFile(join(root, folder, '.gitignore'), 'utf8').catch(() => '');
    const rules = ignore({ ignorecase: false }).add(own);
    const above = own === '' ? next.above : [{ folder, rules }, ...next.above];
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (SKIPPED.test(path) || isIgnored(isFolder ? `${path}/` : path, above)) continue;
      if (isFolder) pending.push({ folder: path, above });
      else files.push(path);
    }
  }
  return files;
}

/** Whether git ignores a path: the nearest `.gitignore` above it with a rule for it decides. */
function isIgnored(path: string, above: readonly IgnoreFile[]): boolean {
  for (const { folder, rules } of above) {
    const { ignored, unignored } = rules.test(folder === '' ? path : path.slice(folder.length + 1));
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Compares by code units, so that the order is the same on every machine. */
function sorted(files: Iterable<string>): string[] {
  return [...files].sort();
}

/**
 * A pattern as shells know it: `*`, `?`, `[a-z]`, `**` over folders, `{a,b}`. Matches whole paths with `/` between
 * folders, including hidden ones. Parentheses match themselves, since folders of routes have them in their names.
 */
export function createGlob(pattern: string): (path: string) => boolean {
  const literal = pattern.replace(/(?<!\\)[()]/g, '\\$&');
  const picomatch = require('picomatch') as typeof createMatcher;
  const fits = picomatch(literal, { dot: true, posix: true, nonegate: true, noextglob: true });
  // A second argument, such as that of `filter`, would change what it returns.
  return (path) => fits(path);
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}
