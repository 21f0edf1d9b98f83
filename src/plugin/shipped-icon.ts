import { Buffer } from 'node:buffer';
import type { Corridor } from '../corridor/create-corridor.ts';
import { creditOf, markupOf } from '../corridor/describe-icon.ts';
import { creditOfRecords, type FinishedModule } from '../corridor/finished-modules.ts';
import type { LoadContext } from '../corridor/load-icon.ts';
import { toValueId } from '../corridor/value-id.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { Credit, IconRequest } from '../types.ts';

export interface ShippedIcon {
  credit: Credit;
  /** Drawn only where it is shown: once an icon, however many variants of it ship. */
  draw(): Promise<string>;
}

/** What an icon that ships is credited as; `undefined` where it ships no artwork. */
export async function shippedIcon(
  wanted: IconRequest,
  { corridor, options }: LoadContext,
): Promise<ShippedIcon | undefined> {
  // A module of bare metadata ships no artwork.
  if (wanted.as === 'meta') return undefined;
  const finished = await corridor.finished();
  const valueId = toValueId(wanted.canonical);
  const kept = finished.get(valueId);
  const records = kept && (await finished.records(valueId));
  if (kept !== undefined && records !== undefined) {
    return {
      credit: creditOfRecords(records),
      draw: async () => plainMarkup(wanted, kept) ?? drawn(wanted, await corridor.source(wanted)),
    };
  }
  const [source, { siteUrl }] = await Promise.all([corridor.source(wanted), corridor.catalog()]);
  if (source.kind === 'meta') return undefined;
  // Only a credit drawn into the file may be lost on the way.
  const hasDrawnCredit = source.kind === 'svg' && source.master.creditText.length > 0;
  const markup = hasDrawnCredit ? await markupOf(wanted, source, options) : undefined;
  const credit = creditOf(wanted, source, { options, siteUrl, markup });
  corridor.warnAbout(credit);
  return {
    credit,
    draw: async () => drawn(wanted, source),
  };
}

/** Markup of a module that is drawn as the credits page draws it. */
function plainMarkup(
  { as, color, size, title, class: className }: IconRequest,
  { value }: FinishedModule,
): string | undefined {
  const isPlain =
    as === 'svg' &&
    color === 'currentColor' &&
    size === '1em' &&
    title === null &&
    className === null;
  return isPlain ? (JSON.parse(value) as string) : undefined;
}

function drawn(request: IconRequest, source: Awaited<ReturnType<Corridor['source']>>): string {
  if (source.kind === 'svg') {
    return renderSvg(source.master, {
      id: request.id,
      color: 'currentColor',
      size: '1em',
      title: null,
      class: null,
    });
  }
  if (source.kind === 'meta') return '';
  return `data:image/png;base64,${Buffer.from(source.bytes).toString('base64')}`;
}
