import type { Manifest, ManifestIcon, PageLanguage } from '../../types.ts';
import { compareCodeUnits } from '../../untrusted.ts';
import { nameInBill } from '../render/software-bill.ts';
import {
  findAlteredCredits,
  findAlteredRecords,
  findUnlisted,
  type LockedWords,
  reportMissing,
  requiredOn,
} from './credits.ts';
import { createDrawingFinder, type KnownDrawing } from './find-drawings.ts';
import { createSiteGraph, findUnreachable, type SiteTexts } from './links.ts';
import { createIconScanner, isObfuscated, isSearched, spelledOut, textOf } from './scan.ts';

export interface SiteFile {
  /** From the site's root, `/` between folders. */
  path: string;
  content: Uint8Array;
}

interface SiteProblem {
  /**
   * `incomplete`: a build that the options name is not in the list; `altered`: a page of credits, or the list itself,
   * says something else than the record.
   */
  kind: 'incomplete' | 'uncredited' | 'unused' | 'unreachable' | 'altered';
  message: string;
  remedy: string;
  files: string[];
}

export interface CheckedSite {
  problems: SiteProblem[];
  found: string[];
  /** Ids of credited icons that cannot be looked for: their files are not here, or the project has changed them. */
  unknown: string[];
}

interface CheckSiteInput {
  manifest: Manifest;
  /** Ids in `attribution.builds` that the list does not answer. */
  missingBuilds?: readonly string[];
  /** Files of credits beside those of the usual names: not searched, and its page is where links lead. */
  creditsFiles: readonly string[];
  /** Lists of folders below, by path. */
  innerLists?: ReadonlyMap<string, Manifest>;
  /** Fingerprints by icon id: of credited icons, and of others that may be there. */
  fingerprints: ReadonlyMap<string, readonly string[]>;
  /** Whole drawings of the same icons, which find what another optimiser has written. */
  drawings?: readonly KnownDrawing[];
  locked?: ReadonlyMap<string, LockedWords>;
  /** Of the project's page of credits. */
  language?: string | PageLanguage | undefined;
}

const CREDITS_FILE = /(?:^|\/)icon-attribution\.(?:html|json|md|txt|spdx\.json|cdx\.json)$/;
const TEXT = /\.(?:x?html?|php|[cm]?js|css)$/i;

/** Drawings beside credits are no use of an icon. */
const TILE =
  /(<li id="icon-[^"]*" about="[^"]*" typeof="cc:Work"[^>]*>\s*)<div class="tile[^"]*" aria-hidden="true">[^]*?<\/div>/g;

