import type { Compilation, Compiler, LoaderContext } from 'webpack';
import { isIconCatalogError } from '../../errors.ts';
import type { Session, SessionModule } from '../session-types.ts';
import { assetName } from './asset-name.ts';
import { toBundlerError } from './bundler-error.ts';
import { idOfIconResource, isCredits } from './icon-resource.ts';
import type { LoadLedger } from './load-ledger.ts';

export type IconLoaderContext = LoaderContext<unknown>;

interface ReadIconOptions {
  session: Session;
  /** The project's own compiler, also when a child of it builds the module: only that one knows of watching. */
  compiler: Compiler;
  compilation: Compilation;
  ledger: LoadLedger;
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
  const { session, compilation } = options;
  const id = idOfIconResource(context.resource) ?? context.resource;
  if (isCredits(id)) return session.pendingCreditsCode();

  const loaded = await loadModule(id, options, context);
  if (loaded.kind === 'code') return loaded.code;

  const name = assetName(compilation, loaded);
  const content = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source);
  // Without `contenthash`: the name holds the hash of these very bytes, there is nothing to compute anew.
  context.emitFile(name, content, undefined, { immutable: true, sourceFilename: id });
  return loaded.code(`__webpack_public_path__ + ${JSON.stringify(name)}`);
}

/** A dev server goes on without its catalog; a build does not. */
async function loadModule(
  id: string,
  { session, compiler, ledger }: ReadIconOptions,
  context: IconLoaderContext,
): Promise<SessionModule> {
  const importer = ledger.importers.get(id);
  const options = importer === undefined ? {} : { importer };
  ledger.missing.delete(id);
  try {
    return await session.load(id, options);
  } catch (error) {
    ledger.missing.add(id);
    const told = toBundlerError(error, importer);
    if (!mayHoldPlaceholder(compiler) || !isIconCatalogError(error)) throw told;
    // Asked again with leave to stand in, so that it is known that the answer does: the session warns, and the next
    // rebuild, and the next start with a persistent cache, must try anew.
    const placeholder = await session.load(id, { ...options, placeholder: true }).catch(() => {
      throw told;
    });
    context.cacheable(false);
    return placeholder;
  }
}

function mayHoldPlaceholder(compiler: Compiler): boolean {
  return compiler.watchMode && compiler.options.mode === 'development';
}
