import { createManifest, uniteManifests } from '../attribution/manifest/create-manifest.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { OutputCache } from '../pipeline/output-cache.ts';
import { iconIdOf, toIconId, toDefaultId } from '../request/key.ts';
import {
  ATTRIBUTION_KINDS,
  type AttributionFiles,
  attributionFileNames,
  linkFormats,
  type ResolvedAttribution,
} from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { Credit, IconRequest, IconUsage, Manifest, ManifestBuild } from '../types.ts';
import { GENERATOR } from '../version.ts';
import { createCreditsInput, shippedIcon, type ShippedIcon } from './shipped-icons.ts';
import type { FoundUsage, OutputFile } from './session-types.ts';
import { sha256Hex } from '../store/hash.ts';

/** The formats that say where an icon is used; the others stay the same wherever it is. */
const WITH_PLACES: ReadonlySet<keyof AttributionFiles> = new Set(['json', 'spdx', 'cyclonedx']);

interface AttributionPorts {
  request(id: string): IconRequest;
  context(): { pipeline: Pipeline; options: ResolvedOptions };
}

export interface Attribution {
  /** Files of this build will be asked for soon, most likely with all of these icons. */
  expect(
    build: Pick<ManifestBuild, 'bundler' | 'consumer'>,
    defaultIds: ReadonlySet<string>,
  ): Promise<void>;
  /** One credit a distinct icon, in the manifest's order. @param brought lists of icons that others have drawn */
  credits(ids: Iterable<string>, brought: readonly Manifest[]): Promise<Credit[]>;
  /** Names of the files that the options ask for. */
  names(): string[];
  /**
   * @param builds of the icons that this process knows; the files of earlier builds are looked up by the first of them
   * @param others lists of icons that others have built
   */
  files(
    builds: readonly [own: ShippedBuild, ...ShippedBuild[]],
    others: readonly Manifest[],
    about: AboutFiles,
  ): Promise<OutputFile[]>;
}

export interface AboutFiles {
  complete: boolean;
  /** Pages of credits that the icons of others are drawn in. */
  pages?: readonly Buffer[];
  /** The files of a folder that belongs to another build: they keep their names, and the page what it says of the site. */
  there?: { names: AttributionFiles; page: Buffer | undefined } | undefined;
}

export interface ShippedBuild {
  build: ManifestBuild;
  usages: readonly FoundUsage[];
}

/** A variant that ships, by its short name, and where. */
interface Place {
  id: string;
  usedIn: IconUsage[];
}

interface Gathered {
  manifest: Manifest;
  artwork: Map<string, string>;
}

/** Joins what the bundler ships with what the caches know of it; works also where a warm bundler cache never called `load`. */
export function createAttribution({ request, context }: AttributionPorts): Attribution {
  const shipped: Shipped = (id) => shippedIcon(request(id), context());
  const inputs = createCreditsInput({ shipped, context });

  return {
    async expect(build, defaultIds) {
      inputs.forget();
      const { pipeline, options } = context();
      // No icon was asked for yet, so nothing need be opened.
      if (options.attribution === false || pipeline.modulesNow() === undefined) return;
      const { outputCache: kept } = await pipeline.open();
      void kept.expect(groupOf(build));
      inputs.expect(defaultIds);
    },
    async credits(ids, brought) {
      const build: ManifestBuild = {
        id: 'build',
        bundler: '',
        consumer: 'client',
        precision: 'module-graph',
      };
      const usages = [...ids].map((id) => ({ id, file: 'icon', kind: 'inline-js' as const }));
      const places = placesOf([{ usages, build }]);
      const about = { ...context(), shipped, builds: [build], complete: true };
      const { manifest: own } = await gather(places, about);
      const manifest = brought.length === 0 ? own : uniteManifests(own, brought, about);
      return manifest.icons.map(({ usedIn: _usedIn, ...credit }) => credit);
    },
    names() {
      const { attribution } = context().options;
      return attribution === false ? [] : attributionFileNames(attribution);
    },
    async files(shippedBuilds, others, { complete, pages = [], there }) {
      const { pipeline, options } = context();
      const places = placesOf(shippedBuilds);
      const { modules } = await pipeline.open();
      for (const { id } of places) {
        // Bundlers with a cache on disk load nothing in a warm build.
        const cached = modules.get(id);
        if (cached !== undefined) pipeline.build.note(iconIdOf(id), cached.notes);
        if (cached !== undefined || options.attribution !== false) continue;
        // Without credits, a licence alone is no reason for a call: only a drawing that is kept is looked at.
        const isKept = (await pipeline.fingerprint(request(id).id)) !== undefined;
        if (isKept) await shipped(id).catch(() => undefined);
      }
      if (options.attribution === false) return [];
      const [{ build: own }] = shippedBuilds;
      const builds = shippedBuilds.map(({ build }) => build);
      const reported = others.filter(({ icons, builds: of }) => icons.length > 0 || of.length > 0);
      const lent = reported.length === 0 ? NO_DRAWINGS : await drawnOf(reported, pages);
      const about = { pipeline, options, shipped, builds, complete };
      let gathered: Promise<Gathered> | undefined;
      return writeFiles(there === undefined ? options.attribution : await asThere(there), {
        own,
        places,
        builds,
        sourceDateEpoch: options.sourceDateEpoch,
        kept: (await pipeline.open()).outputCache,
        // A list that a dev server is still adding to is not worth keeping.
        input: own.complete !== false ? await inputs.of(places.map(({ id }) => id)) : undefined,
        besides: [
          complete,
          ...(reported.length === 0 ? [] : [sha256Hex(JSON.stringify([reported, ...lent]))]),
        ],
        gathered: () =>
          (gathered ??= gather(places, about).then((ours) =>
            reported.length === 0 ? ours : withOthers(ours, reported, { ...about, lent }),
          )),
      });
    },
  };
}