/** What a finished site shows against what it credits. */
export function checkSite(
  files: readonly SiteFile[],
  {
    manifest,
    missingBuilds = [],
    creditsFiles,
    innerLists = new Map(),
    fingerprints,
    drawings = [],
    locked = new Map(),
    language,
  }: CheckSiteInput,
): CheckedSite {
  const isCreditsFile = (path: string): boolean =>
    CREDITS_FILE.test(path) || creditsFiles.includes(path);
  const texts = new Map(
    files
      .filter(({ path }) => TEXT.test(path))
      .map(({ path, content }) => [path, textOf(content, 'utf8') ?? '']),
  );
  const searched = files
    .filter(({ path }) => isSearched(path) && !isCreditsFile(path))
    .map(({ path, content }) => ({ path, content: withoutTiles(texts.get(path)) ?? content }));
  const credited = new Map(manifest.icons.map((icon) => [icon.id, icon]));
  const found = findIcons(searched, { fingerprints, drawings, credited });
  for (const [id, places] of hiddenIcons(manifest, texts))
    found.set(id, [...(found.get(id) ?? []), ...places]);
  const paths = files.map(({ path }) => path);
  const elsewhere = buildsElsewhere(manifest, paths);
  const unused = manifest.icons.filter(
    ({ id, usedIn }) =>
      fingerprints.has(id) &&
      !found.has(id) &&
      !usedIn.every(({ kind, build }) => kind === 'server-only' || elsewhere.has(build)),
  );
  const isThere = createPictureLookup(paths);
  const problems: SiteProblem[] = [
    ...reportMissing(missingBuilds),
    ...findUnlisted(innerLists, { credited, found }),
  ];
  for (const [id, places] of found) {
    if (credited.has(id)) continue;
    const message = `Icon ${id} is in ${list(places)} and has no credit.`;
    const remedy = `Import it as \`icon:${id}\` and build again, or remove it.`;
    problems.push({ kind: 'uncredited', message, remedy, files: places });
  }
  for (const icon of unused) {
    if (isThere(icon) || isTransformed(icon)) continue;
    const message = `Icon ${icon.id} (“${nameInBill(icon)}”) is credited and in no file.`;
    const remedy = 'Build again: the list is not that of these files.';
    problems.push({ kind: 'unused', message, remedy, files: [] });
  }
  const holders = holdersIn(manifest.icons, found);
  const isCredits = createCreditsPages(texts, isCreditsFile);
  const graph = createSiteGraph(paths, { texts, isCredits });
  const pages = [...texts].filter(([path]) => isCredits(path));
  const unreachable = findUnreachable(graph, { texts, holders, isCredits });
  const [page] = pages.find(([path]) => creditsFiles.includes(path)) ?? pages[0] ?? [];
  if (unreachable.length > 0) problems.push(missingLink(unreachable, page));
  for (const [path, html] of pages) {
    const remedy = 'Build again, and leave the files of credits as they are.';
    const { icons } = manifest;
    const isWhole = isCreditsFile(path);
    const isRequired = isWhole ? requiredOn(path, { creditsFiles, paths }) : () => false;
    for (const message of findAlteredCredits(html, { path, icons, isRequired, language }))
      problems.push({ kind: 'altered', message, remedy, files: [path] });
  }
  for (const message of findAlteredRecords(manifest.icons, locked))
    problems.push({ kind: 'altered', message, remedy: 'Build again.', files: [] });
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

/** Icons in obfuscated scripts cannot be seen: the list is believed. */
function hiddenIcons({ icons }: Manifest, texts: SiteTexts): Map<string, string[]> {
  const scripts = [...texts].flatMap(([path, text]) => (isObfuscated(text) ? [path] : []));
  const placesOf = ({ usedIn }: ManifestIcon): string[] =>
    scripts.filter((path) => usedIn.some(({ file }) => path === file || path.endsWith(`/${file}`)));
  const hidden = icons.map((icon) => [icon.id, placesOf(icon)] as const);
  return new Map(hidden.filter(([, places]) => places.length > 0));
}

/** Files that show icons whose licence asks for credit. */
function holdersIn(
  icons: readonly ManifestIcon[],
  found: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const free = new Set(icons.filter(({ credit }) => !credit.required).map(({ id }) => id));
  // Pages do not load what runs on the server: what it draws stands in the pages themselves.
  const uses = icons.flatMap(({ usedIn }) => usedIn);
  const onServer = new Set(
    uses.filter(({ kind }) => kind === 'server-only').map(({ file }) => file),
  );
  const places = [...found].flatMap(([id, files]) => (free.has(id) ? [] : files));
  return new Set(places.filter((file) => !onServer.has(file)));
}

/** One problem, whatever the number of pages: a link in the layout that they share solves it. */
function missingLink(from: readonly string[], credits: string | undefined): SiteProblem {
  const [page = '', ...others] = from;
  const [show, it] = others.length === 0 ? ['shows', 'it'] : ['show', 'them'];
  // Right also below a base, and in a page that is opened as a file.
  const href = `${'../'.repeat(page.split('/').length - 1)}${credits}`;
  const link =
    others.length === 0
      ? `Link to them from it or from a page that it links to: <a href="${href}">Icon credits</a>.`
      : `Link to ${credits} from them or from a page that they link to, for example in a footer.`;
  return {
    kind: 'unreachable',
    message:
      credits === undefined
        ? `${list(from)} ${show} icons, and the site has no page of credits.`
        : `${list(from)} ${show} icons, and no link leads from ${it} to the credits.`,
    remedy:
      credits === undefined
        ? 'Build again, and publish the page that the build writes (`attribution.html`) with the site.'
        : link,
    files: [...from],
  };
}

/**
 * Files by icon. Icons with the same drawing are one icon here: if one of them is credited, it is that one. A drawing
 * that is part of a credited one in the same file (a ring around many symbols) is not there by itself.
 */
function findIcons(
  files: readonly { path: string; content: Uint8Array | string }[],
  {
    fingerprints,
    drawings,
    credited,
  }: Required<Pick<CheckSiteInput, 'fingerprints' | 'drawings'>> & {
    credited: ReadonlyMap<string, ManifestIcon>;
  },
): Map<string, string[]> {
  const idsByDrawing = new Map<string, string[]>();
  for (const [id, prints] of fingerprints)
    for (const print of prints) idsByDrawing.set(print, [...(idsByDrawing.get(print) ?? []), id]);
  const scanner = createIconScanner(
    Array.from(idsByDrawing, ([fingerprint, ids]) => {
      const isExpected = ids.some((id) => credited.has(id));
      return { key: fingerprint, fingerprint, isExpected };
    }),
  );
  const finder = createDrawingFinder(drawings);
  const found = new Map<string, string[]>();
  for (const { path, content } of files) {
    const text = textOf(content) ?? '';
    const prints = [...scanner.scan(content)];
    const wholes = prints
      .filter((each) => idsByDrawing.get(each)?.some((id) => credited.has(id)))
      .map((print) => new Set(print.split('|')));
    const isPart = (print: string): boolean =>
      wholes.some((whole) => print.split('|').every((piece) => whole.has(piece)));
    const groups = [
      ...finder.find(text),
      ...spelledOut(text).flatMap((plain) => Array.from(finder.find(plain))),
      ...prints.map((print) => {
        const ids = idsByDrawing.get(print) ?? [];
        return ids.some((id) => credited.has(id)) || !isPart(print) ? ids : [];
      }),
    ];
    const ids = groups.flatMap((group) => {
      const own = group.filter((id) => credited.has(id));
      return own.length > 0 ? own : group.slice(0, 1);
    });
    for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), path]);
  }
  return found;
}

