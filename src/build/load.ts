import { relative, resolve } from 'node:path';
import type { ComponentWriter, Framework } from '../component.ts';
import { emitComponent } from '../emit/component/emit-component.ts';
import { joinValue, toJsString } from '../emit/module-code.ts';
import { svgToDataUri } from '../emit/svg-text.ts';
import { type ErrorCode, IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { loadModule, type ModulePart } from '../pipeline/load.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { toIconId } from '../request/key.ts';
import { nameRequest } from '../request/parse-request.ts';
import type { IconRequest, Log } from '../types.ts';
import { placeOf, withoutFrames } from './failures.ts';
import type { KnownRequests } from './requests.ts';
import type { SessionModule } from './session-types.ts';

/**
 * An icon's module, or what stands for it where the build may go on without.
 * @throws IconCatalogError as `Session.load`
 */
export async function loadHere(
  request: IconRequest,
  {
    pipeline,
    options,
    log,
    missing,
    placeholder,
    alone,
    importer,
    part,
  }: {
    pipeline: Pipeline;
    options: ResolvedOptions;
    log: Log;
    missing: Pick<MissingIcons, 'add'>;
    placeholder: boolean;
    alone: boolean;
    importer: string | undefined;
    part: ModulePart;
  },
): Promise<{ module: SessionModule; isIcon: boolean }> {
  try {
    const module = await loadModule(request, { pipeline, options }, { importer, part });
    if (placeholder) pipeline.flushSoon();
    return { module, isIcon: true };
  } catch (error) {
    const standIn = { module: placeholderModule(request, options.framework), isIcon: false };
    if (alone || !missing.add(request, error)) warnOfPlaceholder(error, { placeholder, ...log });
    return standIn;
  }
}

/** @throws the error, unless a placeholder may stand for an icon whose catalog is out of reach */
export function warnOfPlaceholder(
  error: unknown,
  { placeholder, warn }: { placeholder: boolean; warn: Log['warn'] },
): void {
  if (!placeholder || !isIconCatalogError(error) || error.code !== 'CATALOG_UNAVAILABLE')
    throw withoutFrames(error);
  warn(`${error.message}\n  A placeholder stands for the icon until the catalog can be reached.`);
}

/** An icon that the mode keeps out of the build. */
export interface MissingIcon {
  /** As somebody in the project would write it. */
  name: string;
  code: ErrorCode;
  importers: Set<string>;
  /** What every icon of the project fails with. */
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
/** Errors of the project, which are one for all of its icons. */
const PROJECT_CODES: readonly ErrorCode[] = ['LOCK_INVALID', 'CATALOG_NOT_CONFIGURED'];

export function createMissingIcons(requests: Pick<KnownRequests, 'importersOf'>): MissingIcons {
  const missing = new Map<string, { request: IconRequest; error: IconCatalogError }>();
  return {
    add(request, error) {
      if (!isIconCatalogError(error)) return false;
      if (![...CODES, ...PROJECT_CODES].includes(error.code)) return false;
      missing.set(request.canonical, { request, error });
      return true;
    },
    leaveOut: (ids) => [...ids].filter((id) => !missing.has(toIconId(id))),
    error(all, options) {
      for (const [id, { request, error }] of missing) {
        const { code } = error;
        const cause = PROJECT_CODES.includes(code) ? error : undefined;
        const before = all.get(id)?.importers ?? [];
        const importers = new Set([...before, ...requests.importersOf(id)]);
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
  { root, mode, lockfile }: Pick<ResolvedOptions, 'root' | 'mode' | 'lockfile'>,
): IconCatalogError | undefined {
  const all = [...missing].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const cause = all.find((icon) => icon.cause !== undefined)?.cause;
  if (cause !== undefined) return projectError(cause, list(all, root));
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
    remedy: remedyFor(all, { root, lockfile }),
  });
}

/** `sync` reads the sources of the project alone. */
function remedyFor(
  all: readonly MissingIcon[],
  { root, lockfile }: Pick<ResolvedOptions, 'root' | 'lockfile'>,
): string {
  const isUnread = (file: string): boolean =>
    /^\.\.[/\\]|^[A-Za-z]:|(?:^|[/\\])node_modules[/\\]/.test(relative(root, file));
  const outside = all.filter(
    ({ importers }) => importers.size > 0 && [...importers].every(isUnread),
  );
  const names = outside.map(({ name }) => (/[?&]/.test(name) ? `'${name}'` : name)).join(' ');
  const add = `npx icon-catalog add ${names}`;
  const commit = `where the catalog can be reached, and commit ${lockfile.name}.`;
  if (outside.length === 0) return `Run \`npx icon-catalog sync\` ${commit}`;
  const reason =
    'the sources that `sync` reads do not name what linked and installed packages ask for';
  if (outside.length === all.length) return `Run \`${add}\` ${commit.slice(0, -1)}: ${reason}.`;
  return `Run \`npx icon-catalog sync\` and \`${add}\` ${commit.slice(0, -1)}: ${reason}.`;
}

function projectError(
  { code, reason, remedy, path }: IconCatalogError,
  icons: string,
): IconCatalogError {
  const message = reason.replace(/^Cannot load `[^`]*`: /, '');
  return new IconCatalogError(code, {
    message: code === 'LOCK_INVALID' ? message : `${message} The icons are:${icons}`,
    remedy,
    path,
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

/** A dashed magenta frame with a question mark, which cannot be mistaken for an icon. */
export function placeholderMarkup({ id, size }: Pick<IconRequest, 'id' | 'size'>): string {
  const length = toJsString(size ?? '1em').slice(1, -1);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 24 24" fill="none" stroke="#d0f" stroke-width="2" role="img">` +
    `<title>icon ${id} could not be fetched</title><rect width="20" height="20" x="2" y="2" stroke-dasharray="3 2"/><path d="M9 9.5a3 3 0 1 1 3 3.5v1.5M12 17v1"/></svg>`
  );
}

function placeholderModule(
  request: IconRequest,
  framework: Framework | ComponentWriter | undefined,
): SessionModule {
  const { id, as, size } = request;
  const svg = placeholderMarkup({ id, size });
  const info = {
    id: String(id),
    term: 'placeholder',
    creator: { name: '', permalink: '', username: '' },
    license_description: '',
    permalink: '',
  };
  const value =
    as === 'component' && typeof framework === 'string'
      ? emitComponent({ request, svg, term: info.term }, framework)
      : as === 'meta'
        ? JSON.stringify(info)
        : toJsString(as === 'url' || as === 'data' ? svgToDataUri(svg) : svg);
  return {
    kind: 'code',
    placeholder: true,
    code: `${joinValue({ value })}export const credit = null;\nexport const icon = ${JSON.stringify(info)};\n`,
  };
}
