import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { copyError, type ErrorCode, IconCatalogError, isIconCatalogError } from '../errors.ts';
import { findStyleReferences } from '../markup/style-references.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { toIconId } from '../request/key.ts';
import { nameRequest } from '../request/parse-request.ts';
import type { IconRequest } from '../types.ts';
import { decode, type EmittedFile } from './search-outputs.ts';

/** Bundlers print the stack of what a hook throws: frames of ours would push what to do off the screen. */
export function withoutFrames<Thrown>(thrown: Thrown): Thrown {
  const error = isIconCatalogError(thrown) ? withPlace(thrown) : thrown;
  if (isIconCatalogError(error)) {
    // Rollup takes the message out of the stack where a line break ends it, and would show it twice.
    error.stack = `${error.name}: ${error.message}\n`;
    // Bun prints the code of this package around the line that made the error, as long as it knows the file.
    if ('sourceURL' in error) error.sourceURL = undefined;
    // The stack of the cause helps no reader: the message says what to do, and the frames are not in the user's code.
    if (error.cause instanceof Error && isSystemError(error.cause)) delete error.cause.stack;
  }
  return error as Thrown;
}

/** References of a message that are looked for in its importer. */
const MOST_TRIED = 20;

/** Where the message names the importer: as a path that a terminal opens, with line and column of what was written. */
function withPlace(error: IconCatalogError): IconCatalogError {
  const { importer, reason } = error;
  if (importer === undefined) return error;
  // A list of all that is missing ends with a full stop, and some of it stands in other files.
  const written = (reason.match(/icon:[^`\s]*[^`\s.,]/g) ?? []).slice(0, MOST_TRIED);
  const places = ['', ...written].map((each) => placeOf(importer, each));
  const place = places.find((each) => each !== places[0]) ?? places[0] ?? importer;
  return place === importer ? error : copyError(error, { importer: place });
}

/**
 * A file with the line and column of the first reference in it that is written like this, if it has one.
 *
 * @param file as the bundler names it; a place in it is kept
 * @param shown the path to print
 */
export function placeOf(file: string, written: string, shown: string = shortPath(file)): string {
  const [, path = file, known = ''] = /^(.*?)((?::\d+){0,2})$/s.exec(file) ?? [];
  if (known !== '') return `${shortPath(path)}${known}`;
  if (written === '') return shown;
  try {
    const text = readFileSync(resolve(path.split('?')[0] ?? path), 'utf8');
    // A message may have the parameters in another order than the source.
    const found = [written, written.split('?')[0] ?? ''].map((part) =>
      text.search(new RegExp(`${part.replace(/[^\w:/]/g, '\\$&')}(?![\\w/-])`)),
    );
    const at = found.find((index) => index !== -1) ?? -1;
    if (at === -1) return shown;
    const before = text.slice(0, at).split('\n');
    return `${shown}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  } catch {
    // The module has no file, or none that is text.
    return shown;
  }
}

/** `ENOENT`, `ECONNREFUSED` …: of the machine, not of the project's own code. */
function isSystemError(cause: Error): boolean {
  return 'code' in cause && typeof cause.code === 'string';
}

/** The error for an icon that a finished style sheet still refers to: no browser could show it. */
export function findLeftover(outputs: Iterable<EmittedFile>): IconCatalogError | undefined {
  for (const { fileName, content } of outputs) {
    if (!fileName.endsWith('.css')) continue;
    const [found] = findStyleReferences(decode(content), { isFinished: true });
    if (found === undefined) continue;
    const error = new IconCatalogError('SPECIFIER_INVALID', {
      message: `\`${found.specifier}\` is still in the finished style sheet ${fileName} (\`${found.property}\`): neither the bundler nor the plugin that loads style sheets has shown it to other plugins.`,
      remedy:
        'Write it as `url(…)`, in a style sheet that the bundler itself loads; or import the icon with `?url` in a script and set the address as a custom property.',
    });
    withoutFrames(error);
    return error;
  }
  return undefined;
}

/** As somebody in the project would type it. Names of modules that are no files begin with a character that none shows. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replace(/^\0/, '').replaceAll('\\', '/');
}

/** Resolves when the work is over, however it ended. A caller that needs the outcome awaits the work itself. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

/** An icon that the mode keeps out of the build. */
export interface MissingIcon {
  /** As somebody in the project would write it. */
  name: string;
  code: ErrorCode;
  importers: Set<string>;
  /** What other icons fail with, too. */
  cause: IconCatalogError | undefined;
}

/** What one bundle may not have, while the build goes on in order to name all of it at its end. */
export interface MissingIcons {
  /** False for an error that is to end the build at once. */
  add(request: IconRequest, error: unknown): boolean;
  /** Ids of which there is something to credit. */
  leaveOut(ids: Iterable<string>): string[];
  /** @param all those of the whole build, by canonical id; gets the ones of this bundle */
  error(all: Map<string, MissingIcon>, options: ResolvedOptions): IconCatalogError | undefined;
  clear(): void;
}

const CODES: readonly ErrorCode[] = ['LOCK_MISSING', 'OFFLINE_MISSING'];
/** Errors of the project, its key or the whole catalog, each of which is one for all of its icons. */
const SHARED_CODES: readonly ErrorCode[] = [
  'LOCK_INVALID',
  'CATALOG_NOT_CONFIGURED',
  'CATALOG_UNAUTHORIZED',
  'CATALOG_FORBIDDEN',
  'CATALOG_USAGE_LIMIT',
  'CATALOG_UNAVAILABLE',
  'BUDGET_EXCEEDED',
  // A folder that does not exist, a proxy of another kind, a transform that fails.
  'OPTIONS_INVALID',
];

