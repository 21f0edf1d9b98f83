import { resolve } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedOptions } from '../options.ts';
import { readIconifySets } from './iconify-sets.ts';
import { type Library, createLibrary } from './library.ts';
import { readSvgFolder } from './svg-folders.ts';

/**
 * Everything that the options name: icon sets by prefix, then folders in their order.
 * @throws OPTIONS_INVALID when nothing is found, or something named is not there
 */
export async function readLibrary({
  root = process.cwd(),
  sets,
  folders = [],
}: EmbeddedOptions): Promise<Library> {
  const base = resolve(root);
  const [installed, own] = await Promise.all([
    readIconifySets({ root: base, sets }),
    Promise.all(folders.map((folder) => readSvgFolder(folder, base))),
  ]);
  const library = createLibrary([...installed, ...own]);
  if (library.icons.length > 0) return library;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message:
      'The embedded catalog has no icons: no icon set is installed and no folder holds SVG files.',
    remedy: 'Install a set, for example: npm i -D @iconify-json/tabler',
  });
}
