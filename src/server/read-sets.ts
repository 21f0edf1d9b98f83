import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { IconifyInfo, IconifyJSON } from '@iconify/types';
import { getIconData } from '@iconify/utils/lib/icon-set/get-icon';
import { getIconsTree } from '@iconify/utils/lib/icon-set/tree';
import { iconToSVG } from '@iconify/utils/lib/svg/build';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedFolder } from '../options/options.ts';
import { filesIn } from '../store/walk.ts';
import { collectionId, embeddedIconId, userId } from './ids.ts';
import {
  findIconifySets,
  readLicenseText,
  resolveIconifySet,
  SCOPE,
  SVG_FILE,
} from './installed-sets.ts';
import type { Collection, Icon, SetLicense } from './library.ts';
import { folderPrefix, humanize, slugify } from './words.ts';

/** Of sets that state no date, and of folders, whose files have none that all machines agree on. */
const UNDATED = Date.UTC(2026, 0, 1);

/**
 * Reads icon sets, in the order of their prefixes.
 * @throws OPTIONS_INVALID for a set that is not installed, with the command that installs it
 */
export async function readIconifySets({
  root,
  sets,
}: {
  root: string;
  sets: string[] | undefined;
}): Promise<Collection[]> {
  const found = findIconifySets(root);
  const folderOf = (prefix: string): string | undefined =>
    found.get(prefix) ?? resolveIconifySet(root, prefix);
  const wanted = sets
    ? [...new Set(sets.map((set) => set.replace(/^@iconify-json\//, '')))]
    : [...found.keys()];
  const missing = wanted.filter((prefix) => folderOf(prefix) === undefined);
  if (missing.length > 0) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `The embedded catalog cannot find the icon ${missing.length === 1 ? 'set' : 'sets'} ${missing.join(', ')}.`,
      remedy: `Install with: npm i -D ${missing.map((prefix) => `${SCOPE}/${prefix}`).join(' ')}`,
    });
  }
  return Promise.all(wanted.sort().map((prefix) => readSet(folderOf(prefix) ?? '', prefix)));
}

interface ParsedSet {
  set: IconifyJSON;
  /** Those that can be drawn. */
  icons: readonly { id: number; name: string; hidden: boolean }[];
}

/** By file: builds for clients and servers, and builds that run again, open the catalog several times in one process. */
const parsedSets = new Map<string, ParsedSet & { version: string }>();

async function parseSet(folder: string, prefix: string): Promise<ParsedSet> {
  const file = join(folder, 'icons.json');
  const { mtimeMs = 0, size = 0 } = (await stat(file).catch(() => undefined)) ?? {};
  const version = `${prefix} ${mtimeMs} ${size}`;
  const known = parsedSets.get(file);
  if (known?.version === version) return known;
  const set = await readJson<IconifyJSON>(file);
  if (set === undefined || typeof set.icons !== 'object') throw unreadable(folder, 'icons.json');
  const icons = drawableIcons(set, prefix);
  parsedSets.set(file, { version, set, icons });
  return { set, icons };
}

async function readSet(folder: string, prefix: string): Promise<Collection> {
  const { set, icons } = await parseSet(folder, prefix);
  const info = (await readJson<IconifyInfo>(join(folder, 'info.json'))) ?? set.info;
  const metadata = await readJson<{ categories?: Record<string, string[]> }>(
    join(folder, 'metadata.json'),
  );
  const name = info?.name ?? humanize(prefix);
  const categories = lazy(() => invertCategories(metadata?.categories ?? set.categories ?? {}));
  const siblings = lazy(() => siblingNames(set));
  const collection: Collection = {
    id: collectionId(prefix),
    prefix,
    name,
    author: { name: info?.author?.name ?? name, url: info?.author?.url, id: userId(prefix) },
    license: { ...describeLicense(info?.license), text: await readLicenseText(folder) },
    description: `${name}${info?.version ? ` ${info.version}` : ''}, ${info?.license?.title ?? 'no licence stated'}`,
    tags: [info?.category, ...(info?.tags ?? [])].filter((tag) => tag !== undefined),
    updated: set.lastModified ? set.lastModified * 1000 : UNDATED,
    icons: [],
    hidden: [],
    isFolder: false,
    markup: (icon) => iconifyMarkup(set, icon),
    synonyms: (icon) => [...(siblings().get(icon) ?? []), ...(categories().get(icon) ?? [])],
  };
  for (const { id, name: icon, hidden } of icons) {
    collection[hidden ? 'hidden' : 'icons'].push({
      id,
      index: 0,
      name: icon,
      get term() {
        return humanize(icon);
      },
      collection,
    });
  }
  return collection;
}

/** Icons and aliases that can be drawn; an alias of a hidden icon is hidden unless it says otherwise. */
function drawableIcons(set: IconifyJSON, prefix: string): ParsedSet['icons'] {
  return Object.entries(getIconsTree(set)).flatMap(([name, parents]) => {
    if (!parents) return [];
    const hidden = [name, ...parents].map((key) => (set.icons[key] ?? set.aliases?.[key])?.hidden);
    const isHidden = hidden.find((value) => value !== undefined) === true;
    return [{ id: embeddedIconId(prefix, name), name, hidden: isHidden }];
  });
}

/** Names that mean the same drawing: an alias and its parent are each other's synonyms. */
function siblingNames(set: IconifyJSON): Map<string, string[]> {
  const families = new Map<string, string[]>();
  for (const [alias, { parent }] of Object.entries(set.aliases ?? {})) {
    const family = families.get(parent) ?? [parent];
    families.set(parent, family);
    families.set(alias, family);
    family.push(alias);
  }
  return families;
}

function invertCategories(categories: Record<string, string[]>): Map<string, string[]> {
  const byIcon = new Map<string, string[]>();
  for (const [category, names] of Object.entries(categories)) {
    for (const name of names) byIcon.set(name, [...(byIcon.get(name) ?? []), category]);
  }
  return byIcon;
}

async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw unreadable(dirname(file), file.slice(dirname(file).length + 1), cause);
  }
}

