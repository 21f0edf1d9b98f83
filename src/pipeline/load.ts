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
import { iconIdOf, toValueId } from '../request/key.ts';
import { nameRequest } from '../request/reference.ts';
import { renderSymbol, whyNoSymbol } from '../svg/render-svg.ts';
import type { Credit, IconInfo, IconRecord, IconRequest } from '../types.ts';
import { creditOf, infoOf, markupOf } from './credits.ts';
import type { FinishedModule, FinishedModules } from './module-cache.ts';
import type { Corridor } from './pipeline.ts';
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
  /** What the module was made of, where an earlier build may finish it: see `proofOf`. */
  proof: string | undefined;
}

export interface LoadContext {
  corridor: Corridor;
  options: ResolvedOptions;
}

/** THE CORRIDOR: walks one import from request to module. Each line is a room. */
export async function loadIcon(
  request: IconRequest,
  { corridor, options }: LoadContext,
  importer?: string,
): Promise<LoadedIcon> {
  try {
    const source = await corridor.source(request, importer);
    const svg = source.kind === 'svg' ? await markupOf(request, source, options) : undefined;
    const png = source.kind === 'png' ? source.bytes : undefined;
    if (source.kind === 'svg' && source.unpainted && request.color === 'currentColor')
      corridor.build.keepsColors(request.id);
    const { siteUrl } = await corridor.catalog();
    const credit = creditOf(request, source, { options, siteUrl, markup: svg });
    if (request.as !== 'meta') corridor.warnAbout(credit);
    const { record } = source;
    const icon = infoOf(record);
    const symbol = symbolOf(request, source, { corridor, options });
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
    const proof = source.kind === 'svg' ? source.proof : undefined;
    return { module, record, icon, credit, svg, bytes, proof };
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
export type ModuleShape = 'whole' | 'value' | { valueFrom: string };

/** The module alone: taken from the render pack where an earlier build finished it, walked through the corridor where not. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, shape = 'whole' }: { importer?: string | undefined; shape?: ModuleShape } = {},
): Promise<EmittedModule> {
  const { corridor } = context;
  const finished = await corridor.finished();
  const valueId = toValueId(request.canonical);
  if (shape === 'value') {
    const code = finishedValue(valueId, { finished, corridor });
    if (code !== undefined) return { kind: 'code', code };
  }
  const kept = finished.get(valueId);
  const records = kept && (await finished.records(valueId));
  if (kept === undefined || records === undefined) {
    const { module, credit, proof } = await loadIcon(request, context, importer);
    if (module.kind === 'code') finished.set(request, { parts: module.parts, credit, proof });
    return module.kind === 'code' && module.parts !== undefined
      ? { ...module, code: shaped(module.parts, shape) }
      : module;
  }
  note(kept, valueId, corridor);
  return { kind: 'code', code: shaped({ value: kept.value, ...records }, shape) };
}

/** Code of a module that is wanted for its default export, where an earlier build finished it. Thousands of them wait for nothing. */
export function finishedValue(
  valueId: string,
  {
    finished,
    corridor,
  }: { finished: FinishedModules | undefined; corridor: LoadContext['corridor'] },
): string | undefined {
  const kept = finished?.get(valueId);
  if (kept === undefined) return undefined;
  note(kept, valueId, corridor);
  return joinValue(kept);
}

/**
 * The same for a module that ships without being loaded: bundlers with a cache on disk ask for nothing on a warm build.
 * Returns false for one that is not finished.
 */
export function noteShipped(
  valueId: string,
  { finished, corridor }: { finished: FinishedModules; corridor: LoadContext['corridor'] },
): boolean {
  const kept = finished.get(valueId);
  if (kept !== undefined) note(kept, valueId, corridor);
  return kept !== undefined;
}

/** What the end of the build says about a finished module. */
function note(
  { versionStated, keepsColors, creditMissing }: FinishedModule,
  valueId: string,
  { build }: LoadContext['corridor'],
): void {
  if (!versionStated) build.versionNotStated(iconIdOf(valueId));
  if (creditMissing) build.creditMissing(iconIdOf(valueId));
  if (keepsColors) build.keepsColors(Number(iconIdOf(valueId)));
}

function shaped(parts: Parameters<typeof joinParts>[0], shape: ModuleShape): string {
  if (shape === 'whole') return joinParts(parts);
  return shape === 'value' ? joinValue(parts) : joinRecords(parts, shape.valueFrom);
}

/** The icon as a symbol of the sprite file; `undefined` where it is not asked for as one, or must stay in the page, which is then said. */
function symbolOf(
  request: IconRequest,
  source: IconSource,
  { corridor, options }: LoadContext,
): EmitSymbol | undefined {
  if (request.as !== 'sprite' || source.kind !== 'svg') return undefined;
  const { master, record } = source;
  const why =
    options.svg.transform === undefined
      ? whyNoSymbol(master)
      : 'is changed by `svg.transform`, which is given whole drawings';
  if (why !== undefined) {
    corridor.warn(
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
