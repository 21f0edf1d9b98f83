import { computeChanges } from '../attribution/compute-changes.ts';
import { createCredit } from '../attribution/create-credit.ts';
import { findAssertion } from '../attribution/license-policy.ts';
import { IconCatalogError } from '../errors.ts';
import { attributionFileNames } from '../resolve-attribution.ts';
import type { ResolvedOptions } from '../resolve-options.ts';
import { keepsCreditText } from '../svg/credit-text.ts';
import { renderSvg } from '../svg/render-svg.ts';
import { folderPrefix } from '../server/folder-prefix.ts';
import type { Change, Credit, IconInfo, IconRecord, IconRequest, SvgMaster } from '../types.ts';
import type { IconSource } from './sources.ts';

/** `unseen`: the file is not on this machine, only what the lock says of the icon. */
export type CreditedSource = IconSource | { kind: 'unseen'; record: IconRecord };

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
  return svg.transform === undefined ? markup : transformed(markup, source.record, svg.transform);
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

/**
 * The credit of one shipped form of an icon. `siteUrl` is where permalinks lead; `markup` is that of an svg.
 * @throws IconCatalogError OPTIONS_INVALID where the project takes away a credit that is drawn into the file, and writes none
 */
export function creditOf(
  request: IconRequest,
  source: CreditedSource,
  {
    options,
    siteUrl,
    markup,
  }: { options: ResolvedOptions; siteUrl: string; markup?: string | undefined },
): Credit {
  const assertion = findAssertion(source.record.id, options.licenses.assert);
  const sha256 = 'sha256' in source ? source.sha256 : null;
  const creditTextRemoved = losesCreditText(source, markup);
  if (creditTextRemoved) refuseToDropCredit(source.record, options);
  const changes = changesOf(request, source, { options, creditTextRemoved });
  const { record } = source;
  const site = isOfFolder(record, options) ? NO_SITE : siteUrl;
  const { creditText: drawn, licenseNotices: fileNotices } =
    source.kind === 'svg' ? source.master : NOTHING_IN_FILE;
  const termsVersion = options.licenses.terms?.version;
  return createCredit({
    record,
    sha256,
    changes,
    siteUrl: site,
    assertion,
    termsVersion,
    drawn,
    fileNotices,
  });
}

const NOTHING_IN_FILE = { creditText: [], licenseNotices: [] };

function losesCreditText(source: CreditedSource, markup: string | undefined): boolean {
  return (
    source.kind === 'svg' &&
    markup !== undefined &&
    !keepsCreditText(markup, source.master.creditText)
  );
}

/** A notice may move into the attribution files; it may not vanish. */
function refuseToDropCredit({ id, term }: IconRecord, { attribution }: ResolvedOptions): void {
  if (attribution !== false && attributionFileNames(attribution).length > 0) return;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `Icon ${id} ("${term}") has its credit drawn into it, which \`svg.transform\` or \`svg.optimize\` takes away, and no attribution file is written that could hold it.`,
    remedy: 'Leave the text in the icon, or turn on an attribution file in `attribution`.',
    icon: id,
    path: 'attribution',
  });
}

/** Permalinks below it lead nowhere, and are left out of credits. */
const NO_SITE = 'urn:icon-catalog:folder';

/** Files of the project's own folders are no pages of the site that shows installed sets. */
function isOfFolder({ permalink }: IconRecord, { catalog }: ResolvedOptions): boolean {
  if (catalog.kind !== 'embedded') return false;
  return (catalog.embedded.folders ?? []).some((folder) =>
    permalink.startsWith(`/${folderPrefix(folder, catalog.embedded.root ?? '')}/`),
  );
}

/** What is done to a file of which nothing is known. */
const UNSEEN: Pick<SvgMaster, 'paint' | 'removedVisible' | 'creditText'> = {
  paint: 'sentinel',
  removedVisible: false,
  creditText: [],
};

function changesOf(
  request: IconRequest,
  source: CreditedSource,
  { options: { svg }, creditTextRemoved }: { options: ResolvedOptions; creditTextRemoved: boolean },
): Change[] {
  if (source.kind === 'meta') return [];
  const { filetype } = request;
  const nothing = {
    optimized: false,
    sanitizedVisible: false,
    transformed: false,
    creditTextRemoved,
  };
  if (filetype === 'png') {
    const recolored = request.color !== null;
    // The file ships as it came; its pixels and its colour are the service's work at our request.
    return computeChanges({
      ...nothing,
      filetype,
      recolored,
      resized: request.size !== null,
      rasterized: true,
    });
  }
  const { paint, removedVisible, creditText } = source.kind === 'svg' ? source.master : UNSEEN;
  return computeChanges({
    ...nothing,
    filetype,
    recolored: request.color !== 'original' && !(source.kind === 'svg' && source.unpainted),
    recoloredBy: paint === 'fixed' ? 'service' : 'plugin',
    resized: true,
    optimized: svg.optimize !== false,
    sanitizedVisible: removedVisible,
    transformed: svg.transform !== undefined,
    creditText,
    // Files that stand alone say whose they are.
    metadataAdded: request.as === 'url',
    rasterized: false,
  });
}

export function infoOf({
  id,
  term,
  creator,
  license_description,
  permalink,
}: IconRecord): IconInfo {
  return { id, term, creator, license_description, permalink };
}
