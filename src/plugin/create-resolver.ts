import { setCode } from '../emit/set-code.ts';
import { isSetSpecifier, parseSet } from '../request/icon-set.ts';
import { CREDITS_SPECIFIER, isCreditsSpecifier, isSharedSpecifier } from '../request/specifier.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { IconRequest } from '../types.ts';
import type { SessionModule } from './session-types.ts';
import { sharedModule } from './shared-module.ts';

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

  /** Imports each icon of a set, so that it is shared with whoever imports it alone, and credited like any other. */
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
