import { resolve } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedOptions } from '../options/options.ts';
import { suggest } from '../request/suggest.ts';
import { SCOPE, findIconifySets, resolveIconifySet } from './installed-sets.ts';
import { folderPrefix } from './words.ts';
import { readIconifySets, readSvgFolder } from './read-sets.ts';

/** Why the embedded catalog has no icon of this name (`tabler/home`); `undefined` if it has one. */
export async function explainUnknownName(
  written: string,
  { root = '', sets, folders = [] }: EmbeddedOptions,
): Promise<IconCatalogError | undefined> {
  const [set = '', name = ''] = written.split('/');
  const base = resolve(root);
  const folder = folders.find((option) => folderPrefix(option, base) === set);
  if (folder === undefined) {
    const installed = findIconifySets(base);
    if (!installed.has(set) && resolveIconifySet(base, set) === undefined) {
      const served = sets ?? [...installed.keys()];
      const known = [...served, ...folders.map((option) => folderPrefix(option, base))];
      return notInstalled({ set, name, known, hasFolders: folders.length > 0 });
    }
    const isServed = sets?.some((one) => one.replace(`${SCOPE}/`, '') === set) ?? true;
    if (!isServed)
      return unknown(
        `The icon set \`${set}\` is installed, but \`catalog.embedded.sets\` does not name it.`,
        `Add '${set}' to \`catalog.embedded.sets\`.`,
      );
  }
  const [collection] =
    folder === undefined
      ? await readIconifySets({ root: base, sets: [set] })
      : [await readSvgFolder(folder, base)];
  const names = collection?.icons.map((icon) => icon.name) ?? [];
  if (names.includes(name) || collection?.hidden.some((icon) => icon.name === name))
    return undefined;
  const fault = collection?.unusable?.get(name);
  if (fault !== undefined)
    return unknown(
      `The folder \`${set}\` has no icon \`${name}\`: its file ${fault}.`,
      'Correct the file, or choose another icon.',
    );
  // What packages of components add: `IconHome`, `HomeIcon` and `FaHouse` became names with a word too many.
  const bare = name.replace(/^(?:icon|fa)-|-icon$/g, '');
  const nearest = names.includes(bare)
    ? bare
    : (suggest(name, names) ?? names.find((other) => `-${other}-`.includes(`-${name}-`)));
  const search = `Search with: npx icon-catalog search ${name} --embedded`;
  return unknown(
    `The ${folder === undefined ? 'icon set' : 'folder'} \`${set}\` has no icon \`${name}\`.`,
    nearest === undefined ? search : `Did you mean \`icon:${set}/${nearest}\`? ${search}`,
  );
}

function notInstalled({
  set,
  name,
  known,
  hasFolders,
}: {
  set: string;
  name: string;
  known: readonly string[];
  hasFolders: boolean;
}): IconCatalogError {
  const nearest = suggest(set, known);
  const install = `npm i -D ${SCOPE}/${set}`;
  return unknown(
    `No icon set \`${set}\` is installed${hasFolders ? ', and no folder of `catalog.embedded.folders` has this name' : ''}.`,
    nearest === undefined
      ? `Install it with: ${install}`
      : `Did you mean \`icon:${nearest}/${name}\`? If not, install the set with: ${install}`,
  );
}

function unknown(message: string, remedy: string): IconCatalogError {
  return new IconCatalogError('CATALOG_NOT_FOUND', { message, remedy, status: 404 });
}
