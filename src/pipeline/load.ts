import type { ComponentWriter } from '../component.ts';
import {
  type EmitInput,
  emitModule,
  type EmitSymbol,
  type EmittedModule,
  emitWritten,
} from '../emit/emit-module.ts';
import { joinParts, joinRecords, joinValue } from '../emit/module-code.ts';
import { copyError, isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { iconIdOf, toDefaultId } from '../request/key.ts';
import { nameRequest } from '../request/parse-request.ts';
import { renderSymbol, whyNoSymbol, withNamespace } from '../svg/render-svg.ts';
import type { Credit, IconInfo, IconRecord, IconRequest } from '../types.ts';
import { creditOf, infoOf, markupOf } from './credits.ts';
import type { CachedModule, ModuleCache } from './module-cache.ts';
import type { Pipeline } from './pipeline.ts';
import type { IconSource } from './sources.ts';

export interface LoadedIcon {
  module: EmittedModule;
  record: IconRecord;
  icon: IconInfo;
  credit: Credit;
  /** Markup of an svg: for a page, or with `as=url` and `as=data` the file. Undefined for png and `as=meta`. */
  svg: string | undefined;
  /** The file: a png as the catalog sent it, the markup in UTF-8; undefined for `as=meta`. */
  bytes: Uint8Array | undefined;
  /** Hash of the entries that the module was made of, if a later build may use it again: see `entryHashOf`. */
  entryHash: string | undefined;
}

export interface LoadContext {
  pipeline: Pipeline;
  options: ResolvedOptions;
}

/**
 * One import, from request to everything that is made of it: entry and bytes, markup, credit, module.
 *
 * @throws IconCatalogError, which names the import and its importer
 */
export async function loadIcon(
  request: IconRequest,
  { pipeline, options }: LoadContext,
  importer?: string,
): Promise<LoadedIcon> {
  try {
    const source = await pipeline.source(request, importer);
    const svg = source.kind === 'svg' ? await markupOf(request, source, options) : undefined;
    const png = source.kind === 'png' ? source.bytes : undefined;
    if (source.kind === 'svg' && source.unpainted && request.color === 'currentColor')
      pipeline.build.keepsColors(request.id);
    const { siteUrl } = (await pipeline.open()).catalog;
    const credit = creditOf(request, source, { options, siteUrl, markup: svg });
    if (request.as !== 'meta') pipeline.warnAbout(credit);
    const { record } = source;
    const icon = infoOf(record);
    const symbol = symbolOf(request, source, { pipeline, options });
    const master =
      source.kind === 'svg' && options.svg.transform === undefined ? source.master : undefined;
    const { framework } = options;
    const { metadata } = options.svg;
    const drawn = { request, svg, master, bytes: png, credit, icon, record, symbol, metadata };
    const module =
      typeof framework === 'function'
        ? await emitOf(drawn, framework)
        : emitModule({ ...drawn, framework });
    const bytes = svg === undefined ? png : Buffer.from(withNamespace(svg));
    const entryHash = source.kind === 'svg' ? source.entryHash : undefined;
    return { module, record, icon, credit, svg, bytes, entryHash };
  } catch (error) {
    throw located(error, nameRequest(request, options), importer);
  }
}

/** The project's own function writes components, and components only. */
async function emitOf(input: EmitInput, writer: ComponentWriter): Promise<EmittedModule> {
  return input.request.as === 'component' ? emitWritten(input, writer) : emitModule(input);
}

/** The error with the import that it is about: parts of the pipeline know ids, only `loadIcon` knows the importer. */
function located(error: unknown, written: string, importer: string | undefined): unknown {
  if (!isIconCatalogError(error)) return error;
  if (error.reason.includes('icon:')) return error.withImporter(importer);
  return copyError(error, {
    message: `Cannot load \`${written}\`: ${error.reason}`,
    importer: error.importer ?? importer,
  });
}

/**
 * How much of a module is wanted: all of it, its default export alone, or, as a string, its other exports beside a
 * default export that the module of this id has.
 */
export type ModulePart = 'whole' | 'value' | { valueFrom: string };

/** The module of one import: from the module cache if an earlier build finished it, otherwise through `loadIcon`. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, part = 'whole' }: { importer?: string | undefined; part?: ModulePart } = {},
): Promise<EmittedModule> {
  const { pipeline } = context;
  const { modules } = await pipeline.open();
  const cached = await cachedModule(toDefaultId(request.canonical), part, { modules, pipeline });
  if (cached !== undefined) return { kind: 'code', code: cached };
  const { module, credit, entryHash } = await loadIcon(request, context, importer);
  if (module.kind !== 'code') return module;
  modules.set(request, { parts: module.parts, credit, entryHash });
  return module.parts === undefined ? module : { ...module, code: partOf(module.parts, part) };
}

/** Code of a module that an earlier build finished, if the lock still says the same. */
async function cachedModule(
  defaultId: string,
  part: ModulePart,
  { modules, pipeline }: { modules: ModuleCache; pipeline: Pipeline },
): Promise<string | undefined> {
  if (part === 'value') {
    const code = cachedValue(defaultId, { modules, pipeline });
    if (code !== undefined) return code;
  }
  const cached = modules.get(defaultId);
  const records = cached && (await modules.records(defaultId));
  if (cached === undefined || records === undefined) return undefined;
  note(cached, defaultId, pipeline);
  return partOf({ value: cached.value, ...records }, part);
}

/** Code of a module of which only the default export is wanted, if an earlier build finished it. It is synchronous, for thousands of them. */
export function cachedValue(
  defaultId: string,
  { modules, pipeline }: { modules: ModuleCache | undefined; pipeline: Pipeline },
): string | undefined {
  const kept = modules?.get(defaultId);
  if (kept === undefined) return undefined;
  note(kept, defaultId, pipeline);
  return joinValue(kept);
}

/**
 * Notes the same about a module that ships without being loaded: bundlers with a cache on disk load nothing in a warm build.
 * Returns false if the module is not in the cache.
 */
export function noteShipped(
  defaultId: string,
  { modules, pipeline }: { modules: ModuleCache; pipeline: Pipeline },
): boolean {
  const kept = modules.get(defaultId);
  if (kept !== undefined) note(kept, defaultId, pipeline);
  return kept !== undefined;
}

/** Notes what the end of the build reports about a cached module. */
function note(
  { versionStated, keepsColors, creditMissing }: CachedModule,
  defaultId: string,
  { build }: LoadContext['pipeline'],
): void {
  if (!versionStated) build.versionNotStated(iconIdOf(defaultId));
  if (creditMissing) build.creditMissing(iconIdOf(defaultId));
  if (keepsColors) build.keepsColors(Number(iconIdOf(defaultId)));
}

function partOf(parts: Parameters<typeof joinParts>[0], part: ModulePart): string {
  if (part === 'whole') return joinParts(parts);
  return part === 'value' ? joinValue(parts) : joinRecords(parts, part.valueFrom);
}

/** The icon as a symbol of the sprite file; `undefined` if it is not asked for as one, or if it must stay in the page, which is reported. */
function symbolOf(
  request: IconRequest,
  source: IconSource,
  { pipeline, options }: LoadContext,
): EmitSymbol | undefined {
  if (request.as !== 'sprite' || source.kind !== 'svg') return undefined;
  const { master, record } = source;
  const why =
    options.svg.transform === undefined
      ? whyNoSymbol(master)
      : 'is changed by `svg.transform`, which is given whole drawings';
  if (why !== undefined) {
    pipeline.warn(
      `Icon ${record.id} ("${record.term}") is not put into the sprite file, but inline: it ${why}.`,
    );
    return undefined;
  }
  return renderSymbol(master, {
    id: request.id,
    color: request.color ?? 'currentColor',
    size: request.size ?? '1em',
    title: request.title,
    class: request.class,
  });
}
