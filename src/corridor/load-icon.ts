import {
  emitModule,
  emitWritten,
  type EmitInput,
  type EmittedModule,
} from '../emit/emit-module.ts';
import { copyError, isIconCatalogError } from '../errors.ts';
import { nameRequest } from '../request/name-request.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import type { ComponentWriter } from '../component.ts';
import type { Credit, IconInfo, IconRecord, IconRequest } from '../types.ts';
import type { Corridor } from './create-corridor.ts';
import { creditOf, infoOf, markupOf } from './describe-icon.ts';
import { symbolOf } from './symbol-of.ts';

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
