import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { type BuildOutput, failIfMissing, finishBuild } from '../build/finish-build.ts';
import { createPagePort, siteDialect, type SitePlaces } from '../build/pages.ts';
import { type PlacedIcon, usagesOfPlaced } from '../build/images.ts';
import type { FoundUsage } from '../build/session-types.ts';
import type { EmittedFile } from '../build/search-outputs.ts';
import { createCopies, preparePage } from '../markup/rewrite-page.ts';
import { inOrder, type Put } from '../markup/style-references.ts';
import { createGlob, isGlob } from '../scan/list-files.ts';
import type { Session } from '../build/session-interface.ts';
import { readList } from '../store/credit-lists.ts';
import { readText, writeChanged } from '../store/files.ts';
import { filesIn } from '../store/walk.ts';

const BUILD = 'html';
/** What an icon is within a page. */
const PICTURE = /<svg|data:image/i;

interface SiteOptions extends SitePlaces {
  session: Session;
  /** Folder of the site, absolute. */
  site: string;
  /** Writes nothing. */
  dry: boolean;
  /** The last step of a build, whose summary counts it. */
  isPart?: boolean;
  /** Finished files that may hold icons which the session loaded, and which nothing else credits. */
  outputs?: () => Promise<Iterable<EmittedFile>>;
  /** What else of the same build shows icons of this session. */
  parts?: readonly BuildOutput[];
}

interface SiteReport {
  /** Pages with icons, relative to the site. */
  pages: string[];
  /** Places in those pages. */
  icons: number;
  /** Emitted files that were not there before, attribution files included. */
  files: string[];
}

/** What the pages of a site became, before anything is written. */
interface RewrittenSite {
  pages: EmittedFile[];
  /** Pages without a picture: other tools may have written them again since an earlier run credited their icons. */
  bare: Set<string>;
  /** Files of icons, by their names below the site. */
  emitted: Map<string, string | Uint8Array>;
  usages: FoundUsage[];
  icons: number;
}

/**
 * Replaces the `icon:` references of finished pages. Everything is made before anything is written, so that an icon
 * that is unavailable leaves the site as it was; the pages come last, so that a run that was stopped can be repeated.
 *
 * @param paths absolute
 * @throws IconCatalogError as a build does
 */
export async function rewriteSite(
  paths: readonly string[],
  options: SiteOptions,
): Promise<SiteReport> {
  const { session, site, base, dry, isPart = false, outputs, parts = [] } = options;
  session.begin();
  const rewritten = await rewritePages(paths, options);
  const { pages, icons } = rewritten;
  const end = { quiet: !isPart, site: { folder: site, base } };
  const files: string[] = [];
  const hasWork = pages.length > 0 || outputs !== undefined;
  if (hasWork || (!dry && (await isCredited(rewritten.bare, options)))) {
    const [whole = '', ...inner] = foldersWithLists(rewritten, options);
    const credited = (folder: string): BuildOutput =>
      outputOf(rewritten, { ...options, folder, inner }, files);
    const output = { ...credited(whole), end };
    const settled = await finishBuild(session, output, [...inner.map(credited), ...parts]);
    if (!dry) for (const path of settled) files.push(relative(site, path).replaceAll('\\', '/'));
  } else {
    await failIfMissing(session);
    await session.end([], end);
  }
  if (!dry)
    for (const { fileName, content } of pages) await writeChanged(join(site, fileName), content);
  return { pages: pages.map(({ fileName }) => fileName), icons, files: files.toSorted() };
}

/** True if an earlier run credited icons in one of these pages. */
async function isCredited(
  pages: ReadonlySet<string>,
  { session, site }: SiteOptions,
): Promise<boolean> {
  const [name = ''] = session.attributionNames();
  const list = await readList(join(site, name)).catch(() => undefined);
  return (
    list?.icons.some(({ usedIn }) =>
      usedIn.some(({ build, file }) => build === BUILD && pages.has(file)),
    ) === true
  );
}

async function rewritePages(
  paths: readonly string[],
  options: SiteOptions,
): Promise<RewrittenSite> {
  const made: RewrittenSite = {
    pages: [],
    bare: new Set(),
    emitted: new Map(),
    usages: [],
    icons: 0,
  };
  for (let first = 0; first < paths.length; first += PAGES_AT_ONCE) {
    const some = paths.slice(first, first + PAGES_AT_ONCE);
    const puts = await inOrder(some.map(async (path) => preparePageOf(path, options, made)));
    await puts();
  }
  return made;
}

/** As many pages are in memory, and ask for their icons side by side. */
const PAGES_AT_ONCE = 32;

async function preparePageOf(
  path: string,
  { session, site, assets, base }: SiteOptions,
  made: RewrittenSite,
): Promise<Put<void>> {
  const html = (await readText(path)) ?? '';
  const fileName = relative(site, path).replaceAll('\\', '/');
  const placed: PlacedIcon[] = [];
  const port = createPagePort(session, {
    copies: createCopies(html),
    file: path,
    dialect: siteDialect(fileName, { assets, base, emitted: made.emitted }),
    placeholder: false,
    placed: (icon) => void placed.push(icon),
    styles: true,
  });
  const put = await preparePage(html, path, port);
  return async () => {
    const content = await put();
    if (!PICTURE.test(content)) made.bare.add(fileName);
    if (content === html) return;
    made.icons += placed.length;
    made.pages.push({ fileName, content });
    const where = {
      outputs: [{ fileName, content }],
      fileNameOf: String,
      consumer: 'client',
    } as const;
    made.usages.push(...usagesOfPlaced(placed, where));
  };
}

