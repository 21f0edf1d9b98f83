import { emitModule, type EmittedModule } from '../emit/emit-module.ts';
import { joinPart, joinValue, type ModulePart } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { iconIdOf } from '../request/key.ts';
import { aboutRequest } from '../request/parse-request.ts';
import { withNamespace } from '../svg/render-svg.ts';
import type { Credit, IconInfo, IconRequest } from '../types.ts';
import { creditOf, infoOf } from './credits.ts';
import { drawIcon } from './draw.ts';
import type { Pipeline } from './pipeline.ts';

export interface LoadContext {
  pipeline: Pipeline;
  options: ResolvedOptions;
}

/** The module of one import: from the module cache if an earlier build finished it, otherwise through `loadIcon`. */
export async function loadModule(
  request: IconRequest,
  context: LoadContext,
  { importer, part = 'whole' }: { importer?: string | undefined; part?: ModulePart } = {},
): Promise<EmittedModule> {
  const { build, open } = context.pipeline;
  const { modules } = await open();
  const cached = await modules.find(request, part);
  if (cached !== undefined) {
    build.note(request.id, cached.notes);
    return { kind: 'code', code: cached.code };
  }
  const { module, credit, entryHash } = await loadIcon(request, context, importer);
  if (module.kind !== 'code' || module.parts === undefined) return module;
  modules.set(request, { parts: module.parts, credit, entryHash });
  return { ...module, code: joinPart(module.parts, part) };
}

/** Code of a module of which only the default export is wanted, if an earlier build finished it. It is synchronous, for thousands of them. */
export function cachedValue(
  defaultId: string,
  { modulesNow, build }: Pick<Pipeline, 'modulesNow' | 'build'>,
): string | undefined {
  try {
    const cached = modulesNow()?.get(defaultId);
    if (cached === undefined) return undefined;
    build.note(iconIdOf(defaultId), cached.notes);
    return joinValue(cached);
  } catch {
    // A broken entry of the lock: `loadModule` meets it as well, and has it reported once for all icons.
    return undefined;
  }
}

interface LoadedIcon {
  module: EmittedModule;
  icon: IconInfo;
  credit: Credit;
  /** Markup of an svg: for a page, or with `as=url` and `as=data` the file. Undefined for png and `as=meta`. */
  svg: string | undefined;
  /** The file: a png as the catalog sent it, the markup in UTF-8; undefined for `as=meta`. */
  bytes: Uint8Array | undefined;
  /** Hash of the entries that the module was made of, if a later build may use it again: see `entryHashOf`. */
  entryHash: string | undefined;
}

/**
 * One import, from request to everything that is made of it: entry and bytes, drawing, credit, module.
 *
 * @throws IconCatalogError, which names the import and its importer
 */
export async function loadIcon(
  request: IconRequest,
  { pipeline, options }: LoadContext,
  importer?: string,
): Promise<LoadedIcon> {
  try {
    const { source: sourceOf, catalog } = await pipeline.open();
    const source = await sourceOf(request, importer);
    const drawing = await drawIcon(request, source, options.svg);
    const credit = creditOf({ request, source, drawing }, { options, siteUrl: catalog.siteUrl });
    const { record } = source;
    const icon = infoOf(record);
    const png = source.kind === 'png' ? source.bytes : undefined;
    const {
      framework,
      svg: { metadata },
    } = options;
    const module = await emitModule({
      ...drawing,
      request,
      bytes: png,
      credit,
      icon,
      record,
      framework,
      metadata,
    });
    if (drawing?.whyInline !== undefined)
      pipeline.build.warn(
        `Icon ${record.id} ("${record.term}") is not put into the sprite file, but inline: it ${drawing.whyInline}.`,
      );
    const keepsColors =
      source.kind === 'svg' && source.unpainted === true && request.color === 'currentColor';
    if (source.kind !== 'meta') pipeline.build.report(credit, { options, catalog, keepsColors });
    return {
      module,
      icon,
      credit,
      svg: drawing?.svg,
      bytes: drawing === undefined ? png : Buffer.from(withNamespace(drawing.svg)),
      entryHash: source.kind === 'svg' ? source.entryHash : undefined,
    };
  } catch (error) {
    throw aboutRequest(error, { request, importer }, options);
  }
}
