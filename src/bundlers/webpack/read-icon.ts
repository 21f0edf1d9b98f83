import type { Compilation, Compiler, LoaderContext } from 'webpack';
import { type Part, textOfModule } from '../../build/outdated.ts';
import { CREDITS_ID, type SessionModule, SPRITE_SLOT } from '../../build/session-types.ts';
import { isIconCatalogError } from '../../errors.ts';
import type { ModulePart } from '../../emit/module-code.ts';
import { isDefaultId, toDefaultId, toIconId } from '../../request/key.ts';
import type { Session } from '../../build/session-interface.ts';
import type { TypeDeclarations } from '../../build/session.ts';
import { sha256Hex } from '../../store/hash.ts';

export type IconLoaderContext = LoaderContext<unknown>;

/** What the hooks of one compiler share. */
export interface WebpackBuild {
  session: Session;
  bundler: 'webpack' | 'rspack';
  /** The project's own compiler, also when a child of it builds the module: only that one knows of watching. */
  compiler: Compiler;
  watch: Watch;
  declarations: TypeDeclarations;
  /** Ids that failed, or have a placeholder; never cached, so each build asks for them again. Nothing to credit. */
  missing: Set<string>;
}

interface ReadIconOptions extends WebpackBuild {
  compilation: Compilation;
  split: Split;
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
  const { resource: id } = context;
  if (isCredits(id)) return session.pendingCreditsCode();

  const loaded = await loadModule(id, options, context);
  if (loaded.kind === 'code') return loaded.code;
  // In development a symbol has a file of its own: compilers for a server and for a browser show different icons, and
  // what both draw must be the same markup.
  if (loaded.symbol !== undefined && !isDev(compiler))
    return loaded.code(`__webpack_public_path__ + ${JSON.stringify(SPRITE_SLOT)}`);

  const { address, file } = assetPlace(compilation, loaded);
  const content = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source);
  // Without `contenthash`: the name holds the hash of these very bytes, so nothing need be computed again.
  context.emitFile(file, content, undefined, { immutable: true, sourceFilename: id });
  return loaded.code(`__webpack_public_path__ + ${JSON.stringify(address)}`);
}

/** A dev server goes on without its catalog; a build does not. */
async function loadModule(
  id: string,
  { session, compiler, missing, watch, split }: ReadIconOptions,
  context: IconLoaderContext,
): Promise<SessionModule> {
  const icon = isRecords(id) ? id.slice(0, -RECORDS.length) : toIconId(id);
  missing.delete(id);
  try {
    const module = await session.load(icon, {
      placeholder: isDev(compiler),
      part: partOf(id, split),
    });
    if (module.kind === 'code' && module.placeholder === true) {
      // The next rebuild, and the next start with a persistent cache, must try again.
      missing.add(id);
      context.cacheable(false);
    }
    await watch.made(`module ${id}`, () => textOfModule(module), context);
    return module;
  } catch (error) {
    missing.add(id);
    await watch.made(`module ${id}`, () => '', context);
    throw toBundlerError(error);
  }
}

/** A watcher or dev server in development. */
export function isDev(compiler: Compiler): boolean {
  return compiler.watchMode && compiler.options.mode === 'development';
}

/**
 * What has a module of its own: the default exports for importers that use nothing else (webpack knows them), or the
 * records, which Rspack builds only if an importer uses them.
 */
export type Split = 'values' | 'records' | 'nothing';

function partOf(id: string, split: Split): ModulePart {
  if (isRecords(id)) return 'records';
  if (isDefaultId(id)) return 'value';
  if (split === 'values') return { valueFrom: toDefaultId(id) };
  return split === 'records' ? { recordsFrom: `${id}${RECORDS}` } : 'whole';
}

/** What the id of a module of records ends with. No import of a source can be spelled like that. */
const RECORDS = ';records';

export function isRecords(id: string): boolean {
  return id.endsWith(RECORDS);
}

/** The id of a module that holds an icon, by its resource; `undefined` for any other module. */
export function idOfIconResource(resource: string | undefined): string | undefined {
  return resource?.startsWith(ICON_SCHEME) === true && !isRecords(resource) ? resource : undefined;
}

export function isCredits(id: string): boolean {
  return id === CREDITS_ID;
}

/** What webpack takes for the scheme of `icon:123`, with its colon. */
const ICON_SCHEME = 'icon:';