async function asThere({
  names,
  page,
}: NonNullable<AboutFiles['there']>): Promise<ResolvedAttribution> {
  const { readPageOptions } = await import('../attribution/render/render-attribution.ts');
  const said = page === undefined ? {} : readPageOptions(page.toString());
  return { ...names, page: { ...said, formats: linkFormats(names) } };
}

const NO_DRAWINGS: ReadonlyMap<string, string> = new Map();

type Shipped = (id: string) => Promise<ShippedIcon | undefined>;

interface Gathering {
  pipeline: Pipeline;
  shipped: Shipped;
  builds: readonly ManifestBuild[];
  complete: boolean;
}

async function gather(
  places: readonly Place[],
  { pipeline, shipped, builds, complete }: Gathering,
): Promise<Gathered> {
  const artwork = new Map<string, string>();
  const credits: { credit: Credit; usedIn: IconUsage[] }[] = [];
  for (const { id, usedIn } of places) {
    const found = await shipped(id);
    if (found === undefined) continue;
    credits.push({ credit: found.credit, usedIn });
    if (!artwork.has(found.credit.id)) artwork.set(found.credit.id, await found.draw());
  }
  const { licenseTexts } = await import('../pipeline/credits.ts');
  const manifest = createManifest({
    credits,
    builds,
    complete,
    catalog: (await pipeline.open()).catalog,
    generator: GENERATOR,
    texts: await licenseTexts(
      credits.map(({ credit }) => credit),
      pipeline.iconLock,
    ),
  });
  return { manifest, artwork };
}

/** Icons of others are drawn as their own page shows them; a credit is one without its drawing, too. */
async function withOthers(
  { manifest: ours, artwork }: Gathered,
  others: readonly Manifest[],
  { pipeline, shipped, complete, lent }: Gathering & { lent: ReadonlyMap<string, string> },
): Promise<Gathered> {
  const manifest = uniteManifests(ours, others, { complete });
  for (const { id } of manifest.icons) {
    if (artwork.has(id)) continue;
    const known = (await pipeline.fingerprint(Number(id))) !== undefined;
    const usual = toIconId(toDefaultId(`icon:${id}`));
    const found = known ? await shipped(usual).catch(() => undefined) : undefined;
    const drawing = (await found?.draw()) ?? lent.get(id);
    if (drawing !== undefined) artwork.set(id, drawing);
  }
  return { manifest, artwork };
}

interface Writing {
  own: ManifestBuild;
  builds: readonly ManifestBuild[];
  places: readonly Place[];
  sourceDateEpoch: ResolvedOptions['sourceDateEpoch'];
  kept: OutputCache;
  /** What the icons of a list are made of; `undefined`: the files are not kept. */
  input: string | undefined;
  /** What the files hold besides. */
  besides: readonly unknown[];
  gathered(): Promise<Gathered>;
}

async function writeFiles(
  attribution: ResolvedAttribution,
  { own, builds, places, sourceDateEpoch, kept, input, besides, gathered }: Writing,
): Promise<OutputFile[]> {
  const written: OutputFile[] = [];
  // One after the other: each of them may have megabytes.
  for (const kind of ATTRIBUTION_KINDS) {
    const fileName = attribution[kind];
    if (fileName === false) continue;
    const make = async (): Promise<string> => {
      const { manifest, artwork } = await gathered();
      const { renderAttribution } = await import('../attribution/render/render-attribution.ts');
      return renderAttribution(manifest, kind, { artwork, sourceDateEpoch, ...attribution.page });
    };
    const slot = { group: groupOf(own), name: `${kind} ${own.id}` };
    const where = WITH_PLACES.has(kind) ? [builds, whereOf(places)] : [];
    const made =
      input === undefined
        ? Buffer.from(await make())
        : await kept.get(slot, {
            input: JSON.stringify([
              input,
              where,
              besides,
              kind === 'spdx' ? sourceDateEpoch : 0,
              kind === 'html' || kind === 'cyclonedx' ? attribution.page : 0,
            ]),
            make,
          });
    written.push({ fileName, source: made });
  }
  return written;
}

/** Drawings of these icons that some page of credits has. */
async function drawnOf(
  lists: readonly Manifest[],
  pages: readonly Buffer[],
): Promise<Map<string, string>> {
  const { readTiles } = await import('../attribution/render/section.ts');
  const ids = new Set(lists.flatMap(({ icons }) => icons.map(({ id }) => id)));
  return new Map(
    pages.flatMap((page) => [...readTiles(page.toString())].filter(([id]) => ids.has(id))),
  );
}

/** Thousands of places are in few files. */
function whereOf(places: readonly Place[]): string {
  let lines = '';
  for (const { usedIn } of places) {
    for (const { build, file, kind } of usedIn) lines += `${build}\t${file}\t${kind}\t`;
    lines += '\n';
  }
  return sha256Hex(lines);
}

/** What is known of a build before it has written its entries, whose names are a part of its id. */
function groupOf({ bundler, consumer }: Pick<ManifestBuild, 'bundler' | 'consumer'>): string {
  return `${bundler} ${consumer}`;
}

/** Sorted, so that neither the bundler's order nor ours shows in the files. */
function placesOf(builds: readonly ShippedBuild[]): Place[] {
  const places = new Map<string, IconUsage[]>();
  for (const { usages, build } of builds) {
    for (const { id: found, file, kind } of usages) {
      const id = toDefaultId(found);
      const place = { build: build.id, file, kind };
      const list = places.get(id);
      if (list === undefined) places.set(id, [place]);
      else list.push(place);
    }
  }
  return [...places.keys()].toSorted().map((id) => ({ id, usedIn: places.get(id) ?? [] }));
}
