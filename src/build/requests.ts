import { runtimeCode } from '../emit/component/component-code.ts';
import { setCode } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import {
  CREDITS_SPECIFIER,
  isCreditsSpecifier,
  isSharedSpecifier,
  toDefaultId,
} from '../request/key.ts';
import { isSetSpecifier, parseSet } from '../request/query.ts';
import type { IconRequest } from '../types.ts';
import type { SessionModule } from './session-types.ts';

export interface KnownRequest {
  request: IconRequest;
  /** The file that asked first. */
  importer: string | undefined;
  /** Files that asked later. */
  others?: Set<string>;
}

export interface KnownRequests {
  /** An import, wherever it stands. */
  note(request: IconRequest, importer: string | undefined): void;
  /** An import of the usual variant, of which nothing had to be read. */
  noteUsual(defaultId: string, importer: string | undefined): void;
  /** The request of a canonical id. */
  get(id: string, importer?: string): KnownRequest;
  importersOf(id: string): string[];
}

/** @param parse for ids that were not resolved in this build: bundlers with a warm cache pass such ids */
export function createKnownRequests(
  parse: (specifier: string, importer: string | undefined) => IconRequest,
): KnownRequests {
  const requests = new Map<string, KnownRequest>();
  /** Importers by the id of the value: one, as is usual, or several. */
  const usual = new Map<string, string | undefined | Set<string>>();

  function usualImporters(id: string): string[] {
    const known = usual.get(toDefaultId(id)) ?? [];
    return typeof known === 'string' ? [known] : [...known];
  }

  return {
    note(request, importer) {
      const before = requests.get(request.canonical);
      if (before === undefined) requests.set(request.canonical, { request, importer });
      else addImporter(before, importer);
    },
    noteUsual(defaultId, importer) {
      const before = usual.get(defaultId);
      if (before === undefined) usual.set(defaultId, importer);
      else if (importer === undefined || importer === before) return;
      else if (typeof before === 'string') usual.set(defaultId, new Set([before, importer]));
      else before.add(importer);
    },
    get(id, importer) {
      const before = requests.get(id);
      if (before !== undefined) return before;
      const [first = importer] = usualImporters(id);
      const entry = { request: parse(id, first), importer: first };
      requests.set(id, entry);
      return entry;
    },
    importersOf(id) {
      const files = new Set<string>();
      const known = requests.get(id);
      if (known?.importer !== undefined) files.add(known.importer);
      for (const file of known?.others ?? []) files.add(file);
      for (const file of usualImporters(id)) files.add(file);
      return [...files];
    },
  };
}

function addImporter(known: KnownRequest, importer: string | undefined): void {
  if (importer === undefined || importer === known.importer) return;
  if (known.importer === undefined) known.importer = importer;
  else (known.others ??= new Set()).add(importer);
}

/** What imports lead to, icons and the modules beside them. */
export interface Resolver {
  /** @throws IconCatalogError SPECIFIER_INVALID, FRAMEWORK_MISSING, with the importer */
  resolve(specifier: string, importer?: string): string;
  /** True for modules that are made of options alone, not of an icon. */
  isPlain(id: string): boolean;
  /** The module of such an id; `undefined` for an icon. */
  plainModule(id: string, options: ResolvedOptions): SessionModule | undefined;
}

export function createResolver({
  parse,
  note,
}: {
  parse: (specifier: string, importer: string | undefined) => IconRequest;
  /** Called with each import of an icon. */
  note: (request: IconRequest, importer: string | undefined) => void;
}): Resolver {
  function resolveIcon(specifier: string, importer: string | undefined): string {
    const request = parse(specifier, importer);
    note(request, importer);
    return request.canonical;
  }

  /** Imports each icon of a set, so that it is shared with modules that import it alone, and credited like any other icon. */
  function setModule(id: string): SessionModule {
    const members = parseSet(id).members.map(({ key, specifier }) => ({
      key,
      id: parse(specifier, undefined).canonical,
    }));
    return { kind: 'code', code: setCode(members) };
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
    isPlain: (id) => isSharedSpecifier(id) || isSetSpecifier(id),
    plainModule: (id, options) => (isSetSpecifier(id) ? setModule(id) : sharedModule(id, options)),
  };
}

/** What components of one framework have in common; `undefined` for an icon. */
function sharedModule(id: string, { framework }: ResolvedOptions): SessionModule | undefined {
  if (!isSharedSpecifier(id) || typeof framework !== 'string') return undefined;
  const code = runtimeCode(id, framework);
  return code === undefined ? undefined : { kind: 'code', code };
}

/** What another build noted may be nothing to these options. */
export function requestOf(
  id: string,
  request: (id: string) => IconRequest,
): IconRequest | undefined {
  try {
    return request(id);
  } catch {
    return undefined;
  }
}
