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
import { nameRequest } from '../request/reference.ts';
import { renderSymbol, whyNoSymbol } from '../svg/render-svg.ts';
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
  /** Markup of an svg; undefined for png and `as=meta`. */
  svg: string | undefined;
  /** The file: a png as the catalog sent it, the markup in UTF-8; undefined for `as=meta`. */
  bytes: Uint8Array | undefined;
  /** What the module was made of, where an earlier build may finish it: see `entryHashOf`. */
  entryHash: string | undefined;
}

export interface LoadContext {
  pipeline: Pipeline;
  options: ResolvedOptions;
}

/** THE CORRIDOR: walks one import from request to module. Each line is a room. */
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
    const { siteUrl } = await pipeline.catalog();
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
    const bytes = svg === undefined ? png : Buffer.from(svg);
    const entryHash = source.kind === 'svg' ? source.entryHash : undefined;
    return { module, record, icon, credit, svg, bytes, entryHash };
  } catch (error) {
    throw located(error, nameRequest(request, options.aliases), importer);
  }
}

/** The project's own function writes components, and components only. */
async function emitOf(input: EmitInput, writer: ComponentWriter): Promise<EmittedModule> {
  return input.request.as === 'component' ? emitWritten(input, writer) : emitModule(input);
}

/** Says which import it was about: the rooms know ids, only the corridor knows the importer. */
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

/** The module alone: taken from the render pack where an earlier build finished it, walked through the corridor where not. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, part = 'whole' }: { importer?: string | undefined; part?: ModulePart } = {},
): Promise<EmittedModule> {
  const { pipeline } = context;
  const modules = await pipeline.modules();
  const defaultId = toDefaultId(request.canonical);
  if (part === 'value') {
    const code = cachedValue(defaultId, { modules, pipeline });
    if (code !== undefined) return { kind: 'code', code };
  }
  const kept = modules.get(defaultId);
  const records = kept && (await modules.records(defaultId));
  if (kept === undefined || records === undefined) {
    const { module, credit, entryHash } = await loadIcon(request, context, importer);
    if (module.kind === 'code') modules.set(request, { parts: module.parts, credit, entryHash });
    return module.kind === 'code' && module.parts !== undefined
      ? { ...module, code: partOf(module.parts, part) }
      : module;
  }
  note(kept, defaultId, pipeline);
  return { kind: 'code', code: partOf({ value: kept.value, ...records }, part) };
}

/** Code of a module that is wanted for its default export, where an earlier build finished it. Thousands of them wait for nothing. */
export function cachedValue(
  defaultId: string,
  { modules, pipeline }: { modules: ModuleCache | undefined; pipeline: LoadContext['pipeline'] },
): string | undefined {
  const kept = modules?.get(defaultId);
  if (kept === undefined) return undefined;
  note(kept, defaultId, pipeline);
  return joinValue(kept);
}

/**
 * The same for a module that ships without being loaded: bundlers with a cache on disk ask for nothing on a warm build.
 * Returns false for one that is not finished.
 */
export function noteShipped(
  defaultId: string,
  { modules, pipeline }: { modules: ModuleCache; pipeline: LoadContext['pipeline'] },
): boolean {
  const kept = modules.get(defaultId);
  if (kept !== undefined) note(kept, defaultId, pipeline);
  return kept !== undefined;
}

/** What the end of the build says about a finished module. */
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

/** The icon as a symbol of the sprite file; `undefined` where it is not asked for as one, or must stay in the page, which is then said. */
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
