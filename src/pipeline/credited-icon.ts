import { Buffer } from 'node:buffer';
import { renderSvg } from '../svg/render-svg.ts';
import type { Credit, IconRequest } from '../types.ts';
import { creditOf, markupOf } from './credits.ts';
import type { LoadContext } from './load.ts';
import type { IconSource } from './sources.ts';

export interface CreditedIcon {
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
  { pipeline, options }: LoadContext,
): Promise<CreditedIcon | undefined> {
  const source = await pipeline.source(request);
  const { siteUrl } = (await pipeline.open()).catalog;
  if (source.kind === 'meta') return undefined;
  // The markup shows whether a credit that is drawn into the file was lost, and what the project's own transform did.
  const isAsked =
    source.kind === 'svg' &&
    (source.master.creditText.length > 0 || options.svg.transform !== undefined);
  const markup = isAsked ? await markupOf(request, source, options) : undefined;
  const credit = creditOf(request, source, { options, siteUrl, markup });
  pipeline.warnAbout(credit);
  return { credit, draw: () => drawingOf(request, source) };
}

/** The icon in the colour of the text around it, in the size of a letter; a picture as it is. */
export function drawingOf({ id }: IconRequest, source: IconSource): string {
  if (source.kind === 'svg') {
    return renderSvg(source.master, {
      id,
      color: 'currentColor',
      size: '1em',
      title: null,
      class: null,
      isFile: false,
    });
  }
  if (source.kind === 'meta') return '';
  return `data:image/png;base64,${Buffer.from(source.bytes).toString('base64')}`;
}
