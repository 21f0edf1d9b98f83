import type { EmitSymbol } from '../emit/emit-module.ts';
import { renderSymbol, whyNoSymbol } from '../svg/render-symbol.ts';
import type { IconRequest } from '../types.ts';
import type { LoadContext } from './load-icon.ts';
import type { IconSource } from './sources.ts';

/** The icon as a symbol of the sprite file; `undefined` where it is not asked for as one, or must stay in the page, which is then said. */
export function symbolOf(
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
