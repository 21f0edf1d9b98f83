import type { KnownDrawing } from '../attribution/check/find-drawings.ts';
import { createManifest, type CreditedUse } from '../attribution/manifest/create-manifest.ts';
import { type ErrorCode, type IconCatalogError, isIconCatalogError } from '../errors.ts';
import { creditOf, licenseTexts } from '../pipeline/credits.ts';
import { creditedIcon, drawForCredits } from '../pipeline/load-icon.ts';
import type { IconRequest, IconUsage, Manifest, UsageKind } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { ProjectTools } from './open.ts';
import { pinnedRequests, placeText, type ProjectReferences, type UsedIcon } from './references.ts';

export interface ProjectCredits {
  manifest: Manifest;
  /** The drawings of the icons whose files are on this machine, by icon id. */
  artwork: Map<string, string>;
  unused: number[];
  /**
   * Ids of the icons whose file is not on this machine: their credits have no drawing and no
   * digest.
   */
  absent: number[];
  /**
   * References without a line in the lock, and everything else that would stop a build. Their icons
   * may be missing in the list.
   */
  problems: IconCatalogError[];
}

/** No credit makes up for these problems. */
const REFUSED: ReadonlySet<ErrorCode> = new Set([
  'LICENSE_REFUSED',
  'LICENSE_UNKNOWN',
  'OPTIONS_INVALID',
]);
const BUILD = {
  id: 'project',
  bundler: 'none',
  consumer: 'client',
  precision: 'requested',
} as const;

/**
 * The credits of a project as its lock file states them, without a build and without a network.
 * Which of the icons ship is not known: `precision` is `requested`, places of use are those in
 * sources, or the lock file itself.
 *
 * @param options.onlyUsed leaves out what no source refers to
 * @throws IconCatalogError LOCK_INVALID
 */
export async function creditProject(
  references: ProjectReferences,
  { pipeline, options }: ProjectTools,
  { onlyUsed }: { onlyUsed: boolean },
): Promise<ProjectCredits> {
  const { iconLock } = pipeline;
  await iconLock.open();
  const usedById = groupById(references.icons);
  const credits: CreditedUse[] = [];
  const artwork = new Map<string, string>();
  const unused: number[] = [];
  const absent = new Set<number>();
  const problems = [...references.invalid];

  async function credit(
    request: IconRequest,
    usedIn: IconUsage[],
    importer?: string,
  ): Promise<void> {
    try {
      const found = await creditedIcon(request, { pipeline, options });
      if (found === undefined) return;
      credits.push({ credit: found.credit, usedIn });
      if (!artwork.has(found.credit.id)) artwork.set(found.credit.id, found.draw());
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      const record = iconLock.record(request.id);
      if (error.code === 'OFFLINE_MISSING') absent.add(request.id);
      else problems.push(error.withImporter(importer));
      if (record === undefined || REFUSED.has(error.code)) return;
      const { siteUrl } = (await pipeline.open()).catalog;
      const made = creditOf({ request, source: { kind: 'unseen', record } }, { options, siteUrl });
      credits.push({ credit: made, usedIn });
    }
  }

  const pinned = pinnedRequests(iconLock.all().entries.keys());
  for (const [id, requests] of pinned) {
    const used = usedById.get(id);
    if (used === undefined && requests.length > 0) unused.push(id);
    if (used === undefined && onlyUsed) continue;
    const inLock: IconUsage = { build: BUILD.id, file: options.lockfile.name, kind: 'asset' };
    if (used === undefined) for (const request of requests) await credit(request, [inLock]);
    for (const { request, places } of used ?? []) {
      const usedIn = places.map(({ file }) => ({
        build: BUILD.id,
        file,
        kind: kindOf(request, file),
      }));
      await credit(request, usedIn, places.map(placeText).join(', '));
    }
  }
  for (const { request, places } of references.icons)
    if (!pinned.has(request.id)) await credit(request, [], places.map(placeText).join(', '));

  const manifest = createManifest({
    credits,
    builds: [BUILD],
    complete: problems.length === 0,
    catalog: (await pipeline.open()).catalog,
    generator: GENERATOR,
    texts: await licenseTexts(
      credits.map((each) => each.credit),
      iconLock,
    ),
  });
  return { manifest, artwork, unused, absent: [...absent], problems };
}

