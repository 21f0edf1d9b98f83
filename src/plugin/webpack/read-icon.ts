import type { Compilation, Compiler, LoaderContext } from 'webpack';
import { SPRITE_SLOT, type Session, type SessionModule } from '../session-types.ts';
import { assetPlace } from './asset-place.ts';
import { toBundlerError } from './bundler-error.ts';
import { idOfIconResource, isCredits } from './icon-resource.ts';
import type { LoadLedger } from './load-ledger.ts';
import type { Watches } from './watches.ts';

const ICON = /^icon:\d/;

export type IconLoaderContext = LoaderContext<unknown>;

interface ReadIconOptions {
  session: Session;
  /** The project's own compiler, also when a child of it builds the module: only that one knows of watching. */
  compiler: Compiler;
  compilation: Compilation;
  ledger: LoadLedger;
  watch: Watches;
}

/**
 * Code of the module that is being built. An emitted file goes through `emitFile`, which keeps it with the module:
 * persistent caches then restore it without calling here.
 * @throws IconCatalogError with the importer, ready to be printed
 */
export async function readIcon(
  options: ReadIconOptions,
  context: IconLoaderContext,
): Promise<string> {
  const { session, compiler, compilation } = options;
  const id = idOfIconResource(context.resource) ?? context.resource;
  if (isCredits(id)) return session.pendingCreditsCode();

  const loaded = await loadModule(id, options, context);
  if (loaded.kind === 'code') return loaded.code;
  // In development a symbol has a file of its own: compilers for a server and for a browser show different icons, and
  // what both draw must be the same markup.
  if (loaded.symbol !== undefined && !isDev(compiler))
    return loaded.code(`__webpack_public_path__ + ${JSON.stringify(SPRITE_SLOT)}`);

  const { address, file } = assetPlace(compilation, loaded);
  const content = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source);
  // Without `contenthash`: the name holds the hash of these very bytes, there is nothing to compute anew.
  context.emitFile(file, content, undefined, { immutable: true, sourceFilename: id });
  return loaded.code(`__webpack_public_path__ + ${JSON.stringify(address)}`);
}

/** A dev server goes on without its catalog; a build does not. */
async function loadModule(
  id: string,
  { session, compiler, ledger, watch }: ReadIconOptions,
  context: IconLoaderContext,
): Promise<SessionModule> {
  const importer = ledger.importers.get(id);
  const placeholder = isDev(compiler);
  ledger.missing.delete(id);
  await watch.config.made(id, context);
  try {
    const module = await session.load(id, {
      placeholder,
      ...(importer !== undefined && { importer }),
    });
    if (module.kind === 'code' && module.placeholder === true) {
      // The next rebuild, and the next start with a persistent cache, must try anew.
      ledger.missing.add(id);
      context.cacheable(false);
    }
    if (ICON.test(id)) await watch.lock.loaded(id, context);
    return module;
  } catch (error) {
    ledger.missing.add(id);
    throw toBundlerError(error, importer);
  }
}

/** A watcher or dev server in development. */
export function isDev(compiler: Compiler): boolean {
  return compiler.watchMode && compiler.options.mode === 'development';
}
