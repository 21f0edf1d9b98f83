import { creditedIcon, drawingOf } from '../corridor/credited-icon.ts';
import { creditOfRecords, type FinishedModule } from '../corridor/finished-modules.ts';
import type { LoadContext } from '../corridor/load-icon.ts';
import { toValueId } from '../corridor/value-id.ts';
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
      draw: async () =>
        plainMarkup(wanted, kept) ?? drawingOf(wanted, await corridor.source(wanted)),
    };
  }
  const found = await creditedIcon(wanted, { corridor, options });
  return found && { credit: found.credit, draw: async () => found.draw() };
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