export function createMissingIcons(importersOf: (id: string) => readonly string[]): MissingIcons {
  const missing = new Map<string, { request: IconRequest; error: IconCatalogError }>();
  return {
    add(request, error) {
      if (!isIconCatalogError(error)) return false;
      if (![...CODES, ...SHARED_CODES].includes(error.code)) return false;
      missing.set(request.canonical, { request, error });
      return true;
    },
    leaveOut: (ids) => [...ids].filter((id) => !missing.has(toIconId(id))),
    error(all, options) {
      for (const [id, { request, error }] of missing) {
        const { code } = error;
        const cause = SHARED_CODES.includes(code) ? error : undefined;
        const before = all.get(id)?.importers ?? [];
        const importers = new Set([...before, ...importersOf(id)]);
        all.set(id, { name: nameRequest(request, options), code, importers, cause });
      }
      return missingError(all.values(), options);
    },
    clear: () => missing.clear(),
  };
}

/** One error for all of them, each with its importers; `undefined` where nothing is missing. */
function missingError(
  missing: Iterable<MissingIcon>,
  { root, mode, lockfile, vendor }: Pick<ResolvedOptions, 'root' | 'mode' | 'lockfile' | 'vendor'>,
): IconCatalogError | undefined {
  const all = [...missing].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const shared = sharedError(all, root);
  if (shared !== undefined) return shared;
  const unpinned = all.filter(({ code }) => code === 'LOCK_MISSING');
  const absent = all.filter(({ code }) => code !== 'LOCK_MISSING');
  const parts = [
    unpinned.length > 0 &&
      `${count(unpinned)} not in ${lockfile.name}, and in the mode \`${mode}\` none is added:${list(unpinned, root)}`,
    absent.length > 0 &&
      `${count(absent)} in ${lockfile.name}, but no place on this machine has the bytes, and in the mode \`${mode}\` nothing is fetched:${list(absent, root)}`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return new IconCatalogError(unpinned.length > 0 ? 'LOCK_MISSING' : 'OFFLINE_MISSING', {
    message: parts.join('\n  '),
    remedy: remedyFor(all, {
      root,
      files: [unpinned.length > 0 && lockfile.name, vendor !== undefined && vendor.name],
    }),
  });
}

/**
 * `sync` reads the sources of the project alone.
 *
 * @param options.files that it then changes
 */
function remedyFor(
  all: readonly MissingIcon[],
  { root, files }: { root: string; files: readonly (string | false)[] },
): string {
  const isUnread = (file: string): boolean =>
    /^\.\.[/\\]|^[A-Za-z]:|(?:^|[/\\])node_modules[/\\]/.test(relative(root, file));
  const outside = all.filter(
    ({ importers }) => importers.size > 0 && [...importers].every(isUnread),
  );
  const names = outside.map(({ name }) => (/[?&]/.test(name) ? `'${name}'` : name)).join(' ');
  const add = `npx icon-catalog add ${names}`;
  const changed = files.filter((file) => file !== false);
  const commit =
    changed.length > 0
      ? `where the catalog can be reached, and commit ${changed.join(' and ')}.`
      : 'where the catalog can be reached, and restore its cache here, or set `vendor: true` and commit the vendor file.';
  if (outside.length === 0) return `Run \`npx icon-catalog sync\` ${commit}`;
  const reason =
    'the sources that `sync` reads do not name what linked and installed packages ask for';
  if (outside.length === all.length) return `Run \`${add}\` ${commit.slice(0, -1)}: ${reason}.`;
  return `Run \`npx icon-catalog sync\` and \`${add}\` ${commit.slice(0, -1)}: ${reason}.`;
}

/** Options may be wrong in several ways. */
const kindOf = ({ code, reason }: IconCatalogError): string =>
  code === 'OPTIONS_INVALID' ? withoutIcon(reason) : code;

/** Without what an error of one icon says beside the reason that others share. */
function withoutIcon(reason: string): string {
  return reason.replace(
    /^(?:Cannot load `[^`]*`: )?(?:Not sent, because of an earlier answer\. )?| Still missing: .*/gs,
    '',
  );
}

/** One error for all that is missing if some of it is for a reason that other icons share. */
function sharedError(all: readonly MissingIcon[], root: string): IconCatalogError | undefined {
  const causes = new Map<string, IconCatalogError>();
  for (const { cause } of all)
    if (cause && !causes.has(kindOf(cause))) causes.set(kindOf(cause), cause);
  const [first] = causes.values();
  if (first === undefined) return undefined;
  const parts = [...causes].map(([kind, { code, reason }]) => {
    const message = withoutIcon(reason);
    if (code === 'LOCK_INVALID') return message;
    // What the lock lacks would have been asked for.
    const isOf = ({ cause = first }: MissingIcon): boolean => kindOf(cause) === kind;
    const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
    return `${sentence} The icons are:${list(all.filter(isOf), root)}`;
  });
  const remedies = new Set(Array.from(causes.values(), ({ remedy }) => remedy));
  return copyError(first, {
    message: parts.join('\n  '),
    remedy: [...remedies].join(' '),
    importer: undefined,
    icon: undefined,
  });
}

function count(icons: readonly MissingIcon[]): string {
  return icons.length === 1 ? '1 icon is' : `${icons.length} icons are`;
}

function list(icons: readonly MissingIcon[], root: string): string {
  return icons
    .map(({ name, importers }) => {
      const files = [...importers]
        .map((file) => placeOf(resolve(root, file), name, shown(file, root)))
        .toSorted();
      return `\n    ${name}${files.length > 0 ? `, imported by ${files.join(', ')}` : ''}`;
    })
    .join('');
}

/** Relative to the project where it lies in it. */
function shown(file: string, root: string): string {
  const path = relative(root, file).replaceAll('\\', '/');
  return path === '' || path.startsWith('..') ? file : path;
}
