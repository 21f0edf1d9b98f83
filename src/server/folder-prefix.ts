import { basename, resolve } from 'node:path';
import type { EmbeddedFolder } from '../options.ts';
import { slugify } from './words.ts';

/** What stands for a folder of SVG files in ids and permalinks. */
export function folderPrefix(folder: string | EmbeddedFolder, root: string): string {
  const { path, name }: EmbeddedFolder = typeof folder === 'string' ? { path: folder } : folder;
  return slugify(name ?? basename(resolve(root, path))) || 'icons';
}
