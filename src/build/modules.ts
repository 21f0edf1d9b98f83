import type { ComponentWriter, Framework } from '../component.ts';
import { joinValue, runtimeCode, setCode, toJsLiteral } from '../emit/module-code.ts';
import { svgToDataUri } from '../emit/svg-text.ts';
import { isIconCatalogError } from '../errors.ts';
import { oldFrameworkError } from '../options/import-default.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { cachedValue, loadModule } from '../pipeline/load.ts';
import {
  CREDITS_SPECIFIER,
  isCreditsSpecifier,
  isSharedSpecifier,
  isUsualSpecifier,
  toDefaultId,
} from '../request/key.ts';
import { isSetSpecifier, parseSet } from '../request/query.ts';
import type { IconRequest, Log } from '../types.ts';
import { type MissingIcons, settled, withoutFrames } from './failures.ts';
import type { Session } from './session-interface.ts';
import type { SessionBase } from './session-state.ts';
import type { SessionModule } from './session-types.ts';

/** What a session knows of the icons of its builds. */
export interface SessionIcons {
  requests: KnownRequests;
  missing: MissingIcons;
  loaded: LoadedIcons;
}

interface KnownRequests {
  /** An import, wherever it stands. */
  note(request: IconRequest, importer: string | undefined): void;
  /** An import of the usual variant, of which nothing had to be read. */
  noteUsual(defaultId: string, importer: string | undefined): void;
  /** The request of a canonical id, and the file that asked first. */
  get(id: string): { request: IconRequest; importer: string | undefined };
  importersOf(id: string): string[];
}

/** @param parse for ids that were not resolved in this build: bundlers with a warm cache pass such ids */
export function createKnownRequests(
  parse: (specifier: string, importer: string | undefined) => IconRequest,
): KnownRequests {
  const requests = new Map<string, IconRequest>();
  /** By the id of the value: one file, as is usual, or several. */
  const importers = new Map<string, string | Set<string>>();

  function noteImporter(defaultId: string, importer: string | undefined): void {
    if (importer === undefined) return;
    const before = importers.get(defaultId);
    if (before === undefined) importers.set(defaultId, importer);
    else if (typeof before !== 'string') before.add(importer);
    else if (before !== importer) importers.set(defaultId, new Set([before, importer]));
  }

  function importersOf(id: string): string[] {
    const known = importers.get(toDefaultId(id)) ?? [];
    return typeof known === 'string' ? [known] : [...known];
  }

  return {
    note(request, importer) {
      if (!requests.has(request.canonical)) requests.set(request.canonical, request);
      noteImporter(toDefaultId(request.canonical), importer);
    },
    noteUsual: noteImporter,
    get(id) {
      const [importer] = importersOf(id);
      const request = requests.get(id) ?? parse(id, importer);
      requests.set(id, request);
      return { request, importer };
    },
    importersOf,
  };
}

/** From imports to modules: icons, and the modules that stand beside them. */
export function createModules(
  { ready, parse }: Pick<SessionBase, 'ready' | 'parse'>,
  { requests, missing, loaded }: SessionIcons,
): Pick<
  Session,
  'resolve' | 'expect' | 'isSplittable' | 'usualDefaultId' | 'cachedValue' | 'load'
> {
  function resolveIcon(specifier: string, importer: string | undefined): string {
    const request = parse(specifier, importer);
    requests.note(request, importer);
    return request.canonical;
  }

  return {
    resolve(specifier, importer) {
      if (isCreditsSpecifier(specifier)) return CREDITS_SPECIFIER;
      if (isSharedSpecifier(specifier)) return specifier;
      if (!isSetSpecifier(specifier)) return resolveIcon(specifier, importer);
      const { canonical, members } = parseSet(specifier, importer);
      for (const member of members) resolveIcon(member.specifier, importer);
      return canonical;
    },
    expect: () => settled(ready().shared.pipeline.open()),
    isSplittable(id) {
      if (id === CREDITS_SPECIFIER || isSharedSpecifier(id) || isSetSpecifier(id)) return false;
      const { as, filetype } = requests.get(id).request;
      if (as === 'component') return typeof ready().resolved.framework === 'string';
      return filetype === 'svg' && (as === 'svg' || as === 'data');
    },
    usualDefaultId(specifier, importer) {
      if (!isUsualSpecifier(specifier) || !ready().isUsual) return undefined;
      const id = toDefaultId(specifier);
      requests.noteUsual(id, importer);
      return id;
    },
    cachedValue(id) {
      const code = cachedValue(id, ready().shared.pipeline);
      if (code !== undefined) loaded.add(id);
      return code;
    },
    async load(id, { placeholder = false, alone = placeholder, part = 'whole' } = {}) {
      const { resolved: options, shared, log } = ready();
      const { framework } = options;
      const beside = isSetSpecifier(id) ? setModule(id, parse) : await sharedModule(id, options);
      if (beside !== undefined) return beside;
      const { request, importer } = requests.get(id);
      const { pipeline } = shared;
      try {
        const context = { pipeline, options };
        const module = await loadModule(request, context, { importer, part });
        if (alone) pipeline.flushSoon();
        loaded.add(toDefaultId(request.canonical));
        return module;
      } catch (error) {
        const standIn = await placeholderModule(request, framework);
        if (alone || !missing.add(request, error))
          warnOfPlaceholder(error, { placeholder, ...log });
        return standIn;
      }
    },
  };
}

