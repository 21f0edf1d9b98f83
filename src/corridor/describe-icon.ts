import { computeChanges } from '../attribution/compute-changes.ts';
import { createCredit } from '../attribution/create-credit.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { Credit, IconInfo, IconRecord, IconRequest } from '../types.ts';
import type { IconSource } from './sources.ts';

/** The markup of an svg request, the project's own transform included. */
export async function markupOf(
  request: IconRequest,
  source: Extract<IconSource, { kind: 'svg' }>,
  { svg }: ResolvedOptions,
): Promise<string> {
  const { id, size, title } = request;
  const markup = renderSvg(source.master, {
    id,
    color: request.color ?? 'currentColor',
    size: size ?? '1em',
    title,
    class: request.class,
  });
  return svg.transform === undefined ? markup : svg.transform(markup, source.record);
}

/** The credit of one shipped form of an icon. `siteUrl` is where permalinks lead. */
export function creditOf(
  request: IconRequest,
  source: Exclude<IconSource, { kind: 'meta' }>,
  { options, siteUrl }: { options: ResolvedOptions; siteUrl: string },
): Credit {
  const svg = source.kind === 'svg' ? source.master : undefined;
  const changes = computeChanges({
    filetype: request.filetype,
    recolored: svg ? svg.paint !== 'fixed' : false,
    recoloredByService: svg ? svg.paint === 'fixed' : request.color !== null,
    resized: svg !== undefined || request.size !== null,
    optimized: svg !== undefined && options.svg.optimize !== false,
    sanitizedVisible: svg?.removedVisible ?? false,
    transformed: svg !== undefined && options.svg.transform !== undefined,
    creditTextRemoved: false,
    rasterized: svg === undefined,
  });
  const assertion = options.licenses.assert[source.record.id];
  return createCredit({ record: source.record, sha256: source.sha256, changes, siteUrl, assertion });
}

export function infoOf({ id, term, creator, license_description, permalink }: IconRecord): IconInfo {
  return { id, term, creator, license_description, permalink };
}
