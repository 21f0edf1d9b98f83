import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { type BuildOutput, failIfMissing, finishBuild } from '../build/finish-build.ts';
import { createPagePort } from '../build/pages.ts';
import {
  byteLength,
  type ImageDialect,
  INLINE_LIMIT,
  type PlacedIcon,
  usagesOfPlaced,
} from '../build/placed-images.ts';
import type { EmittedFile } from '../build/search-outputs.ts';
import type { FoundUsage, OutputFile } from '../build/session-types.ts';
import { createCopies } from '../markup/drawing.ts';
import { rewritePage } from '../markup/rewrite-page.ts';
import { createGlob, isGlob } from '../scan/list-files.ts';
import type { Session } from '../build/session-interface.ts';
import { writeChanged } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';

export interface SiteOptions {
  session: Session;
  /** Folder of the site, absolute. */
  site: string;
  /** Folder of emitted icons, relative to the site. */
  assets: string;
  /** Address of the site's folder; `undefined` writes relative addresses. */
  base: string | undefined;
  /** Writes nothing. */
  dry: boolean;
  /** The last step of a build, whose summary counts it. */
  isPart?: boolean;
  /** Finished files that may hold icons which the session loaded, and which nothing else credits. */
  outputs?: () => Promise<Iterable<EmittedFile>>;
}

export interface SiteReport {
  /** Pages with icons, relative to the site. */
  pages: string[];
  /** Places in those pages. */
  icons: number;
  /** Emitted files that were not there before, attribution files included. */
  files: string[];
}

/** What the pages of a site became, before anything is written. */
interface RewrittenSite {
  pages: OutputFile[];
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
  const { session, site, base, dry, isPart = false, outputs } = options;
  session.begin();
  const rewritten = await rewritePages(paths, options);
  const { pages, icons } = rewritten;
  const end = { quiet: !isPart, site: { folder: site, base } };
  const files: string[] = [];
  if (pages.length > 0 || outputs !== undefined) {
    const settled = await finishBuild(session, { ...outputOf(rewritten, options, files), end });
    if (!dry) for (const path of settled) files.push(relative(site, path).replaceAll('\\', '/'));
  } else {
    await failIfMissing(session);
    await session.end([], end);
  }
  if (!dry)
    for (const { fileName, source } of pages) await writeChanged(join(site, fileName), source);
  return { pages: pages.map(({ fileName }) => fileName), icons, files: files.toSorted() };
}

async function rewritePages(
  paths: readonly string[],
  { session, site, assets, base }: SiteOptions,
): Promise<RewrittenSite> {
  const made: RewrittenSite = { pages: [], emitted: new Map(), usages: [], icons: 0 };
  for (const path of paths) {
    const html = (await readText(path)) ?? '';
    const fileName = relative(site, path).replaceAll('\\', '/');
    const dialect: ImageDialect = {
      isSmall: ({ source }) => byteLength(source) < INLINE_LIMIT,
      emit({ fileName: suggested, source }) {
        const name = posix.join(assets, hashedName(suggested, source));
        made.emitted.set(name, source);
        const address =
          base === undefined
            ? posix.relative(posix.dirname(fileName), name)
            : `${base.replace(/\/?$/, '/')}${name}`;
        return { address: encodeURI(address), reference: name };
      },
    };
    const placed: PlacedIcon[] = [];
    const port = createPagePort(session, {
      copies: createCopies(html),
      file: path,
      dialect,
      placeholder: false,
      placed: (icon) => void placed.push(icon),
      styles: true,
    });
    const text = await rewritePage(html, path, port);
    if (text === html) continue;
    made.icons += placed.length;
    made.pages.push({ fileName, source: text });
    const where = {
      outputs: [{ fileName, text }],
      fileNameOf: String,
      consumer: 'client',
    } as const;
    made.usages.push(...usagesOfPlaced(placed, where));
  }
  return made;
}

/** @param written gets the names of the icon files that were not there before */
function outputOf(
  { pages, emitted, usages }: RewrittenSite,
  { site, dry, outputs }: SiteOptions,
  written: string[],
): BuildOutput {
  const ours = new Map<string, string | Uint8Array>(emitted);
  for (const { fileName, source } of pages) ours.set(fileName, source);
  return {
    build: { id: 'html', bundler: 'icon-catalog', consumer: 'client', precision: 'emitted' },
    report: {
      folder: dry ? undefined : site,
      site,
      keepsOwn: true,
      wrote: [...emitted.keys()],
      rewrote: pages.map(({ fileName }) => fileName),
    },
    usages: () => usages,
    async files() {
      const others = [...((await outputs?.()) ?? [])];
      return [
        ...others.filter(({ fileName }) => !ours.has(fileName)),
        ...Array.from(ours, ([fileName, content]) => ({ fileName, content })),
      ];
    },
    // The session writes the attribution files when it settles.
    async write() {
      for (const [name, source] of dry ? [] : emitted)
        if (await writeChanged(join(site, name), source)) written.push(name);
      return [];
    },
  };
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
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[/\\]node_modules[/\\]/.test(path.slice(folder.length)));
}

/** Text of a file; `undefined` if there is none. */
export function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** `star-123-0a1b2c3d.svg` */
export function hashedName(fileName: string, source: string | Uint8Array): string {
  const hash = sha256Hex(source).slice(0, 8);
  const dot = fileName.lastIndexOf('.');
  return `${fileName.slice(0, dot)}-${hash}${fileName.slice(dot)}`;
}
