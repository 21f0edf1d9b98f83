import { basename, join } from 'node:path';
import { slug } from '../attribution/plain-text.ts';
import { attributionFileNames } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { ManifestBuild } from '../types.ts';
import { broughtLists } from './brought-lists.ts';
import type { Attribution, ShippedBuild } from './attribution-files.ts';
import type { FolderLists, ReportedFiles } from './folder-lists.ts';
import { filesBelow, projectOf, readContents } from './list-files.ts';
import type { FoundUsage } from './session-types.ts';
import {
  missedIcons,
  presentUsages,
  readOutputs,
  strayIcons,
  type Outputs,
  type SearchPorts,
} from './search-outputs.ts';
import type { ReportOptions } from './session-interface.ts';
import type { OwnPart } from './other-builds.ts';
import { sha256Hex } from '../store/hash.ts';

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
  const {
    complete = true,
    folder,
    entries = [],
    expected = [],
    keepsOwn = false,
    emits = false,
  } = options;
  const build = { ...identity, id: nameOf(identity.id, entries) };
  const outputs = once(async () => readOutputs((await options.outputs?.()) ?? []));
  const isSeen = options.outputs !== undefined;
  const shipped = isSeen
    ? await shippedUsages(own, build, { ...ports, outputs })
    : [...own, ...ports.contributed];
  ports.ships(shipped);
  const precision = isSeen ? ('emitted' as const) : build.precision;
  const isKnown = complete ? {} : { complete };
  const ours: ShippedBuild = { build: { ...build, precision, ...isKnown }, usages: shipped };
  if (found !== undefined) await foundOthers([...own, ...ports.contributed], shipped, found);
  const { attribution: names, site } = resolved;
  if (folder === undefined || names === false) {
    const files = await attribution.files([ours], [], complete);
    return { files, paths: files.map(({ fileName }) => fileName), waiting: [] };
  }
  const project = projectOf(resolved.root);
  const wrote = new Set(
    options.wrote ?? [...shipped.map(({ file }) => file), ...(await outputs()).keys()],
  );
  const { root } = resolved;
  const search = { ...ports, root, outputs, folder, build };
  const part: OwnPart = {
    shipped: ours,
    brought: await broughtLists(options.modules?.() ?? [], search),
    folder,
    wrote,
    rewrote: new Set(options.rewrote),
    expected,
    keepsOwn,
    emits,
    strays: ({ named, ...icons }) =>
      strayIcons(icons, {
        ...ports,
        async contents() {
          const present = await filesBelow(folder, project.folder);
          const isCredits = new Set(attributionFileNames(names));
          const others = present.filter(
            (name) =>
              !wrote.has(name) &&
              !named.has(join(folder, name)) &&
              !isCredits.has(name) &&
              !isCredits.has(basename(name)),
          );
          return new Map([...(await outputs()), ...(await readContents(folder, others))]);
        },
      }),
  };
  return lists.report(part, {
    project,
    names,
    site: site.folder ?? options.site,
    builds: site.builds,
    render: attribution.files,
  });
}

/** What ships by the module graph, as far as the finished files bear it out, and what they hold besides. */
export async function shippedUsages(
  own: readonly FoundUsage[],
  build: ManifestBuild,
  { outputs, ...ports }: ReportPorts & { outputs: () => Promise<Outputs> },
): Promise<FoundUsage[]> {
  const { contributed } = ports;
  const usages = contributed.length === 0 ? own : [...own, ...contributed];
  const { consumer } = build;
  const present = await presentUsages(usages, await outputs(), { consumer, ports });
  return [...present, ...(await missedIcons(usages, build, { ...ports, outputs }))];
}

/** The value of a function that is called once at most. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

async function foundOthers(
  own: readonly FoundUsage[],
  shipped: readonly FoundUsage[],
  found: NonNullable<ReportOptions['found']>,
): Promise<void> {
  const before = new Set(own.map(({ id }) => id));
  const after = new Set(shipped.map(({ id }) => id));
  if (before.size !== after.size || [...after].some((id) => !before.has(id)))
    await found([...after]);
}

/** Names that say nothing. */
const USUAL = /^(?:main|index|)$/;
const LONGEST = 40;

/** Builds of one bundler differ by what they begin with: `rollup`, or `rollup.client` for `client.js`. */
function nameOf(id: string, entries: readonly string[]): string {
  const names = entries.map(slug).filter((name) => !USUAL.test(name));
  const text = [...new Set(names)].toSorted().join('-');
  if (text === '') return id;
  const digest = sha256Hex(text).slice(0, 8);
  return `${id}.${text.length > LONGEST ? `${text.slice(0, LONGEST - 9)}-${digest}` : text}`;
}
