import type { Manifest, ManifestIcon } from '../types.ts';
import { compareCodeUnits } from './plain-text.ts';
import { createIconScanner } from './scan-icons.ts';
import { createCreditsPages, findUnreachable } from './find-unreachable.ts';
import { createSiteGraph } from './site-graph.ts';
import { nameInBill } from './software-bill.ts';

export interface SiteFile {
  /** From the site's root, `/` between folders. */
  path: string;
  content: Uint8Array;
}

export interface SiteProblem {
  kind: 'uncredited' | 'unused' | 'unreachable';
  /** One sentence. */
  message: string;
  files: string[];
}

export interface CheckedSite {
  problems: SiteProblem[];
  /** Ids of icons that were found. */
  found: string[];
  /** Ids of credited icons that cannot be looked for: their files are not here, or the project has changed them. */
  unknown: string[];
}

export interface CheckSiteInput {
  manifest: Manifest;
  /** Files of credits beside those of the usual names: not searched, and its page is where links lead. */
  creditsFiles: readonly string[];
  /** Fingerprints by icon id: of credited icons, and of others that may be there. */
  fingerprints: ReadonlyMap<string, readonly string[]>;
}

const CREDITS_FILE = /(?:^|\/)icon-attribution\.(?:html|json|md|txt|spdx\.json|cdx\.json)$/;
/** Files that text of a site is in, pictures included: those that `checkSite` looks into. */
export const SEARCHED: RegExp = /\.(?:x?html?|[cm]?js|css|svg|png|webmanifest|json|xml|txt)$/i;
const TEXT = /\.(?:x?html?|[cm]?js|css)$/i;
/** Drawings beside credits are no use of an icon. */
const TILE =
  /(<li id="icon-[^"]*" about="[^"]*" typeof="cc:Work"[^>]*>\s*)<div class="tile[^"]*" aria-hidden="true">[^]*?<\/div>/g;

/** What a finished site shows against what it credits. */
export function checkSite(
  files: readonly SiteFile[],
  { manifest, creditsFiles, fingerprints }: CheckSiteInput,
): CheckedSite {
  const isCreditsFile = (path: string): boolean =>
    CREDITS_FILE.test(path) || creditsFiles.includes(path);
  const texts = new Map(
    files
      .filter(({ path }) => TEXT.test(path))
      .map(({ path, content }) => [path, Buffer.from(content).toString()]),
  );
  const searched = files
    .filter(({ path }) => SEARCHED.test(path) && !isCreditsFile(path))
    .map(({ path, content }) => ({ path, content: withoutTiles(texts.get(path)) ?? content }));
  const credited = new Map(manifest.icons.map((icon) => [icon.id, icon]));
  const found = findIcons(searched, { fingerprints, credited });
  const paths = files.map(({ path }) => path);
  const elsewhere = buildsElsewhere(manifest, paths);
  const unused = manifest.icons.filter(
    ({ id, usedIn }) =>
      fingerprints.has(id) &&
      !found.has(id) &&
      !usedIn.every(({ kind, build }) => kind === 'server-only' || elsewhere.has(build)),
  );
  const isThere = createPictureLookup(paths);
  const problems: SiteProblem[] = [];
  for (const [id, places] of found) {
    if (credited.has(id)) continue;
    const message = `Icon ${id} is in ${list(places)} and has no credit.`;
    problems.push({ kind: 'uncredited', message, files: places });
  }
  for (const icon of unused) {
    if (isThere(icon) || isTransformed(icon)) continue;
    const message = `Icon ${icon.id} (“${nameInBill(icon)}”) is credited and in no file.`;
    problems.push({ kind: 'unused', message, files: [] });
  }
  const holders = new Set(
    [...found]
      .filter(([id]) => credited.get(id)?.credit.required !== false)
      .flatMap(([, places]) => places),
  );
  const isCredits = createCreditsPages(texts, isCreditsFile);
  const graph = createSiteGraph(paths, { texts, isCredits });
  for (const page of findUnreachable(graph, { texts, holders, isCredits })) {
    const message = `${page} shows icons, and no link leads from it to the credits.`;
    problems.push({ kind: 'unreachable', message, files: [page] });
  }
  return {
    problems,
    found: [...found.keys()].toSorted(compareCodeUnits),
    unknown: manifest.icons
      .filter(
        (icon) => !fingerprints.has(icon.id) || (unused.includes(icon) && isTransformed(icon)),
      )
      .map(({ id }) => id),
  };
}

/**
 * Files by icon. Icons with the same drawing are one icon here: where one of them is credited, that is the one; and a
 * drawing that is part of a credited one in the same file (a ring around many symbols) is not there by itself.
 */
function findIcons(
  files: readonly { path: string; content: Uint8Array | string }[],
  {
    fingerprints,
    credited,
  }: Pick<CheckSiteInput, 'fingerprints'> & { credited: ReadonlyMap<string, ManifestIcon> },
): Map<string, string[]> {
  const idsByDrawing = new Map<string, string[]>();
  for (const [id, drawings] of fingerprints)
    for (const drawing of drawings)
      idsByDrawing.set(drawing, [...(idsByDrawing.get(drawing) ?? []), id]);
  const scanner = createIconScanner(
    Array.from(idsByDrawing, ([fingerprint, ids]) => {
      const isExpected = ids.some((id) => credited.has(id));
      return { key: fingerprint, fingerprint, isExpected };
    }),
  );
  const found = new Map<string, string[]>();
  for (const { path, content } of files) {
    const drawings = [...scanner.scan(content)];
    const owned = drawings.filter((each) => idsByDrawing.get(each)?.some((id) => credited.has(id)));
    const wholes = owned.map((drawing) => new Set(drawing.split('|')));
    for (const drawing of drawings) {
      const ids = idsByDrawing.get(drawing) ?? [];
      const own = ids.filter((id) => credited.has(id));
      const pieces = drawing.split('|');
      const isPart = wholes.some((whole) => pieces.every((piece) => whole.has(piece)));
      if (own.length === 0 && isPart) continue;
      for (const id of own.length > 0 ? own : ids.slice(0, 1)) {
        const places = found.get(id) ?? [];
        if (!places.includes(path)) found.set(id, [...places, path]);
      }
    }
  }
  return found;
}

/** Builds that share this list and have none of their files here: their output is another folder. */
function buildsElsewhere({ builds, icons }: Manifest, paths: readonly string[]): Set<string> {
  const isThere = new Set(
    paths.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, start) => parts.slice(start).join('/'));
    }),
  );
  const usages = icons.flatMap(({ usedIn }) => usedIn);
  const here = new Set(usages.filter(({ file }) => isThere.has(file)).map(({ build }) => build));
  return new Set(here.size === 0 ? [] : builds.map(({ id }) => id).filter((id) => !here.has(id)));
}

function withoutTiles(text: string | undefined): string | undefined {
  return text?.includes('typeof="cc:Work"') === true ? text.replaceAll(TILE, '$1') : undefined;
}

/** Pictures that another tool has packed anew have other bytes, and most often still their name. */
function createPictureLookup(paths: readonly string[]): (icon: ManifestIcon) => boolean {
  const pictures = paths.filter((path) => /\.png$/i.test(path));
  return ({ usedIn }) =>
    usedIn.some(({ file }) => pictures.some((path) => path === file || path.endsWith(`/${file}`)));
}

/** What `svg.transform` makes of a drawing is the project's own. */
function isTransformed({ changes }: ManifestIcon): boolean {
  return changes.some(({ kind }) => kind === 'transform');
}

function list(files: readonly string[]): string {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return `${files.slice(0, 3).join(', ')}${more}`;
}
