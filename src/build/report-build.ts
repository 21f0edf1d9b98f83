import { basename, join } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import { attributionFileNames, USUAL_NAMES } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { sha256Hex } from '../store/hash.ts';
import type { Manifest, ManifestBuild } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { Attribution, ShippedBuild } from './attribution-files.ts';
import type { FolderLists, ReportedFiles } from './folder-lists.ts';
import { broughtLists, originOf, projectOf, unlistedModules } from './libraries.ts';
import { filesBelow } from './list-files.ts';
import { type OwnPart, slug } from './other-builds.ts';
import {
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
        unlisted: unlistedModules(options.modules?.() ?? [], root),
        originOf: (module) => originOf(module, root),
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
