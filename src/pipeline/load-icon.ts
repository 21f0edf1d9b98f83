import { Buffer } from 'node:buffer';
import { emitModule, type EmittedModule } from '../emit/emit-module.ts';
import { IconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { aboutRequest } from '../request/parse-request.ts';
import {
  renderSvg,
  type RenderSvgOptions,
  renderSymbol,
  resolveSize,
  whyNoSymbol,
  withNamespace,
} from '../svg/render-svg.ts';
import { keepsCreditText } from '../svg/text.ts';
import type { Credit, IconInfo, IconRecord, IconRequest } from '../types.ts';
import { creditOf, type Drawing, infoOf } from './credits.ts';
import type { Pipeline } from './pipeline.ts';
import type { IconSource } from './sources.ts';

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

interface CreditedIcon {
  credit: Credit;
  /** The icon as pages of credits show it: markup, or the `data:` address of a picture. */
  draw(): string;
}

/**
 * What an icon is credited as, from wherever its file lies; `undefined` if it ships no artwork.
 * @throws IconCatalogError as the build of its import does
 */
export async function creditedIcon(
  request: IconRequest,
  { pipeline, options }: { pipeline: Pipeline; options: ResolvedOptions },
): Promise<CreditedIcon | undefined> {
  const source = await pipeline.source(request);
  const { catalog } = await pipeline.open();
  if (source.kind === 'meta') return undefined;
  // The drawing shows whether a credit that is drawn into the file was lost, and what the project's own transform did.
  const drawing = await drawIcon(request, source, options.svg);
  const credit = creditOf({ request, source, drawing }, { options, siteUrl: catalog.siteUrl });
  pipeline.build.report(credit, { options, catalog, record: source.record });
  return { credit, draw: () => drawForCredits(request, source) };
}

/** The drawing of an svg request; `undefined` for any other. @throws IconCatalogError OPTIONS_INVALID as `svg.transform` fails */
export async function drawIcon(
  request: IconRequest,
  source: IconSource,
  { transform }: ResolvedOptions['svg'],
): Promise<Drawing | undefined> {
  if (source.kind !== 'svg') return undefined;
  const { master, record } = source;
  const { as } = request;
  const look = lookOf(request);
  const markup = renderSvg(master, { ...look, isFile: as === 'url' || as === 'data' });
  const svg = transform === undefined ? markup : await transformed(markup, record, transform);
  const whyInline =
    as !== 'sprite'
      ? undefined
      : transform === undefined
        ? whyNoSymbol(master)
        : 'is changed by `svg.transform`, which is given whole drawings';
  const isSymbol = as === 'sprite' && whyInline === undefined;
  const symbol = isSymbol ? renderSymbol(master, look) : undefined;
  const { height } = resolveSize(master, look.size);
  return {
    svg,
    master: transform === undefined ? master : undefined,
    symbol,
    whyInline,
    isTransformed: svg !== markup,
    losesCreditText: !keepsCreditText(svg, master.creditText),
    // The width follows from it, rounded.
    isResized: height !== String(master.height),
  };
}

/** The icon as pages of credits show it: in the colour of the text around it, in the size of a letter; a picture as it is. */
export function drawForCredits({ id }: IconRequest, source: IconSource): string {
  if (source.kind === 'svg') {
    const look = { id, color: 'currentColor', size: '1em', title: null, class: null };
    return renderSvg(source.master, { ...look, isFile: false });
  }
  if (source.kind === 'meta') return '';
  return `data:image/png;base64,${Buffer.from(source.bytes).toString('base64')}`;
}

function lookOf(request: IconRequest): Omit<RenderSvgOptions, 'isFile'> {
  const { id, color, size, title, class: className } = request;
  return { id, color: color ?? 'currentColor', size: size ?? '1em', title, class: className };
}

async function transformed(
  markup: string,
  record: IconRecord,
  transform: NonNullable<ResolvedOptions['svg']['transform']>,
): Promise<string> {
  const about = { icon: record.id, path: 'svg.transform', remedy: 'Correct `svg.transform`.' };
  let result: unknown;
  try {
    result = await transform(markup, record);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    const message = `\`svg.transform\` failed: ${said}`;
    throw new IconCatalogError('OPTIONS_INVALID', { ...about, message, cause });
  }
  if (typeof result === 'string') return result;
  const message = `\`svg.transform\` must return the markup as a string, not ${result === null ? 'null' : typeof result}.`;
  throw new IconCatalogError('OPTIONS_INVALID', { ...about, message });
}
