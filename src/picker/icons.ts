import { licenseLabel } from '../attribution/credit/describe-credit.ts';
import { findConditions } from '../attribution/license/list.ts';
import { checkLicense, checkStatements, findAssertion } from '../attribution/license/policy.ts';
import { resolveLicense } from '../attribution/license/resolve-license.ts';
import { isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { creditOf } from '../pipeline/credits.ts';
import { parseRequest } from '../request/parse-request.ts';
import { nameOfRecord } from '../request/reference.ts';
import type { IconRecord } from '../types.ts';
import type { PickerIcon } from './api.ts';

export interface IconContext {
  options: ResolvedOptions;
  /** Where permalinks of records lead. */
  siteUrl: string;
  aliases: ReadonlyMap<string, readonly string[]>;
  pinned: ReadonlySet<string>;
  uses: ReadonlyMap<string, PickerIcon['uses']>;
  /** Credit lines of icons whose files are on this machine. */
  credits?: ReadonlyMap<string, string>;
}

export type IconPlace = Pick<PickerIcon, 'local'> & Pick<PickerIcon, 'thumb' | 'thumbExpired'>;

/** The longest name or tag that the page gets, in characters. */
const LONGEST = 300;
const MOST_TAGS = 40;

/** A record as the page shows it. Texts stay untrusted. */
export function toPickerIcon(
  record: IconRecord,
  place: IconPlace,
  { options, siteUrl, aliases, pinned, uses, credits }: IconContext,
): PickerIcon {
  const { id, creator, styles } = record;
  const lineWeight = styles.find(({ line_weight }) => line_weight !== undefined)?.line_weight;
  const credited = describeCredit(record, { options, siteUrl });
  return {
    id,
    name: (options.catalog.kind === 'embedded' ? nameOfRecord(record) : undefined) ?? id,
    term: cut(record.term),
    ...(creator.name !== '' && {
      creator: { name: cut(creator.name), ...(credited.author && { url: credited.author }) },
    }),
    collections: record.collections.map((one) => ({ id: one.id, name: cut(one.name) })),
    tags: record.tags.slice(0, MOST_TAGS).map(cut),
    styles: [...new Set(styles.map(({ style }) => style))],
    ...(lineWeight !== undefined && { lineWeight }),
    license: describeLicense(record, options),
    credit: credits?.get(id) ?? credited.line,
    ...(credited.page && { url: credited.page }),
    aliases: [...(aliases.get(id) ?? [])],
    pinned: pinned.has(id),
    uses: [...(uses.get(id) ?? [])],
    ...place,
  };
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** The credit of the usual import of an icon, as a build writes it. */
function describeCredit(
  record: IconRecord,
  { options, siteUrl }: Pick<IconContext, 'options' | 'siteUrl'>,
): { line: string; author: string | null; page: string | null } {
  const context = { ...options, framework: undefined };
  const request = parseRequest(`icon:${record.id}`, context);
  const { credit, creator, source } = creditOf(
    { request, source: { kind: 'unseen', record } },
    { options, siteUrl },
  );
  return { line: credit.line, author: creator.url, page: source.url };
}

export function describeLicense(
  record: IconRecord,
  { licenses }: Pick<ResolvedOptions, 'licenses'>,
): PickerIcon['license'] {
  const assertion = findAssertion(record, licenses.assert);
  const { license, creditRequired } = resolveLicense({
    record,
    assertion,
    termsVersion: licenses.terms?.version,
  });
  return {
    description: cut(record.license_description),
    label: cut(licenseLabel(license)),
    ...(license.url !== null && { url: license.url }),
    asks: describeDemands(license, creditRequired),
    requiresCredit: creditRequired,
    ...judge(record, licenses),
  };
}

function judge(
  record: IconRecord,
  policy: ResolvedOptions['licenses'],
): Pick<PickerIcon['license'], 'verdict' | 'reason'> {
  try {
    const reason = checkLicense(record, policy) ?? checkStatements(record, policy);
    return reason === undefined ? { verdict: 'allowed' } : { verdict: 'warned', reason };
  } catch (error) {
    if (!isIconCatalogError(error)) throw error;
    return { verdict: 'refused', reason: error.reason };
  }
}

function describeDemands(
  { status, spdx }: { status: string; spdx: string },
  creditRequired: boolean,
): string {
  if (status === 'unknown') return 'The licence is not known, so what it asks for is not known.';
  const conditions = findConditions(spdx);
  const more = conditions === undefined ? '' : ` It also asks for ${conditions}.`;
  if (!creditRequired) return `No credit is required.${more}`;
  return `The creator must be credited; builds write the credit.${more}`;
}

export function describePolicy({ licenses }: Pick<ResolvedOptions, 'licenses'>): string {
  const allowed =
    licenses.allow === undefined
      ? 'All known licences are allowed'
      : `These licences are allowed: ${licenses.allow.join(', ') || 'none'}`;
  const unknown =
    licenses.unknown === 'warn'
      ? 'an unknown licence is a warning'
      : 'an unknown licence is an error';
  return `${allowed}; ${unknown}.`;
}