/** Imports each icon of a set, so that it is shared with modules that import it alone, and credited like any other icon. */
function setModule(
  id: string,
  parse: (specifier: string, importer: string | undefined) => IconRequest,
): SessionModule {
  const members = parseSet(id).members.map(({ key, specifier }) => ({
    key,
    id: parse(specifier, undefined).canonical,
  }));
  return { kind: 'code', code: setCode(members) };
}

/** What components of one framework have in common; `undefined` for an icon. */
async function sharedModule(
  id: string,
  { framework, root }: ResolvedOptions,
): Promise<SessionModule | undefined> {
  if (!isSharedSpecifier(id) || typeof framework !== 'string') return undefined;
  const old = await oldFrameworkError(framework, root);
  if (old !== undefined) throw withoutFrames(old);
  const code = runtimeCode(id, framework);
  return code === undefined ? undefined : { kind: 'code', code };
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

/**
 * The address of a placeholder for the icon of a class. Tailwind and UnoCSS never forget a class while they serve, so one
 * that was saved half typed would take the style sheet away until they start again.
 *
 * @param css its rule is named as the class, with the address escaped
 * @param isOfClass where the rule is not known
 * @throws the error if it is another one
 */
export function placeholderOfClass(
  error: unknown,
  {
    specifier,
    css = '',
    isOfClass = css.includes(`${specifier.replace(/[^\w-]/g, '\\$&')}\\`),
    warn,
  }: { specifier: string; css?: string; isOfClass?: boolean; warn(message: string): void },
): string {
  const isTyped =
    isIconCatalogError(error) && ['CATALOG_NOT_FOUND', 'SPECIFIER_INVALID'].includes(error.code);
  if (!isTyped || !isOfClass) throw error;
  warn(
    `${error.message}\n  A class asks for it. The other styles are served; the class may stay among them until the dev server or watcher is started again.`,
  );
  return svgToDataUri(placeholderMarkup({ size: null }));
}

/** A dashed magenta frame with a question mark, which cannot be mistaken for an icon. */
export function placeholderMarkup({
  id,
  size,
}: Pick<IconRequest, 'size'> & { id?: number }): string {
  const length = toJsLiteral(size ?? '1em').slice(1, -1);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 24 24" fill="none" stroke="#d0f" stroke-width="2" role="img">` +
    `<title>icon${id === undefined ? '' : ` ${id}`} could not be fetched</title><rect width="20" height="20" x="2" y="2" stroke-dasharray="3 2"/><path d="M9 9.5a3 3 0 1 1 3 3.5v1.5M12 17v1"/></svg>`
  );
}

async function placeholderModule(
  request: IconRequest,
  framework: Framework | ComponentWriter | undefined,
): Promise<SessionModule> {
  const { id, as, size } = request;
  const svg = placeholderMarkup({ id, size });
  const info = {
    id: String(id),
    term: 'placeholder',
    creator: { name: '', permalink: '', username: '' },
    license_description: '',
    permalink: '',
  };
  const { emitComponent } = await import('../emit/component/emit-component.ts');
  const value =
    as === 'component' && typeof framework === 'string'
      ? emitComponent({ request, svg, term: info.term }, framework)
      : as === 'meta'
        ? JSON.stringify(info)
        : toJsLiteral(as === 'url' || as === 'data' ? svgToDataUri(svg) : svg);
  return {
    kind: 'code',
    placeholder: true,
    code: `${joinValue({ value })}export const credit = null;\nexport const icon = ${JSON.stringify(info)};\n`,
  };
}

/** Short names of the icons that were loaded, whether they ship or not. */
export interface LoadedIcons {
  /** @param defaultId as `toDefaultId` makes it */
  add(defaultId: string): void;
  /** It may ship, in one form or another, and is no variant of this build for that. */
  mayShip(defaultId: string): void;
  /** A build begins. */
  begin(): void;
  /** Those of this build. */
  recent(): ReadonlySet<string>;
  /** Those of this process. */
  all(): ReadonlySet<string>;
}

export function createLoadedIcons(): LoadedIcons {
  const before = new Set<string>();
  let recent = new Set<string>();
  return {
    add: (defaultId) => void recent.add(defaultId),
    mayShip: (defaultId) => void before.add(defaultId),
    begin() {
      for (const id of recent) before.add(id);
      recent = new Set();
    },
    recent: () => recent,
    all: () => new Set([...before, ...recent]),
  };
}