/** Requests for bare metadata are left out: they ship nothing. */
function groupById(icons: readonly UsedIcon[]): Map<number, UsedIcon[]> {
  const groups = new Map<number, UsedIcon[]>();
  for (const icon of icons) {
    if (icon.request.as === 'meta') continue;
    const { id } = icon.request;
    groups.set(id, [...(groups.get(id) ?? []), icon]);
  }
  return groups;
}

/** Where the icon would be, as far as its import shows. */
function kindOf({ as }: IconRequest, file: string): UsageKind {
  if (/\.(?:css|scss|sass|less|pcss|postcss)$/i.test(file)) return 'inline-css';
  if (as === 'sprite') return 'sprite-symbol';
  if (as === 'url') return 'asset';
  return /\.html?$/i.test(file) ? 'inline-html' : 'inline-js';
}

interface KnownArtwork {
  /**
   * The digests and marks that identify each icon in files as this package writes them; of
   * pictures, their digest.
   */
  fingerprints: Map<string, string[]>;
  /** The marks that identify each icon in any spelling. */
  drawings: KnownDrawing[];
  /** Ids of the icons of the lock whose files are not on this machine. */
  absent: string[];
}

/**
 * How to find the icons of a manifest and of the lock in files, as far as their own files are on
 * this machine: in the cache, in the vendor file or in an installed set. No remote catalog is
 * called.
 *
 * @param isWanted false for the id of an icon that is not looked for
 */
export async function knownArtwork(
  { icons }: Manifest,
  { pipeline }: ProjectTools,
  isWanted: (id: string) => boolean = () => true,
): Promise<KnownArtwork> {
  const { iconLock } = pipeline;
  await iconLock.open();
  const known = new Map<string, Set<string>>();
  const drawings: KnownDrawing[] = [];
  const absent = new Set<string>();
  const note = (id: string, fingerprint: string | undefined): void => {
    if (fingerprint === undefined || fingerprint === '') return;
    known.set(id, (known.get(id) ?? new Set()).add(fingerprint));
  };
  const pinned = pinnedRequests(iconLock.all().entries.keys());
  for (const { id, changes, source } of icons) {
    if (!isWanted(id)) continue;
    if (changes.some(({ kind }) => kind === 'format')) note(id, `sha256:${source.sha256}`);
    // A project without a lock has its drawings in a cache.
    if (!pinned.has(Number(id))) note(id, await pipeline.fingerprint(Number(id)));
  }
  for (const [id, requests] of pinned) {
    if (!isWanted(String(id))) continue;
    for (const request of requests) {
      try {
        const source = await pipeline.source(request);
        if (source.kind === 'png') note(String(id), `sha256:${source.sha256}`);
        if (source.kind !== 'svg') continue;
        note(String(id), source.master.fingerprint);
        drawings.push({ key: String(id), svg: drawForCredits(request, source) });
      } catch (error) {
        // The file is not on this machine or was refused, so there is nothing to search for.
        if (!isIconCatalogError(error)) throw error;
        absent.add(String(id));
      }
    }
  }
  const fingerprints = new Map([...known].map(([id, prints]) => [id, [...prints]]));
  return { fingerprints, drawings, absent: [...absent] };
}

/** Drawings by icon id for a manifest of an earlier build, of icons that the lock names and this machine has. */
export async function drawCredited(
  { icons }: Pick<Manifest, 'icons'>,
  { pipeline, options }: ProjectTools,
): Promise<Map<string, string>> {
  await pipeline.iconLock.open();
  const pinned = pinnedRequests(pipeline.iconLock.all().entries.keys());
  const artwork = new Map<string, string>();
  for (const { id } of icons) {
    for (const request of pinned.get(Number(id)) ?? []) {
      if (artwork.has(id)) continue;
      try {
        const found = await creditedIcon(request, { pipeline, options });
        if (found !== undefined) artwork.set(id, found.draw());
      } catch (error) {
        // A credit without its drawing is still a credit.
        if (!isIconCatalogError(error)) throw error;
      }
    }
  }
  return artwork;
}
