import { readFile, readdir } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedFolder } from '../options/options.ts';
import { readLicenseText } from './installed-sets.ts';
import { folderPrefix, humanize, slugify } from './words.ts';
import { collectionId, embeddedIconId, userId } from './ids.ts';
import type { Collection, Icon } from './library.ts';

const MAX_BYTES = 1024 * 1024;
/** Files have no date that all machines agree on, so folders have a fixed one. */
const UNDATED = Date.UTC(2026, 0, 1);

/**
 * Reads a folder of SVG files, subfolders included; a file is named after its path in the folder.
 * Files above 1 MiB and files that hold no `<svg` are not icons and are left out.
 * @throws OPTIONS_INVALID when the folder cannot be read
 */
export async function readSvgFolder(
  option: string | EmbeddedFolder,
  root: string,
): Promise<Collection> {
  const folder: EmbeddedFolder = typeof option === 'string' ? { path: option } : option;
  const path = resolve(root, folder.path);
  const title = folder.name ?? basename(path);
  const prefix = folderPrefix(folder, root);
  const license = folder.license ?? 'public-domain';
  const files = await readFiles(path, folder.path);
  const collection: Collection = {
    id: collectionId(prefix),
    prefix,
    name: folder.name ?? humanize(title),
    author: { name: folder.author ?? title, url: undefined, id: userId(prefix) },
    license: {
      title: license.replaceAll('-', ' '),
      spdx: '',
      description: license,
      text: await readLicenseText(path),
    },
    description: `SVG files of the folder ${basename(path)}`,
    tags: [],
    updated: UNDATED,
    icons: [],
    isFolder: true,
    markup: (name) => files.get(name) ?? '',
    synonyms: () => [],
  };
  collection.icons = [...files.keys()].map((name): Icon => ({
    id: embeddedIconId(prefix, name),
    index: 0,
    name,
    term: humanize(name),
    collection,
  }));
  return collection;
}

async function readFiles(path: string, shown: string): Promise<Map<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (cause: unknown) => {
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `The embedded catalog cannot read the folder ${shown}.`,
        path: 'folders',
        remedy: 'Correct `folders`; paths are relative to the project root.',
        cause,
      });
    },
  );
  const paths = entries
    .filter((entry) => entry.isFile() && /\.svg$/i.test(entry.name))
    .map((entry) => resolve(entry.parentPath, entry.name))
    .sort();
  const files = new Map<string, string>();
  for (const file of paths) {
    const bytes = await readFile(file);
    if (bytes.byteLength > MAX_BYTES) continue;
    const text = bytes.toString('utf8');
    const name = slugify(
      file
        .slice(path.length + 1)
        .replace(/\.svg$/i, '')
        .replaceAll(sep, '-'),
    );
    if (!/<(?:[^\s<>/:]+:)?svg[\s>/]/.test(text) || name === '') continue;
    if (files.has(name)) {
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `Two files of the folder ${shown} are both called "${name}" as icons.`,
        remedy: 'Rename one of them.',
      });
    }
    files.set(name, text);
  }
  return files;
}