export interface AssetPlace {
  /** What stands behind the public path. */
  address: string;
  /** The file to emit, relative to the output folder: another name where that folder is not the one that is served. */
  file: string;
  /** The whole address, where style sheets must hold it: Next.js has css-loader leave every address with a scheme alone. */
  url?: string;
}

interface OutputPlace {
  publicPath?: unknown;
  path?: string | undefined;
}

/** Of the folder that Next.js serves as `/_next/`, only this one is. */
const SERVED = 'static/';

/**
 * Where an emitted icon goes, and how it is called in addresses. Both are its name, but for Next.js: its compilers have
 * one public path, below which only `static/` of the client's output is served, also what the compilers of servers emit.
 */
export function assetPlace(
  compilation: Compilation,
  asset: { fileName: string; source: string | Uint8Array },
): AssetPlace {
  const name = assetName(compilation, asset);
  const { publicPath, path } = compilation.outputOptions;
  if (!isNext(publicPath)) return { address: name, file: name };
  const address = name.startsWith(SERVED) ? name : `${SERVED}media/${name}`;
  const url = `${publicPath}${encodeURI(address)}`;
  return { address, file: `${wayToClient(path)}${address}`, url };
}

/** A compiler of Next.js for a server, the one for its edge runtime included, which has a browser's target. */
export function isNextServer({ publicPath, path = '' }: OutputPlace): boolean {
  return isNext(publicPath) && wayToClient(path) !== '';
}

export function isNext(publicPath: unknown): publicPath is string {
  return typeof publicPath === 'string' && publicPath.endsWith('/_next/');
}

/** From the output folder of a compiler of Next.js: `.next/server/chunks`, `.next/server`, or `.next` itself. */
function wayToClient(path: string): string {
  if (/[/\\]server[/\\]chunks$/.test(path)) return '../../';
  return /[/\\]server$/.test(path) ? '../' : '';
}

type AssetModuleFilename = NonNullable<Compilation['outputOptions']['assetModuleFilename']>;
type PathDataModule = Parameters<Exclude<AssetModuleFilename, string>>[0];

/** As long as webpack's own hashes are by default (`output.hashDigestLength`). */
const HASH_LENGTH = 20;

/** `[hash]`, `[contenthash:8]`, `[fullhash:base64:6]`: for an asset all of them mean the hash of its content. */
const HASH_PLACEHOLDER = /\[(?:full|content|chunk|module)?hash(?::[a-z]\w*)?(?::(\d+))?\]/g;

/**
 * File name of an emitted icon, by the project's own `output.assetModuleFilename`, as for every other asset.
 * The hash is written here and not by the bundler: there is neither chunk nor module id while modules are built.
 */
function assetName(
  compilation: Compilation,
  asset: { fileName: string; source: string | Uint8Array },
): string {
  const contentHash = sha256Hex(asset.source).slice(0, HASH_LENGTH);
  const { assetModuleFilename } = compilation.outputOptions;
  const template =
    typeof assetModuleFilename === 'function'
      ? // Functions are typed for webpack's own calls, which also know the module.
        assetModuleFilename({ filename: asset.fileName, contentHash } as PathDataModule)
      : assetModuleFilename;
  const hashed = template.replaceAll(HASH_PLACEHOLDER, (_match, length?: string) =>
    contentHash.slice(0, length === undefined ? HASH_LENGTH : Number(length)),
  );
  return compilation.getPath(hashed, { filename: asset.fileName });
}

/**
 * An error as webpack and Rspack should print it. Ours say all there is to say in their message: frames of this
 * package's code would bury it, and both print the stack where there is one. A plain `Error`, since webpack's persistent cache keeps errors with their modules and
 * has no serializer for others.
 */
export function toBundlerError(error: unknown, importer?: string): Error {
  if (!isIconCatalogError(error)) return error instanceof Error ? error : new Error(String(error));
  const { code, message, name } = error.withImporter(importer);
  return Object.assign(new Error(message), { name, code, stack: message });
}

/** What is remembered of modules whose options or lock may change while the bundler watches, or until the next start. */
export interface Watch {
  /** An import led to this module. */
  resolved(specifier: string, id: string): void;
  /** An import of this file led nowhere. */
  refused(importer: string): void;
  /** The module that is being built was made from this, as `textOf` gives it. */
  made(part: Part, text: () => string, context: IconLoaderContext): Promise<void>;
}
