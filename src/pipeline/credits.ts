import { composeLine, computeChanges, createCredit } from '../attribution/credit/create-credit.ts';
import { findAssertion } from '../attribution/license/policy.ts';
import { IconCatalogError } from '../errors.ts';
import { licenseTextDigest } from '../license-text.ts';
import { attributionFileNames } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { folderPrefix } from '../server/words.ts';
import { renderSvg, resolveSize } from '../svg/render-svg.ts';
import { keepsCreditText } from '../svg/text.ts';
import type { Change, Credit, IconInfo, IconRecord, IconRequest, SvgMaster } from '../types.ts';
import { siteOfRecord } from './catalog-identity.ts';
import { createShare, type IconLock } from './lock.ts';
import type { IconSource } from './sources.ts';

/** `unseen`: the file is not on this machine, only what the lock says of the icon. */
export type CreditedSource = IconSource | { kind: 'unseen'; record: IconRecord };

/** The markup of an svg request, the project's own transform included. */
export async function markupOf(
  request: IconRequest,
  source: Extract<IconSource, { kind: 'svg' }>,
  { svg }: ResolvedOptions,
): Promise<string> {
  const markup = plainMarkup(request, source.master);
  return svg.transform === undefined ? markup : transformed(markup, source.record, svg.transform);
}

function plainMarkup(request: IconRequest, master: SvgMaster): string {
  const { id, as, size, title } = request;
  return renderSvg(master, {
    id,
    color: request.color ?? 'currentColor',
    size: size ?? '1em',
    title,
    class: request.class,
    isFile: as === 'url' || as === 'data',
  });
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
 * @throws IconCatalogError OPTIONS_INVALID if the project removes a credit that is drawn into the file, and writes none
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
  const assertion = findAssertion(source.record, options.licenses.assert);
  const sha256 = 'sha256' in source ? source.sha256 : null;
  const creditTextRemoved = losesCreditText(source, markup);
  if (creditTextRemoved) refuseToDropCredit(source.record, options);
  const changes = changesOf(request, source, { options, markup, creditTextRemoved });
  const { record } = source;
  const site = isOfFolder(record, options) ? NO_SITE : siteOfRecord(record, siteUrl);
  const { creditText: drawn, notices } = source.kind === 'svg' ? source.master : NOTHING_IN_FILE;
  const termsVersion = options.licenses.terms?.version;
  return createCredit({
    record,
    sha256,
    changes,
    siteUrl: site,
    assertion,
    termsVersion,
    drawn,
    notices,
  });
}

const NOTHING_IN_FILE = { creditText: [], notices: [] };

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
    message: `Icon ${id} ("${term}") has its credit drawn into it, which \`svg.transform\` or \`svg.optimize\` removes, and no attribution file is written that could hold it.`,
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

/** The texts of licences that credits refer to, by their digests, as the lock has them. */
export async function licenseTexts(
  credits: readonly Pick<Credit, 'id' | 'license'>[],
  iconLock: Pick<IconLock, 'open' | 'record'>,
): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { id, license } of credits) {
    if (license.text === undefined || Object.hasOwn(texts, license.text)) continue;
    await iconLock.open();
    const text = iconLock.record(Number(id))?.license_text;
    if (text !== undefined && licenseTextDigest(text) === license.text) texts[license.text] = text;
  }
  return texts;
}

/** What is done to a file of which nothing is known. */
const UNSEEN: Pick<SvgMaster, 'paint' | 'removed' | 'removedVisible' | 'creditText'> = {
  paint: 'sentinel',
  removed: {},
  removedVisible: false,
  creditText: [],
};

function changesOf(
  request: IconRequest,
  source: CreditedSource,
  {
    options: { svg },
    markup,
    creditTextRemoved,
  }: { options: ResolvedOptions; markup: string | undefined; creditTextRemoved: boolean },
): Change[] {
  if (source.kind === 'meta') return [];
  const { filetype } = request;
  const { own_color } = source.record;
  const nothing = {
    optimized: false,
    sanitizedVisible: false,
    transformed: false,
    creditTextRemoved,
  };
  if (filetype === 'png') {
    // The file was never seen in another colour: without a request a catalog draws in the icon's own colours, or in black.
    const recolored =
      request.color !== null && own_color !== 'several' && request.color !== (own_color ?? BLACK);
    // The file ships as it came; its pixels and its colour are the service's work at our request.
    return computeChanges({
      ...nothing,
      filetype,
      recolored,
      resized: request.size !== null,
      rasterized: true,
    });
  }
  const master = source.kind === 'svg' ? source.master : UNSEEN;
  const { paint, removedVisible, creditText, removed } = master;
  const tone = source.kind === 'svg' ? source.master.tone?.slice(1) : undefined;
  // Of a file that the catalog has painted only the record knows the colour before.
  const isItsColor = request.color === (paint === 'sentinel' ? (own_color ?? tone) : tone);
  return computeChanges({
    ...nothing,
    filetype,
    recolored:
      request.color !== 'original' && !isItsColor && !(source.kind === 'svg' && source.unpainted),
    recoloredBy: paint === 'fixed' ? 'service' : 'plugin',
    resized: !(source.kind === 'svg' && hasSize(source.master, request.size)),
    optimized: svg.optimize !== false,
    sanitizedVisible: removedVisible,
    // What returns the markup as it was given has changed nothing.
    transformed:
      svg.transform !== undefined &&
      !(source.kind === 'svg' && markup === plainMarkup(request, source.master)),
    animationRemoved: (removed['animation'] ?? 0) > 0,
    creditText,
    // Files that stand alone say whose they are.
    metadataAdded: request.as === 'url',
    rasterized: false,
  });
}

const BLACK = '000000';

/** True if the file has that size already. */
function hasSize(master: SvgMaster, asked: string | null): boolean {
  const { width, height } = resolveSize(master, asked ?? '1em');
  return width === String(master.width) && height === String(master.height);
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

/** Credits of thousands of icons. What goes in and what comes out are the caller's, to do with as it likes. */
export interface CreditList {
  /** The first of an icon counts. */
  add(credit: Credit): void;
  /** One a distinct icon, sorted by id as the catalog writes it. */
  all(): Credit[];
}

/** A credit without its line, a third of its text, which is made of the rest. */
type Kept = Omit<Credit, 'credit'> & { credit: Omit<Credit['credit'], 'line'> };

/** Holds what icons have in common once. */
export function createCreditList(): CreditList {
  const kept = new Map<string, Kept>();
  const share = createShare();

  return {
    add({ id, title, creator, credit, source, license, changes, collections }) {
      if (kept.has(id)) return;
      const { requested, required, drawn, notices } = credit;
      // Field by field: objects made by spreading one are described by V8 one by one.
      kept.set(id, {
        id,
        title,
        creator: share(creator),
        credit:
          (drawn ?? notices) === undefined
            ? { requested, required }
            : {
                requested,
                required,
                ...(drawn && { drawn: [...drawn] }),
                ...(notices && { notices: share(notices) }),
              },
        source: { url: source.url, sha256: source.sha256 },
        license: share(license),
        changes: share(changes),
        collections: share(collections),
      });
    },
    all: () => structuredClone([...kept.values()].map(whole)).toSorted(byId),
  };
}

/** In the order of fields that every credit has. */
function whole({ credit: { requested, ...said }, ...parts }: Kept): Credit {
  const { id, title, creator, source, license, changes, collections } = parts;
  const credit = { requested, line: composeLine(parts), ...said };
  return { id, title, creator, credit, source, license, changes, collections };
}

function byId(a: Credit, b: Credit): number {
  return a.id < b.id ? -1 : 1;
}
