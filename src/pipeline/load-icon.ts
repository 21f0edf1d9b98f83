import { emitModule, type EmittedModule } from '../emit/emit-module.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
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

export interface LoadedIcon {
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
    const source = await pipeline.source(request, importer);
    const { catalog } = await pipeline.open();
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
    if (source.kind !== 'meta')
      pipeline.build.report(credit, { options, catalog, keepsColors, record });
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
