import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { moveUses } from '../attribution/manifest/create-manifest.ts';
import { readList } from '../store/credit-lists.ts';
import type { IconUsage, Manifest, ManifestBuild } from '../types.ts';
import { isObject, parseJson } from '../untrusted.ts';
import { GENERATOR } from '../version.ts';
import { slug } from './other-builds.ts';
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
    /** Output folder, whose own list is none of these, where it is known. */
    folder: string | undefined;
    build: ManifestBuild;
    root: string;
    outputs: Outputs;
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
    const list = await readList(join(from, name));
    if (list === undefined) continue;
    const taken = await takenFrom(list, files, { ports, outputs });
    if (taken.icons.length > 0)
      found.push(asBrought(taken, { from: sourceOf(from, ports.root), consumer }));
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
  { ports, outputs }: { ports: SearchPorts; outputs: Outputs },
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
  const { siteUrl } = (await ports.pipeline.open()).catalog;
  // Numbers of another catalog mean other icons.
  const ids = list.catalog.siteUrl === siteUrl ? taken.icons.map(({ id }) => id) : [];
  const gone = await absentIcons(ids, { ...ports, contents: outputs });
  return moveUses(
    { ...taken, icons: taken.icons.filter(({ id }) => !gone.has(id)) },
    { use: (use) => [use] },
  );
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies'] as const;

/**
 * Modules of other packages that no list speaks for.
 *
 * @returns by absolute path: whether the package, or the workspace that it is developed in, depends on this plugin
 */
export function unlistedModules(
  modules: Iterable<{ path: string }>,
  root: string,
): Map<string, boolean> {
  const own = projectOf(root).folder;
  const lists = new Map<string, string | undefined>();
  const answers = new Map<string, boolean>();
  const folders = new Map<string, boolean>();

  /** Of a folder, or of one above that belongs to the same installed package or to the same workspace. */
  function dependsOnPlugin(folder: string): boolean {
    const known = answers.get(folder);
    if (known !== undefined) return known;
    const said = readPackage(folder);
    const isNamed = DEPENDENCIES.some((field) => {
      const names = said?.[field];
      return isObject(names) && Object.hasOwn(names, GENERATOR.name);
    });
    const depends = isNamed || (!isTop(folder) && dependsOnPlugin(dirname(folder)));
    answers.set(folder, depends);
    return depends;
  }

  const isUnlisted = (folder: string): boolean =>
    listFolder(folder, lists, root) === undefined && packageFolder(folder, own) !== own;

  const found = new Map<string, boolean>();
  for (const { path } of modules) {
    const plain = path.replace(/[?#].*$/, '');
    if (!isAbsolute(plain)) continue;
    const folder = dirname(plain);
    if (!folders.has(folder)) folders.set(folder, isUnlisted(folder));
    if (folders.get(folder) === true) found.set(plain, dependsOnPlugin(folder));
  }
  return found;
}

/** What a module of another package comes from: `some-icons@1.2.3`. */
export function originOf(module: string, root: string): string {
  return sourceOf(packageFolder(dirname(module), projectOf(root).folder), root);
}

/** The folder of the package that a folder belongs to. A `package.json` without a name says no more than `type`. */
function packageFolder(folder: string, own: string): string {
  const isHere = folder === own || isTop(folder) || readPackage(folder)?.['name'] !== undefined;
  return isHere ? folder : packageFolder(dirname(folder), own);
}

/** The folder of an installed package, or the last one of all. */
function isTop(folder: string): boolean {
  const up = dirname(folder);
  return up === folder || /[\\/]node_modules(?:[\\/]@[^\\/]+)?$/.test(up);
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
function sourceOf(folder: string, root: string): string {
  const way = relative(root, folder).replaceAll('\\', '/');
  const isInside = !way.startsWith('..') && !/(?:^|\/)node_modules\//.test(way);
  if (isInside) return way;
  const { name, version } = projectOf(folder);
  return [name, version].filter(Boolean).join('@');
}

/** The package that a root belongs to. Its name is how its builds are called beside those of other packages. */
export function projectOf(root: string): { folder: string; name: string; version?: unknown } {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const read = readPackage(folder);
    if (read === undefined) continue;
    const { name = basename(folder), version } = read;
    return { folder, name: String(name), version };
  }
  return { folder: root, name: basename(root) };
}

function readPackage(folder: string): Record<string, unknown> | undefined {
  const path = join(folder, 'package.json');
  const read = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  return isObject(read) ? read : undefined;
}