/**
 * Builds that share this list and have none of their files here, since their output is another folder, or is not published
 * with this one: servers and clients are deployed apart.
 */
function buildsElsewhere({ builds, icons }: Manifest, paths: readonly string[]): Set<string> {
  const isThere = new Set(
    paths.flatMap((path) => {
      const parts = path.split('/');
      return parts.map((_, start) => parts.slice(start).join('/'));
    }),
  );
  const usages = icons.flatMap(({ usedIn }) => usedIn);
  const here = new Set(usages.filter(({ file }) => isThere.has(file)).map(({ build }) => build));
  const consumers = new Set(
    builds.filter(({ id }) => here.has(id)).map(({ consumer }) => consumer),
  );
  const others = builds.filter(
    ({ id, folder, consumer }) =>
      !here.has(id) && (folder !== undefined || !consumers.has(consumer)),
  );
  return new Set(here.size === 0 ? [] : others.map(({ id }) => id));
}

function withoutTiles(text: string | undefined): string | undefined {
  return text?.includes('typeof="cc:Work"') === true ? text.replaceAll(TILE, '$1') : undefined;
}

/** Pictures that another tool has compressed again have other bytes, but usually still their name. */
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

/** A list that a page shows. */
const SHOWN = /class="icon-credits"|typeof="cc:Work"/;

/** True for pages that show a list of credits: the one of the build, or one in a layout of the project’s own. */
function createCreditsPages(
  texts: SiteTexts,
  isCreditsFile: (path: string) => boolean,
): (page: string) => boolean {
  return (page) =>
    /\.(?:x?html?|php)$/i.test(page) && (isCreditsFile(page) || SHOWN.test(texts.get(page) ?? ''));
}