/** The site, as `''`, and folders in it that have lists of their own: the innermost one of a file credits its icons. */
function foldersWithLists(
  { pages, bare, usages }: RewrittenSite,
  { session, site }: SiteOptions,
): string[] {
  const credits = session.attributionNames();
  const folders = new Set<string>();
  const names = [...pages.map(({ fileName }) => fileName), ...usages.map(({ file }) => file)];
  for (const file of [...names, ...bare]) {
    let folder = posix.dirname(file);
    for (; folder !== '.' && !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder);
  }
  const hasList = (folder: string): boolean =>
    credits.some((name) => existsSync(join(site, folder, name)));
  return ['', ...[...folders].filter(hasList)];
}

/**
 * What a folder with a list shows, as if this had been run for it alone.
 *
 * @param written gets the names of the icon files that were not there before
 */
function outputOf(
  { pages, bare, emitted, usages }: RewrittenSite,
  { site, dry, outputs, folder, inner }: SiteOptions & { folder: string; inner: string[] },
  written: string[],
): BuildOutput {
  const deeper = inner.filter((each) => each !== folder && isIn(each, folder));
  const isHere = (file: string): boolean =>
    isIn(file, folder) && !deeper.some((each) => isIn(file, each));
  const nameOf = (file: string): string => posix.relative(folder, file);
  const ours = new Map<string, string | Uint8Array>();
  for (const [name, source] of emitted) if (isHere(name)) ours.set(nameOf(name), source);
  const wrote = [...ours.keys()];
  for (const { fileName, content } of pages)
    if (isHere(fileName)) ours.set(nameOf(fileName), content);
  return {
    build: { id: BUILD, bundler: 'icon-catalog', consumer: 'client', precision: 'emitted' },
    report: {
      folder: dry ? undefined : join(site, folder),
      site: join(site, folder),
      keepsOwn: true,
      wrote,
      // Those of inner folders were this list's own before they had one.
      rewrote: [...pages.map(({ fileName }) => fileName), ...bare].flatMap((fileName) =>
        isIn(fileName, folder) ? [nameOf(fileName)] : [],
      ),
    },
    usages: () =>
      usages.flatMap((use) => (isHere(use.file) ? [{ ...use, file: nameOf(use.file) }] : [])),
    async files() {
      const others = folder === '' ? [...((await outputs?.()) ?? [])] : [];
      return [
        ...others.filter(({ fileName }) => !ours.has(fileName)),
        ...Array.from(ours, ([fileName, content]) => ({ fileName, content })),
      ];
    },
    // The session writes the attribution files when it settles.
    async write() {
      for (const [name, source] of dry ? [] : emitted)
        if (isHere(name) && (await writeChanged(join(site, name), source))) written.push(name);
      return [];
    },
  };
}

function isIn(file: string, folder: string): boolean {
  return folder === '' || file.startsWith(`${folder}/`);
}

const PAGE = /\.x?html?$/i;

/** A path or pattern that names nothing. */
export class NoPages extends Error {}

/**
 * HTML files by paths, folders and patterns, absolute and sorted. Patterns are for shells that do not expand them.
 *
 * @throws NoPages for a path that is not there and a pattern that fits nothing
 */
export async function listPages(cwd: string, names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    const pages = await pagesOf(cwd, name);
    for (const page of pages) found.add(page);
  }
  return [...found].toSorted();
}

async function pagesOf(cwd: string, name: string): Promise<string[]> {
  const path = resolve(cwd, name);
  const about = await stat(path).catch(() => undefined);
  if (about?.isFile() === true) return [path];
  if (about?.isDirectory() === true) return walk(path);
  if (!isGlob(name)) throw new NoPages(`There is no file or folder ${JSON.stringify(name)}.`);
  const toName = (file: string): string => relative(cwd, file).replaceAll('\\', '/');
  const fits = createGlob(toName(path));
  const all = await walk(baseOf(cwd, name)).catch(() => []);
  const pages = all.filter((page) => fits(toName(page)));
  if (pages.length === 0) throw new NoPages(`No HTML file fits ${JSON.stringify(name)}.`);
  return pages;
}

/** Folder of the site: what the names have before their first wildcard, and in common. */
export function baseOf(cwd: string, ...names: readonly string[]): string {
  const folders = names.map((name) => {
    const parts = name.replaceAll('\\', '/').split('/');
    const wild = parts.findIndex(isGlob);
    const fixed = wild === -1 ? parts : parts.slice(0, wild);
    const path = resolve(cwd, fixed.join('/') || (name.startsWith('/') ? '/' : '.'));
    return PAGE.test(path) ? dirname(path) : path;
  });
  const [first = resolve(cwd), ...others] = folders;
  let common = first;
  while (others.some((folder) => folder !== common && !folder.startsWith(join(common, '/'))))
    common = dirname(common);
  return common;
}

const HOLDERS = /\.(?:x?html?|[cm]?js|css|svg)$/i;

/** What may hold an icon in a finished site, without the files named. */
export async function readHolders(
  site: string,
  without: readonly string[],
): Promise<{ fileName: string; content: string }[]> {
  const paths = await walk(site, HOLDERS);
  const names = paths.map((path) => relative(site, path).replaceAll('\\', '/')).toSorted();
  return Promise.all(
    names
      .filter((fileName) => !without.includes(fileName))
      .map(async (fileName) => ({
        fileName,
        content: (await readText(join(site, fileName))) ?? '',
      })),
  );
}

async function walk(folder: string, names = PAGE): Promise<string[]> {
  const paths = await filesIn(folder, { isSkipped: (name) => name === 'node_modules' });
  return paths.filter((path) => names.test(path)).map((path) => join(folder, path));
}