function unreadable(folder: string, file: string, cause?: unknown): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `The embedded catalog cannot read ${file} of the icon set in ${folder}.`,
    remedy: 'Install the package again.',
    cause,
  });
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** One icon of a set as a whole SVG document, with transformations of aliases applied. Ids are left as they are: the same bytes each time. */
export function iconifyMarkup(set: IconifyJSON, name: string): string {
  const data = getIconData(set, name);
  if (!data) throw new Error(`No icon ${name} in ${set.prefix}.`);
  const { body, viewBox } = iconToSVG(data);
  const [left, top, width, height] = viewBox;
  const xlink = body.includes('xlink:') ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg"${xlink} width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">${body}</svg>`;
}

/**
 * The interface shows two values of `license_description`; sets under another licence say its SPDX identifier,
 * and sets without one say the title they give themselves, so that nothing is mapped silently.
 */
function describeLicense(
  license: { title?: string; spdx?: string; url?: string } | undefined,
): SetLicense {
  const spdx = license?.spdx ?? '';
  const title = license?.title ?? spdx;
  return {
    title: title || 'no licence stated',
    spdx,
    description: description(spdx, title),
    url: license?.url,
  };
}

function description(spdx: string, title: string): string {
  if (/^CC-BY-\d/.test(spdx)) return 'creative-commons-attribution';
  if (/^(CC0-1\.0|CC-PDDC|CC-PDM-1\.0)$/.test(spdx)) return 'public-domain';
  if (spdx !== '') return spdx;
  if (/^public[ -]domain$/i.test(title)) return 'public-domain';
  return title || 'not-stated';
}

const MAX_BYTES = 1024 * 1024;

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
  const license = folder.license ?? 'project-file';
  const { files, unusable } = await readFiles(path, folder.path);
  const collection: Collection = {
    id: collectionId(prefix),
    prefix,
    name: folder.name ?? humanize(title),
    author: { name: folder.author ?? title, url: undefined, id: userId(prefix) },
    license: {
      title: folder.license?.replaceAll('-', ' ') ?? 'no licence stated',
      spdx: '',
      description: license,
      text: await readLicenseText(path),
    },
    description: `SVG files of the folder ${basename(path)}`,
    tags: [],
    updated: UNDATED,
    icons: [],
    hidden: [],
    isFolder: true,
    unusable,
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

async function readFiles(
  path: string,
  shown: string,
): Promise<{ files: Map<string, string>; unusable: Map<string, string> }> {
  const paths = await filesIn(path).catch((cause: unknown) => {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `The embedded catalog cannot read the folder ${shown}.`,
      path: 'folders',
      remedy: 'Correct `folders`; paths are relative to the project root.',
      cause,
    });
  });
  const files = new Map<string, string>();
  const unusable = new Map<string, string>();
  for (const file of paths.filter((name) => SVG_FILE.test(name))) {
    const bytes = await readFile(join(path, file));
    const text = bytes.toString('utf8');
    const name = slugify(file.replace(SVG_FILE, '').replaceAll('/', '-'));
    const isDrawing = /<(?:[^\s<>/:]+:)?svg[\s>/]/.test(text);
    if (bytes.byteLength > MAX_BYTES || !isDrawing || name === '') {
      unusable.set(name, `${file} ${isDrawing ? 'is larger than 1 MiB' : 'has no <svg> element'}`);
      continue;
    }
    if (files.has(name)) {
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `Two files of the folder ${shown} are both called "${name}" as icons.`,
        remedy: 'Rename one of them.',
      });
    }
    files.set(name, text);
  }
  return { files, unusable };
}
