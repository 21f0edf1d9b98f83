import type { Manifest, ManifestIcon } from '../types.ts';
import { nameInBill } from './software-bill.ts';
import { createIconScanner } from './scan-icons.ts';
import { linksOf, referencesOf } from './site-links.ts';

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
  /** Ids of credited icons that nothing is known of to look for. */
  unknown: string[];
}

export interface CheckSiteInput {
  manifest: Manifest;
  /** The file of the manifest: not searched, as the other files of credits beside it are not. */
  manifestPath: string;
  /** Fingerprint by icon id: of credited icons, and of others that may be there. */
  fingerprints: ReadonlyMap<string, string>;
}

const CREDITS_FILE = /(?:^|\/)icon-attribution\.(?:html|json|md|txt|spdx\.json|cdx\.json)$/;
const SEARCHED = /\.(?:html?|[cm]?js|css|svg|png|webmanifest|json|xml)$/i;

/** What a finished site shows against what it credits. */
export function checkSite(
  files: readonly SiteFile[],
  { manifest, manifestPath, fingerprints }: CheckSiteInput,
): CheckedSite {
  const scanner = createIconScanner(
    Array.from(fingerprints, ([key, fingerprint]) => ({ key, fingerprint })),
  );
  const filesById = new Map<string, string[]>();
  for (const { path, content } of files) {
    if (path === manifestPath || CREDITS_FILE.test(path) || !SEARCHED.test(path)) continue;
    for (const id of scanner.scan(content)) filesById.set(id, [...(filesById.get(id) ?? []), path]);
  }
  const credited = new Map(manifest.icons.map((icon) => [icon.id, icon]));
  const problems: SiteProblem[] = [];
  for (const [id, places] of filesById) {
    if (credited.has(id)) continue;
    const message = `Icon ${id} is in ${list(places)} and has no credit.`;
    problems.push({ kind: 'uncredited', message, files: places });
  }
  for (const icon of manifest.icons) {
    if (filesById.has(icon.id) || !fingerprints.has(icon.id) || isServerOnly(icon)) continue;
    const message = `Icon ${icon.id} (“${nameInBill(icon)}”) is credited and in no file.`;
    problems.push({ kind: 'unused', message, files: [] });
  }
  const required = [...filesById].filter(([id]) => credited.get(id)?.credit.required !== false);
  const holders = new Set(required.flatMap(([, places]) => places));
  problems.push(...unreachable(files, { holders, manifestPath }));
  return {
    problems,
    found: [...filesById.keys()].toSorted(),
    unknown: manifest.icons.map(({ id }) => id).filter((id) => !fingerprints.has(id)),
  };
}

function isServerOnly({ usedIn }: ManifestIcon): boolean {
  return usedIn.every(({ kind }) => kind === 'server-only');
}

/** Pages that show icons, themselves or by what they load, from which no chain of links leads to the credits. */
function unreachable(
  files: readonly SiteFile[],
  { holders, manifestPath }: { holders: ReadonlySet<string>; manifestPath: string },
): SiteProblem[] {
  const textByPath = new Map(
    files
      .filter(({ path }) => /\.(?:html?|[cm]?js|css)$/i.test(path))
      .map(({ path, content }) => [path, Buffer.from(content).toString()]),
  );
  const pages = [...textByPath.keys()].filter((path) => /\.html?$/i.test(path));
  const isCredits = (path: string): boolean =>
    CREDITS_FILE.test(path) || (path.endsWith('.html') && path === manifestPath);
  const targets = pages.filter(
    (path) =>
      isCredits(path) || /class="icon-credits"|typeof="cc:Work"/.test(textByPath.get(path) ?? ''),
  );
  const reaches = new Set(targets);
  const loads = new Map(pages.map((page) => [page, loadedBy(page, textByPath)]));
  for (const page of pages) {
    const scripts = [...(loads.get(page) ?? [])].map((path) => textByPath.get(path) ?? '');
    // Links that a script makes; the credits themselves, shown by one.
    if (
      scripts.some((text) =>
        /icon-attribution\.html|%22attributionName%22|%22credits%22%3A/.test(text),
      )
    )
      reaches.add(page);
  }
  const links = new Map(
    pages.map((page) => [page, linksOf(textByPath.get(page) ?? '', page).map(toPage(textByPath))]),
  );
  for (let before = -1; before !== reaches.size;) {
    before = reaches.size;
    for (const [page, to] of links) if (to.some((path) => reaches.has(path))) reaches.add(page);
  }
  return pages
    .filter((page) => !reaches.has(page))
    .filter((page) => [page, ...(loads.get(page) ?? [])].some((path) => holders.has(path)))
    .map((page) => ({
      kind: 'unreachable',
      message: `${page} shows icons, and no link leads from it to the credits.`,
      files: [page],
    }));
}

/** Files that a page refers to, and what those name in turn. */
function loadedBy(page: string, textByPath: ReadonlyMap<string, string>): Set<string> {
  const loaded = new Set(
    referencesOf(textByPath.get(page) ?? '', page).filter((path) => !/\.html?$/i.test(path)),
  );
  for (const path of loaded) {
    const text = textByPath.get(path);
    if (text === undefined) continue;
    for (const other of textByPath.keys())
      if (!/\.html?$/i.test(other) && text.includes(other.slice(other.lastIndexOf('/') + 1)))
        loaded.add(other);
  }
  return loaded;
}

/** `/about/` and `/about` are files of a folder, or a page. */
function toPage(textByPath: ReadonlyMap<string, string>): (path: string) => string {
  return (path) => {
    const base = path.replace(/\/$/, '');
    const names = [path, `${base}.html`, base === '' ? 'index.html' : `${base}/index.html`];
    return names.find((name) => textByPath.has(name)) ?? path;
  };
}

function list(files: readonly string[]): string {
  const more = files.length > 3 ? ` and ${files.length - 3} more` : '';
  return `${files.slice(0, 3).join(', ')}${more}`;
}
