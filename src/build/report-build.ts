import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { moveUses } from '../attribution/manifest/create-manifest.ts';
import { IconCatalogError } from '../errors.ts';
import { attributionFileNames, USUAL_NAMES } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { sha256Hex } from '../store/hash.ts';
import type { IconUsage, Manifest, ManifestBuild } from '../types.ts';
import { isObject, parseJson } from '../untrusted.ts';
import { GENERATOR } from '../version.ts';
import type { Attribution, ShippedBuild } from './attribution-files.ts';
import type { FolderLists, ReportedFiles } from './folder-lists.ts';
import { readList } from '../store/credit-lists.ts';
import { filesBelow } from './list-files.ts';
import { type OwnPart, slug } from './other-builds.ts';
import {
  absentIcons,
  decode,
  missedIcons,
  type Outputs,
  presentUsages,
  readOutputs,
  type SearchPorts,
} from './search-outputs.ts';
import type { ReportOptions } from './session-interface.ts';
import type { FoundUsage } from './session-types.ts';
import { readContents, strayIcons } from './stray-icons.ts';

export interface ReportPorts extends SearchPorts {
  attribution: Attribution;
  lists: FolderLists;
  resolved: ResolvedOptions;
  /** What bundles within this build ship. */
  contributed: readonly FoundUsage[];
  /** Told what ships, which the finished files may show of icons that this build never loaded. */
  ships(usages: readonly FoundUsage[]): void;
}

/** The attribution files of a finished build, and of the other builds of its folder. */
export async function reportBuild(
  own: readonly FoundUsage[],
  identity: ManifestBuild,
  { found, ...options }: ReportOptions,
  ports: ReportPorts,
): Promise<ReportedFiles> {
  const { attribution, lists, resolved } = ports;
  const { complete = true, folder, entries = [], expected = [] } = options;
  const build = { ...identity, id: nameOf(identity.id, entries) };
  const outputs = readOutputs(options.outputs ?? []);
  const isSeen = options.outputs !== undefined;
  const shipped = isSeen
    ? await shippedUsages(own, build, { ...ports, outputs })
    : [...own, ...ports.contributed];
  ports.ships(shipped);
  const precision = isSeen ? ('emitted' as const) : build.precision;
  const isKnown = complete ? {} : { complete };
  const ours: ShippedBuild = { build: { ...build, precision, ...isKnown }, usages: shipped };
  const { root } = resolved;
  failIfTaken(outputs, resolved.attribution);
  const search = { ...ports, root, outputs, folder, build };
  const { attribution: names, site } = resolved;
  const isListed = folder !== undefined && names !== false;
  const brought =
    isListed || found !== undefined ? await broughtLists(options.modules?.() ?? [], search) : [];
  if (found !== undefined)
    await foundOthers([...own, ...ports.contributed], { shipped, brought, found });
  if (!isListed) {
    const files = await attribution.files([ours], [], { complete });
    return { files, paths: files.map(({ fileName }) => fileName), waiting: [] };
  }
  const project = projectOf(resolved.root);
  const wrote = new Set(options.wrote ?? [...shipped.map(({ file }) => file), ...outputs.keys()]);
  const part: OwnPart = {
    shipped: ours,
    brought,
    folder,
    wrote,
    rewrote: new Set(options.rewrote),
    expected,
    keepsOwn: options.keepsOwn === true,
    emits: options.emits === true,
    isHanded: options.isHanded === true,
    strays: ({ named, ...icons }) =>
      strayIcons(icons, {
        ...ports,
        async contents({ pictures }) {
          const present = await filesBelow(folder, project.folder);
          const isCredits = new Set([
            ...attributionFileNames(names),
            ...Object.values(USUAL_NAMES),
          ]);
          const others = present.filter(
            (name) =>
              !wrote.has(name) &&
              (pictures || !/\.png$/i.test(name)) &&
              !named.has(join(folder, name)) &&
              !isCredits.has(name) &&
              !isCredits.has(basename(name)),
          );
          return new Map([...outputs, ...(await readContents(folder, others))]);
        },
      }),
  };
  return lists.report(part, {
    project,
    names,
    site: site.folder ?? options.site,
    isNamed: site.folder !== undefined,
    builds: site.builds,
    render: attribution.files,
  });
}

/** @throws IconCatalogError OPTIONS_INVALID if a file of credits would replace one that the bundler has made */
function failIfTaken(outputs: Outputs, attribution: ResolvedOptions['attribution']): void {
  if (attribution === false) return;
  const { page: _page, ...names } = attribution;
  for (const [kind, name] of Object.entries<string | false>({ ...names })) {
    const taken = name === false ? undefined : outputs.get(name);
    // Not those of an earlier step of the same build.
    if (taken === undefined || decode(taken).includes(GENERATOR.name)) continue;
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `\`attribution.${kind}\` is ${JSON.stringify(name)}, and the build has made a file of this name itself.`,
      remedy: 'Give the file of credits another name.',
      path: `attribution.${kind}`,
    });
  }
}

/** What ships by the module graph, as far as the finished files bear it out, and what they hold besides. */
export async function shippedUsages(
  own: readonly FoundUsage[],
  build: ManifestBuild,
  { outputs, ...ports }: ReportPorts & { outputs: Outputs },
): Promise<FoundUsage[]> {
  const { contributed } = ports;
  const usages = contributed.length === 0 ? own : [...own, ...contributed];
  const { consumer } = build;
  const present = await presentUsages(usages, outputs, { consumer, ports });
  return [...present, ...(await missedIcons(usages, build, { ...ports, outputs }))];
}

async function foundOthers(
  own: readonly FoundUsage[],
  {
    shipped,
    brought,
    found,
  }: {
    shipped: readonly FoundUsage[];
    brought: readonly Manifest[];
    found: NonNullable<ReportOptions['found']>;
  },
): Promise<void> {
  const before = new Set(own.map(({ id }) => id));
  const after = new Set(shipped.map(({ id }) => id));
  const isOther = before.size !== after.size || [...after].some((id) => !before.has(id));
  if (isOther || brought.length > 0) await found({ ids: [...after], brought });
}

/** The name of an entry that says nothing. It is one name, so that no two entries share an id. */
const USUAL = 'index';
const LONGEST = 40;

/** Builds of one bundler differ by what they begin with: `rollup`, or `rollup.client` for `client.js`. */
function nameOf(id: string, entries: readonly string[]): string {
  const names = entries.map(slug).filter((name) => name !== '' && name !== USUAL);
  const text = [...new Set(names)].toSorted().join('.');
  if (text === '') return id;
  const digest = sha256Hex(text).slice(0, 8);
  return `${id}.${text.length > LONGEST ? `${text.slice(0, LONGEST - 9)}-${digest}` : text}`;
}

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
function projectOf(root: string): { folder: string; name: string; version?: unknown } {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    const read = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
    if (!isObject(read)) continue;
    const { name = basename(folder), version } = read;
    return { folder, name: String(name), version };
  }
  return { folder: root, name: basename(root) };
}
