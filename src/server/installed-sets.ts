import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { IconifyJSON } from '@iconify/types';
import type { EmbeddedOptions } from '../options/options.ts';
import { filesIn } from '../store/walk.ts';

export const SCOPE = '@iconify-json';
/** A drawing in a folder of the project. */
export const SVG_FILE: RegExp = /\.svg$/i;

/**
 * Folders of the installed `@iconify-json/*` packages that can be resolved from `root`, by prefix;
 * the nearest wins. A package manager without `node_modules` (Yarn's Plug'n'Play) has those that a `package.json` names.
 */
export function findIconifySets(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const scope = join(folder, 'node_modules', SCOPE);
    for (const prefix of existsSync(scope) ? readdirSync(scope).sort() : []) {
      if (!found.has(prefix) && existsSync(join(scope, prefix, 'icons.json'))) {
        found.set(prefix, join(scope, prefix));
      }
    }
    for (const prefix of namedSets(folder)) {
      const set = found.has(prefix) ? undefined : resolveIconifySet(folder, prefix);
      if (set !== undefined) found.set(prefix, set);
    }
    if (dirname(folder) === folder) return found;
  }
}

/** Prefixes of the sets that the `package.json` of a folder names. */
function namedSets(folder: string): string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>;
    const names = Object.keys({ ...dependencies, ...devDependencies });
    return names
      .filter((name) => name.startsWith(`${SCOPE}/`))
      .map((name) => name.slice(SCOPE.length + 1));
  } catch {
    return [];
  }
}

/** The folder of one set as Node resolves it, for package managers without a `node_modules` to look into. */
export function resolveIconifySet(root: string, prefix: string): string | undefined {
  try {
    return dirname(
      createRequire(join(resolve(root), 'package.json')).resolve(`${SCOPE}/${prefix}/icons.json`),
    );
  } catch {
    // Not installed.
    return undefined;
  }
}

const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

/**
 * The text of the licence file of a set's package or of a folder of drawings; `undefined` without
 * one.
 */
export async function readLicenseText(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const [name] = names.filter((each) => LICENSE_FILE.test(each)).sort();
  if (name === undefined) return undefined;
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

/**
 * Names of the icons of an installed set, and of those that it hides: they can be imported and are offered nowhere. Both are
 * empty if its file cannot be read.
 */
export function readSetNames(folder: string): { listed: string[]; hidden: string[] } {
  const names = { listed: [] as string[], hidden: [] as string[] };
  try {
    const set = JSON.parse(readFileSync(join(folder, 'icons.json'), 'utf8')) as IconifyJSON;
    for (const [name, { hidden }] of Object.entries({ ...set.aliases, ...set.icons }))
      names[hidden === true ? 'hidden' : 'listed'].push(name);
  } catch {
    // The embedded catalog reports it when an icon is requested.
  }
  return names;
}

/**
 * What an embedded catalog serves, without reading any icon: versions of the sets, sizes and times of the folders'
 * files. Two equal identities answer every download with the same bytes, so caches may be keyed by it.
 */
export async function embeddedIdentity({
  sets,
  folders = [],
  root = process.cwd(),
}: EmbeddedOptions): Promise<string> {
  const installed = findIconifySets(root);
  const prefixes = sets?.map((set) => set.replace(/^@iconify-json\//, '')) ?? [...installed.keys()];
  const parts = await Promise.all([
    ...prefixes.map((prefix) => versionOf(prefix, installed.get(prefix))),
    ...folders.map((folder) =>
      folderState(resolve(root, typeof folder === 'string' ? folder : folder.path), folder),
    ),
  ]);
  return parts.toSorted().join('\n');
}

async function versionOf(prefix: string, folder: string | undefined): Promise<string> {
  if (folder === undefined) return prefix;
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version?: string;
    };
    return `${prefix}@${manifest.version}`;
  } catch {
    // If a set has no manifest, its data file still identifies its version.
    const { size, mtimeMs } = await stat(join(folder, 'icons.json'));
    return `${prefix}@${size}:${mtimeMs}`;
  }
}

async function folderState(path: string, option: unknown): Promise<string> {
  const names = await filesIn(path).catch(() => []);
  const files = names.filter((name) => SVG_FILE.test(name));
  const states = await Promise.all(
    files.map(async (name) => {
      const { size, mtimeMs } = await stat(join(path, name));
      return `${name}:${size}:${mtimeMs}`;
    }),
  );
  return JSON.stringify([option, states]);
}
