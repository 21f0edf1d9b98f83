import { createManifest, type CreditedUse } from '../attribution/create-manifest.ts';
import { creditedIcon } from '../corridor/credited-icon.ts';
import { creditOf, licenseTexts } from '../corridor/describe-icon.ts';
import { isIconCatalogError, type ErrorCode, type IconCatalogError } from '../errors.ts';
import type { IconRequest, IconUsage, Manifest, UsageKind } from '../types.ts';
import { GENERATOR } from '../version.ts';
import type { Upkeep } from './open-upkeep.ts';
import { pinnedRequests } from './pinned-requests.ts';
import { placeText, type ProjectReferences, type UsedIcon } from './project-references.ts';

export interface ProjectCredits {
  manifest: Manifest;
  /** Drawings by icon id, of those that are on this machine. */
  artwork: Map<string, string>;
  /** Ids of pinned icons that no source refers to. */
  unused: number[];
  /** Ids of icons whose file is not on this machine: their credits have no drawing and no digest. */
  absent: number[];
  /** References without a line in the lock, and all that would stop a build. Their icons may be missing in the list. */
  problems: IconCatalogError[];
}

/** No credit makes up for these. */
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
 * The credits of a project as its lock file has them, without a build and without a network. Which of the icons ship is
 * not known: `precision` is `requested`, places of use are those in sources, or the lock file itself.
 *
 * @param options.onlyUsed leaves out what no source refers to
 * @throws IconCatalogError LOCK_INVALID
 */
export async function creditProject(
  references: ProjectReferences,
  { corridor, options }: Upkeep,
  { onlyUsed }: { onlyUsed: boolean },
): Promise<ProjectCredits> {
  const { pins } = corridor;
  await pins.open();
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
      const found = await creditedIcon(request, { corridor, options });
      if (found === undefined) return;
      credits.push({ credit: found.credit, usedIn });
      if (!artwork.has(found.credit.id)) artwork.set(found.credit.id, found.draw());
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      const record = pins.record(request.id);
      if (error.code === 'OFFLINE_MISSING') absent.add(request.id);
      else problems.push(error.withImporter(importer));
      if (record === undefined || REFUSED.has(error.code)) return;
      const { siteUrl } = await corridor.catalog();
      const made = creditOf(request, { kind: 'unseen', record }, { options, siteUrl });
      credits.push({ credit: made, usedIn });
    }
  }

  const pinned = pinnedRequests(pins.all().entries.keys());
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
    catalog: await corridor.catalog(),
    generator: GENERATOR,
    texts: await licenseTexts(
      credits.map((each) => each.credit),
      pins,
    ),
  });
  return { manifest, artwork, unused, absent: [...absent], problems };
}

/** Without those that ask for bare metadata, which ship nothing. */
function groupById(icons: readonly UsedIcon[]): Map<number, UsedIcon[]> {
  const groups = new Map<number, UsedIcon[]>();
  for (const icon of icons) {
    if (icon.request.as === 'meta') continue;
    const { id } = icon.request;
    groups.set(id, [...(groups.get(id) ?? []), icon]);
  }
  return groups;
}

/** Where the icon would be, as far as its import tells. */
function kindOf({ as }: IconRequest, file: string): UsageKind {
  if (/\.(?:css|scss|sass|less|pcss|postcss)$/i.test(file)) return 'inline-css';
  if (as === 'sprite') return 'sprite-symbol';
  if (as === 'url') return 'asset';
  return /\.html?$/i.test(file) ? 'inline-html' : 'inline-js';
}
