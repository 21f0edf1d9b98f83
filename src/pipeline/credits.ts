import {
  composeLine,
  computeChanges,
  createCredit,
  type PipelineFacts,
} from '../attribution/credit/create-credit.ts';
import { findAssertion } from '../attribution/license/policy.ts';
import { IconCatalogError } from '../errors.ts';
import { textDigest } from '../store/hash.ts';
import { attributionFileNames } from '../options/resolve-attribution.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { folderPrefix } from '../server/words.ts';
import type { Credit, IconInfo, IconRecord, IconRequest, SvgMaster, SvgSymbol } from '../types.ts';
import { siteOfRecord } from './connection.ts';
import { createShare, type IconLock } from './lock.ts';
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

/** `unseen`: the file is not on this machine, only what the lock says of the icon. */
type CreditedSource = IconSource | { kind: 'unseen'; record: IconRecord };

/** An icon's variant with its drawing, if it was drawn. */
interface Credited {
  request: IconRequest;
  source: CreditedSource;
  drawing?: Drawing | undefined;
}

/**
 * The credit of one shipped form of an icon. `siteUrl` is where permalinks lead.
 * @throws IconCatalogError OPTIONS_INVALID if the project removes a credit that is drawn into the file, and writes none
 */
export function creditOf(
  { request, source, drawing }: Credited,
  { options, siteUrl }: { options: ResolvedOptions; siteUrl: string },
): Credit {
  const { record } = source;
  const site = isOfFolder(record, options) ? NO_SITE : siteOfRecord(record, siteUrl);
  const { creditText: drawn, notices } = source.kind === 'svg' ? source.master : NOTHING_IN_FILE;
  if (drawing?.losesCreditText === true) refuseToDropCredit(record, options);
  const facts = factsOf({ request, source, drawing }, options);
  const changes = facts === undefined ? [] : computeChanges(facts);
  return createCredit({
    record,
    sha256: 'sha256' in source ? source.sha256 : null,
    changes,
    siteUrl: site,
    assertion: findAssertion(record, options.licenses.assert),
    termsVersion: options.licenses.terms?.version,
    drawn,
    notices,
  });
}

const NOTHING_IN_FILE = { creditText: [], notices: [] };

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
    if (text !== undefined && textDigest(text) === license.text) texts[license.text] = text;
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

/** What was done to the file; `undefined` if none ships. */
function factsOf(
  { request, source, drawing }: Credited,
  { svg }: ResolvedOptions,
): PipelineFacts | undefined {
  if (source.kind === 'meta') return undefined;
  const { filetype } = request;
  const { own_color } = source.record;
  if (filetype === 'png') {
    return {
      filetype,
      // The file was never seen in another colour: without a request a catalog draws in the icon's own colours, or in black.
      recolored:
        request.color !== null && own_color !== 'several' && request.color !== (own_color ?? BLACK),
      // A drawing has no size in pixels before it is rasterised.
      resized: false,
      // The file ships as it came; its pixels and its colour are the service's work at our request.
      rasterized: true,
      optimized: false,
      sanitizedVisible: false,
      transformed: false,
      creditTextRemoved: false,
    };
  }
  const master = source.kind === 'svg' ? source.master : UNSEEN;
  const { paint, removedVisible, creditText, removed } = master;
  const tone = source.kind === 'svg' ? source.master.tone?.slice(1) : undefined;
  // Of a file that the catalog has painted only the record knows the colour before.
  const isItsColor = request.color === (paint === 'sentinel' ? (own_color ?? tone) : tone);
  return {
    filetype,
    recolored:
      request.color !== 'original' && !isItsColor && !(source.kind === 'svg' && source.unpainted),
    recoloredBy: paint === 'fixed' ? 'service' : 'plugin',
    resized: drawing?.isResized ?? true,
    optimized: svg.optimize !== false,
    sanitizedVisible: removedVisible,
    // What returns the markup as it was given has changed nothing.
    transformed: drawing?.isTransformed ?? svg.transform !== undefined,
    animationRemoved: (removed['animation'] ?? 0) > 0,
    creditText,
    creditTextRemoved: drawing?.losesCreditText ?? false,
    // Files that stand alone say whose they are.
    metadataAdded: request.as === 'url',
    rasterized: false,
  };
}

const BLACK = '000000';

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
interface CreditList {
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
