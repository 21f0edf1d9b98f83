import type { Compiler, ResolveData } from 'webpack';
import { IconCatalogError } from '../../errors.ts';
import {
  type IconLoaderContext,
  idOfIconResource,
  isRecords,
  readIcon,
  type Split,
  toBundlerError,
  type WebpackBuild,
} from './read-icon.ts';
import { rewriteIconStyle } from './styles.ts';
import type { Session } from '../../build/session-interface.ts';
import { isDefaultId, isIconSpecifier, toDefaultId } from '../../request/key.ts';

const NAME = 'unplugin-icon-catalog';
const SCHEME = 'icon';

type NormalModuleFactory = Parameters<
  Parameters<Compiler['hooks']['normalModuleFactory']['tap']>[1]
>[0];

/**
 * Teaches the compiler, and every child of it, what `icon:` modules are.
 * webpack refuses a scheme that it does not know before any resolver is asked, hence the scheme hooks.
 * @param loader path of icon-loader.cjs, for Rspack, which has no hook that reads a resource
 */
export function addIconModules(build: WebpackBuild, loader: string | undefined): void {
  const { session, compiler, watch, declarations } = build;
  function resolve(specifier: string, importer: string | undefined): string {
    const id = session.resolve(specifier, importer);
    // Members of a set are imported by their ids, and by no source.
    const isMember = id === specifier && /^icon:\d/.test(id);
    if (compiler.watchMode && !isMember) declarations.imported(specifier);
    watch.resolved(specifier, id);
    return id;
  }

  // The last rule wins: a project's own rules for `?raw` or `?url` do not reach icons.
  compiler.options.module.rules.push({
    scheme: SCHEME,
    type: 'javascript/auto',
    sideEffects: false,
    ...(loader !== undefined && { use: useLoader(loader, resolve, watch.refused) }),
  });

  if (loader !== undefined) {
    compiler.options.module.rules.push({
      scheme: SCHEME,
      dependency: 'url',
      use({ resource = '', issuer }) {
        throw notAnAddress(resource, issuer);
      },
    });
  }

  compiler.hooks.compilation.tap(NAME, (compilation, { normalModuleFactory }) => {
    // Handlers of hot updates name the module that an import leads to, whatever the import uses.
    const split = compiler.watchMode ? 'nothing' : splitOf(compiler, loader);
    normalModuleFactory.hooks.resolveForScheme
      .for(SCHEME)
      .tap(NAME, (resource, request: ResolveData | undefined) => {
        const icon = resolveHere(resource.resource, request, resolve);
        const found =
          split === 'values' && isDefaultEnough(icon, request, session) ? toDefaultId(icon) : icon;
        // Where `import 'react'` inside an icon module is looked for.
        const { context } = compiler;
        Object.assign(resource, { resource: found, path: found, query: '', fragment: '', context });
        return true;
      });
    if (loader === undefined) keepResolveOptions(normalModuleFactory);
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    const read = (context: IconLoaderContext): Promise<string> =>
      readIcon({ ...build, compilation, split }, context);
    const rewrite = (css: string, context: IconLoaderContext): Promise<string> =>
      rewriteIconStyle(css, { ...build, compilation }, context);
    if (loader === undefined) hooks.readResource.for(SCHEME).tapPromise(NAME, read);
    hooks.loader.tap(NAME, (context) => {
      Object.assign(context, { readIcon: read, rewriteIconStyle: rewrite });
    });
  });
}

/** Rspack does not say here whose import it is: what is refused keeps its spelling until `useLoader`, which knows. */
function resolveHere(
  specifier: string,
  request: ResolveData | undefined,
  resolve: (specifier: string, importer: string | undefined) => string,
): string {
  const importer = request?.contextInfo.issuer || undefined;
  if (isRecords(specifier) && request === undefined) return specifier;
  // The whole module of an icon takes its default export from there.
  if (isDefaultId(specifier) && importer !== undefined && isIconSpecifier(importer))
    return specifier;
  if (request?.dependencyType === 'url') throw notAnAddress(specifier, importer);
  // Which module it is may change from one build to the next. `unsafeCache`, which Next.js has for every module, would
  // not ask again.
  if (request !== undefined) request.cacheable = false;
  try {
    return resolve(specifier, importer);
  } catch (error) {
    if (request !== undefined) throw toBundlerError(error, importer);
    return specifier;
  }
}

/** Older versions of Rspack would build every module of records. */
function splitOf({ webpack, options }: Compiler, loader: string | undefined): Split {
  if (loader === undefined) return 'values';
  const [major = 0, minor = 0] = (
    (webpack as { rspackVersion?: string }).rspackVersion?.split('.') ?? []
  ).map(Number);
  const isLazy = major > 1 || (major === 1 && minor >= 6);
  return isLazy && options.optimization.sideEffects === true ? 'records' : 'nothing';
}

/** True if the module that has the import certainly uses no more of the icon than its default export. */
function isDefaultEnough(
  icon: string,
  request: ResolveData | undefined,
  session: Session,
): boolean {
  if (request === undefined || isDefaultId(icon)) return false;
  const usesDefault = request.dependencies.every((dependency) => {
    const { type, ids, unusedSpecifiers } = dependency as {
      type: string;
      ids?: readonly string[];
      unusedSpecifiers?: { specifiers: [ids: string[], name: string][] };
    };
    // Names that are imported and never read have to exist, too (webpack 5.112 and newer).
    if (type === 'harmony side effect evaluation')
      return unusedSpecifiers?.specifiers.every(([[name]]) => name === 'default') ?? true;
    return NAMED_IMPORTS.has(type) && ids?.[0] === 'default';
  });
  return usesDefault && session.isSplittable(icon);
}

/** What webpack calls the uses of an import that say which export they use. */
const NAMED_IMPORTS = new Set(['harmony import specifier', 'harmony export imported specifier']);

/** What an icon imports is what its importer would get: rules may give modules another `react` (Next.js). */
function keepResolveOptions({ hooks }: NormalModuleFactory): void {
  hooks.afterResolve.tap(NAME, ({ createData, resolveOptions }) => {
    if (idOfIconResource(createData.resource) === undefined || resolveOptions === undefined) return;
    if (Object.keys(resolveOptions).length > 0) createData.resolveOptions = resolveOptions;
  });
}

/** Both bundlers would build `new URL('icon:1', import.meta.url)` into the address of a script. */
function notAnAddress(specifier: string, importer: string | undefined): Error {
  const error = new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`new URL('${specifier}', …)\` is not supported: \`icon:\` is no address.`,
    remedy: 'Import the icon with `as=url`: `import url from "icon:…?url"`.',
    importer,
  });
  return toBundlerError(error);
}

/** `use` of a rule is the first place where Rspack names the importer; an error thrown here is shown at the import. */
function useLoader(
  loader: string,
  resolve: (specifier: string, importer: string) => string,
  refused: (importer: string) => void,
) {
  return ({
    resource = '',
    issuer = '',
  }: {
    resource?: string;
    issuer?: string;
  }): { loader: string }[] => {
    try {
      if (!isRecords(resource) || !isIconSpecifier(issuer)) resolve(resource, issuer);
    } catch (error) {
      refused(issuer);
      throw toBundlerError(error, issuer);
    }
    return [{ loader }];
  };
}
