import type { Compiler } from 'webpack';
import type { Session } from '../session-types.ts';
import { toBundlerError } from './bundler-error.ts';
import { toIconResource } from './icon-resource.ts';
import { type IconLoaderContext, readIcon } from './read-icon.ts';

const NAME = 'unplugin-icon-catalog';
const SCHEME = 'icon';

/**
 * Teaches the compiler, and every child of it, what `icon:` modules are.
 * webpack refuses a scheme that it does not know before any resolver is asked, hence the scheme hooks.
 * @param plugin.loader path of icon-loader.cjs, for Rspack, which has no hook that reads a resource
 */
export function addIconModules(
  compiler: Compiler,
  { session, loader }: { session: Session; loader: string | undefined },
): void {
  // The last rule wins: a project's own rules for `?raw` or `?url` do not reach icons.
  compiler.options.module.rules.push({
    scheme: SCHEME,
    type: 'javascript/auto',
    sideEffects: false,
    ...(loader !== undefined && { use: [{ loader }] }),
  });

  compiler.hooks.compilation.tap(NAME, (compilation, { normalModuleFactory }) => {
    normalModuleFactory.hooks.resolveForScheme
      .for(SCHEME)
      .tap(NAME, (resource, request: { contextInfo: { issuer: string } } | undefined) => {
        // Rspack does not say who asks; it prints the importer above the message.
        const importer = request?.contextInfo.issuer || undefined;
        try {
          const id = session.resolve(resource.resource, importer);
          resource.resource = toIconResource(id, session.fingerprint);
        } catch (error) {
          throw toBundlerError(error, importer);
        }
        resource.path = resource.resource;
        resource.query = '';
        resource.fragment = '';
        // Where `import 'react'` inside an icon module is looked for.
        resource.context = compiler.context;
        return true;
      });

    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    const read = (context: IconLoaderContext): Promise<string> =>
      readIcon({ session, compiler, compilation }, context);
    if (loader === undefined) {
      hooks.readResource.for(SCHEME).tapPromise(NAME, read);
    } else {
      hooks.loader.tap(NAME, (context) => {
        Object.assign(context, { readIcon: read });
      });
    }
  });
}
