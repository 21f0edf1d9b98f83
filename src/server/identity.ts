import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EmbeddedOptions } from '../options.ts';
import { findIconifySets } from './find-iconify-sets.ts';

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
    // A set without a manifest still has its data file to tell versions apart.
    const { size, mtimeMs } = await stat(join(folder, 'icons.json'));
    return `${prefix}@${size}:${mtimeMs}`;
  }
}

async function folderState(path: string, option: unknown): Promise<string> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const files = names.filter((name) => /\.svg$/i.test(name)).toSorted();
  const states = await Promise.all(
    files.map(async (name) => {
      const { size, mtimeMs } = await stat(join(path, name));
      return `${name}:${size}:${mtimeMs}`;
    }),
  );
  return JSON.stringify([option, states]);
}
