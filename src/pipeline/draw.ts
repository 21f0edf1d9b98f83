import { Buffer } from 'node:buffer';
import { IconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import {
  renderSvg,
  type RenderSvgOptions,
  renderSymbol,
  resolveSize,
  whyNoSymbol,
} from '../svg/render-svg.ts';
import { keepsCreditText } from '../svg/text.ts';
import type { IconRecord, IconRequest, SvgMaster, SvgSymbol } from '../types.ts';
import type { IconSource } from './sources.ts';

/** One variant of an icon as it ships, and what was done to it. */
export interface Drawing {
  /** Markup of an svg: for a page, or with `as=url` and `as=data` the file. */
  svg: string;
  /** What `svg` was rendered from; `undefined` if the project's own transform ran since. */
  master: SvgMaster | undefined;
  /** The icon as a symbol of the sprite file, if it is asked for as one and can be one. */
  symbol: SvgSymbol | undefined;
  /** Why it cannot be one, although it is asked for. */
  whyInline: string | undefined;
  /** `svg.transform` returned other markup than it was given. */
  isTransformed: boolean;
  /** A credit that is drawn into the file is not in `svg` any more. */
  losesCreditText: boolean;
  /** The file does not have that size itself. */
  isResized: boolean;
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
