import { readdir, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { type IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { ICON_PREFIX, isCreditsSpecifier, parseLockKey } from '../request/key.ts';
import { parseImage, parseRequest } from '../request/parse-request.ts';
import { isSetSpecifier, parseSet } from '../request/query.ts';
import type {
  IconReference,
  Scan,
  ScanWarning,
  SourcePlace,
  UnknownReference,
} from '../scan/found.ts';
import { listFiles } from '../scan/list-files.ts';
import { scanSource } from '../scan/scan-source.ts';
import type { IconRequest } from '../types.ts';
import type { WantedIcon } from './pin.ts';

export type { SourcePlace } from '../scan/found.ts';
export { NothingNamed } from '../scan/list-files.ts';

export interface UsedIcon {
  request: IconRequest;
  /** As the first reference writes it. */
  specifier: string;
  /** The places that refer to it, in the order of the files. */
  places: SourcePlace[];
}

export interface ProjectReferences {
  files: number;
  count: number;
  icons: UsedIcon[];
  /** Imports of scripts, each spelling once. */
  imports: string[];
  /** References that a build could not use, each with its place. */
  invalid: IconCatalogError[];
  unknown: UnknownReference[];
  warnings: ScanWarning[];
}

/** @throws NothingNamed if a path does not exist */
export async function readReferences(
  options: ResolvedOptions,
  given: Parameters<typeof scanProject>[1] = {},
): Promise<ProjectReferences> {
  const { files, references, unknown, warnings } = await scanProject(options.root, given);
  const byCanonical = new Map<string, UsedIcon>();
  const imports = new Set<string>();
  const invalid: IconCatalogError[] = [];
  for (const reference of references) {
    if (isCreditsSpecifier(reference.specifier)) continue;
    try {
      for (const specifier of membersOf(reference.specifier, placeText(reference))) {
        const request = readAs(reference, specifier, options);
        const used = byCanonical.get(request.canonical);
        const { file, line, column } = reference;
        if (used === undefined)
          byCanonical.set(request.canonical, {
            request,
            specifier,
            places: [{ file, line, column }],
          });
        else used.places.push({ file, line, column });
      }
      if (reference.place === 'script') imports.add(reference.specifier);
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      invalid.push(error);
    }
  }
  return {
    files,
    count: references.length,
    icons: [...byCanonical.values()],
    imports: [...imports],
    invalid,
    unknown,
    warnings,
  };
}

/** Every icon, with the place that requests it first. */
export function wantedIcons({ icons }: Pick<ProjectReferences, 'icons'>): WantedIcon[] {
  return icons.map(({ request, places: [first] }) => ({
    request,
    importer: first && placeText(first),
  }));
}

/**
 * Style sheets and pages show images. What is not an image may be one of the other forms that a
 * page can hold.
 */
function readAs(
  reference: IconReference,
  specifier: string,
  options: ResolvedOptions,
): IconRequest {
  const place = placeText(reference);
  if (reference.place === 'script') return parseRequest(specifier, options, place);
  try {
    return parseImage(specifier, options, place).request;
  } catch (error) {
    try {
      return parseRequest(specifier, options, place);
    } catch {
      throw error;
    }
  }
}

function membersOf(specifier: string, importer?: string): string[] {
  if (!isSetSpecifier(specifier)) return [specifier];
  return parseSet(specifier, importer).members.map((member) => member.specifier);
}

/** `src/app.ts:3:17`, a form that terminals and editors can open. */
export function placeText({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

const PLAIN = { aliases: {}, framework: undefined, defaults: {} };

/**
 * The requests that the lines of the lock can serve without further lines, by icon. A file of
 * several tones has lines of its colours and can be shown in no other colour; lines of bare
 * metadata draw nothing.
 */
export function pinnedRequests(keys: Iterable<string>): Map<number, IconRequest[]> {
  const requests = new Map<number, IconRequest[]>();
  const painted = new Set<number>();
  for (const key of keys) {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined) continue;
    const { id, kind, color, size } = iconKey;
    const list = requests.get(id) ?? [];
    requests.set(id, list);
    if (kind === 'meta') continue;
    const query = new URLSearchParams(kind === 'svg' ? { as: 'svg' } : { filetype: 'png' });
    if (color !== null) query.set('color', color);
    if (size !== null) query.set('size', size);
    if (kind === 'svg' && color !== null && color !== 'original') painted.add(id);
    list.push(parseRequest(`icon:${id}?${query}`, PLAIN));
  }
  for (const id of painted) {
    const list = requests.get(id) ?? [];
    requests.set(
      id,
      list.filter(({ filetype, color }) => filetype === 'png' || color !== 'currentColor'),
    );
  }
  return requests;
}

/**
 * Icons as they are written on a command line: `123`, `house`, `icon:123?filetype=png`,
 * `icon:set?ids=1,2`.
 * @throws IconCatalogError SPECIFIER_INVALID with the nearest spelling
 */
export function readNames(written: string, options: ResolvedOptions): IconRequest[] {
  const specifier = written.startsWith(ICON_PREFIX) ? written : `${ICON_PREFIX}${written}`;
  return membersOf(specifier).map((one) => parseRequest(one, options));
}

/** A larger file is data or a bundle, and a parser would need minutes for it. */
const LARGEST = 4 * 1024 * 1024;
const AT_ONCE = 32;

/** Only in projects of Eleventy are the words `icon` and `iconUrl` shortcodes. */
const ELEVENTY = /^(?:\.eleventy\.[cm]?js|eleventy\.config\.[cm]?[jt]s)$/;

interface ProjectScan extends Scan {
  files: number;
}

/**
 * Every `icon:` reference of a project, in the order of files and lines. Needs no catalog and no bundler.
 *
 * @param options.paths files, folders and patterns; everything that git would track if there are none
 * @throws NothingNamed
 */
export async function scanProject(
  root: string,
  {
    paths = [],
    onFile,
  }: { paths?: readonly string[]; onFile?: (done: number, all: number) => void } = {},
): Promise<ProjectScan> {
  const files = await listFiles(root, paths);
  const shortcodes = (await readdir(root)).some((name) => ELEVENTY.test(name));
  const limit = pLimit(AT_ONCE);
  let done = 0;
  const scans = await Promise.all(
    files.map((file) =>
      limit(async () => {
        const scan = await scanFile(root, file, shortcodes);
        onFile?.((done += 1), files.length);
        return scan;
      }),
    ),
  );
  return {
    files: files.length,
    references: scans.flatMap(({ references }) => references),
    unknown: scans.flatMap(({ unknown }) => unknown),
    warnings: scans.flatMap(({ warnings }) => warnings),
  };
}

async function scanFile(root: string, file: string, shortcodes: boolean): Promise<Scan> {
  const path = resolve(root, file);
  const passedOver = (message: string): Scan => ({
    references: [],
    unknown: [],
    warnings: [{ file, line: 1, column: 1, message }],
  });
  try {
    const { size } = await stat(path);
    if (size > LARGEST)
      return passedOver(`is larger than ${LARGEST / 1024 / 1024} MiB and was not read`);
    return await scanSource({ text: await readFile(path, 'utf8'), file, shortcodes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The file is deleted but still in git's index, so it holds no reference.
    if (code === 'ENOENT') return { references: [], unknown: [], warnings: [] };
    if (code === undefined) throw error;
    return passedOver(`cannot be read (${code})`);
  }
}
