import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { moveUses } from '../attribution/manifest/create-manifest.ts';
import { slug } from '../attribution/plain-text.ts';
import type { IconUsage, Manifest, ManifestBuild } from '../types.ts';
import { parseList, projectOf, readText } from './list-files.ts';
import { absentIcons, type Outputs, type SearchPorts } from './search-outputs.ts';

/** The list of a package, and that of a folder which `icon-catalog emit` wrote: its ledger lies beside it. */
const LIST = 'icon-attribution.json';
const EMITTED = ['credits.json', '.icon-catalog.json'] as const;

/**
 * Lists that lie beside the modules of a build: a package brings one that ships icons in its own files, and so does a
 * folder that `icon-catalog emit` wrote. Of each, the icons of those files that the build took in, named where they are
 * now.
 */
export async function broughtLists(
  modules: Iterable<{ path: string; file: string }>,
  {
    folder,
    build: { consumer },
    outputs,
    ...ports
  }: SearchPorts & {
    /** Output folder, whose own list is none of these. */
    folder: string;
    build: ManifestBuild;
    root: string;
    outputs: () => Promise<Outputs>;
  },
): Promise<Manifest[]> {
  const lists = new Map<string, string | undefined>();
  const filesByList = new Map<string, Map<string, Set<string>>>();
  for (const { path, file } of modules) {
    const plain = path.replace(/[?#].*$/, '');
    if (!isAbsolute(plain)) continue;
    const from = listFolder(dirname(plain), lists, ports.root);
    if (from === undefined || from === folder) continue;
    const files = filesByList.get(from) ?? new Map<string, Set<string>>();
    filesByList.set(from, files);
    const name = relative(from, plain).replaceAll('\\', '/');
    files.set(name, (files.get(name) ?? new Set()).add(file));
  }
  const found: Manifest[] = [];
  for (const [from, files] of filesByList) {
    const name = existsSync(join(from, LIST)) ? LIST : EMITTED[0];
    const list = parseList(await readText(join(from, name)), from);
    if (list === undefined) continue;
    const taken = await takenFrom(list, files, { ports, outputs });
    if (taken.icons.length > 0)
      found.push(asBrought(taken, { from: nameOf(from, ports.root), consumer }));
  }
  return found;
}

/** The nearest list at or above a module, within its package. */
function listFolder(
  folder: string,
  known: Map<string, string | undefined>,
  root: string,
): string | undefined {
  if (known.has(folder)) return known.get(folder);
  known.set(folder, undefined);
  const isTop = folder === root || existsSync(join(folder, 'package.json'));
  // What lies at the root of the project is what somebody wrote about the project itself.
  const isHere =
    folder !== root &&
    (existsSync(join(folder, LIST)) || EMITTED.every((name) => existsSync(join(folder, name))));
  const above = isTop || dirname(folder) === folder ? undefined : dirname(folder);
  const found = isHere ? folder : above && listFolder(above, known, root);
  known.set(folder, found);
  return found;
}

/** Icons of the files that are modules of this build; of all files, where the list names none of these. */
async function takenFrom(
  list: Manifest,
  files: ReadonlyMap<string, ReadonlySet<string>>,
  { ports, outputs }: { ports: SearchPorts; outputs: () => Promise<Outputs> },
): Promise<Manifest> {
  const named = list.icons.some(({ usedIn }) => usedIn.some(({ file }) => files.has(file)));
  const everywhere = new Set(Array.from(files.values(), (each) => [...each]).flat());
  const taken = moveUses(list, {
    use(use): IconUsage[] {
      // A file of its own is copied without being a module.
      const isCopied = use.kind === 'asset' || use.kind === 'sprite-symbol';
      const isAnywhere = !named || (isCopied && !files.has(use.file));
      const here = isAnywhere ? everywhere : files.get(use.file);
      return Array.from(here ?? [], (file) => ({ ...use, file }));
    },
  });
  const { siteUrl } = await ports.pipeline.catalog();
  // Numbers of another catalog mean other icons.
  const ids = list.catalog.siteUrl === siteUrl ? taken.icons.map(({ id }) => id) : [];
  const gone = await absentIcons(ids, { ...ports, contents: await outputs() });
  return moveUses(
    { ...taken, icons: taken.icons.filter(({ id }) => !gone.has(id)) },
    { use: (use) => [use] },
  );
}

function asBrought(
  list: Manifest,
  { from, consumer }: { from: string; consumer: ManifestBuild['consumer'] },
): Manifest {
  const id = `found.${slug(from)}`;
  const build: ManifestBuild = { id, bundler: 'none', consumer, precision: 'found', from };
  const moved = moveUses(list, { use: (use) => [{ ...use, build: id }] });
  return { ...moved, builds: [build] };
}

/** `some-icons@1.2.3`, or the folder as the project names it. */
function nameOf(folder: string, root: string): string {
  const way = relative(root, folder).replaceAll('\\', '/');
  const isInside = !way.startsWith('..') && !/(?:^|\/)node_modules\//.test(way);
  if (isInside) return way;
  const { folder: home, name } = projectOf(folder);
  try {
    const read = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    return [read['name'] ?? name, read['version']].filter(Boolean).join('@');
  } catch {
    return name;
  }
}
