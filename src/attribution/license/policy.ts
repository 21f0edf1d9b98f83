import { IconCatalogError } from '../../errors.ts';
import type { Credit, IconRecord } from '../../types.ts';
import { findContradiction, type Contradiction } from './contradiction.ts';
import { findConditions, findLicense, nearestSpdxId } from './list.ts';
import {
  CATALOG_ATTRIBUTION,
  CATALOG_PUBLIC_DOMAIN,
  resolveLicense,
  type LicenseAssertion,
  type ResolvedLicense,
} from './resolve-license.ts';
import { toPlainLine } from '../../untrusted.ts';

export interface LicensePolicy {
  /** Values of `license_description`, or SPDX identifiers of asserted licences, that may ship; `undefined`: all that are known. */
  allow?: readonly string[] | undefined;
  unknown: 'error' | 'warn';
  /** By icon id, `collection:<id>` or value of `license_description`; the first of these that is there counts. */
  assert: Readonly<Record<string, LicenseAssertion>>;
  /** What the catalog’s terms state for all its icons. */
  terms?: { version: string } | undefined;
}

type AssertedRecord = Pick<IconRecord, 'id' | 'collections' | 'license_description'>;

/**
 * Compares what the credit text and the file say about the licence with the record. An assertion of the project settles it.
 * @param notices what the file itself says: drawn credit text, metadata
 * @returns a warning in one sentence, where a text names another licence
 * @throws IconCatalogError `LICENSE_UNKNOWN` where the text is the stricter one, unless `licenses.unknown` is `'warn'`
 */
export function checkStatements(
  record: IconRecord,
  policy: LicensePolicy,
  notices: readonly string[] = [],
): string | undefined {
  if (findAssertion(record, policy.assert) !== undefined) return undefined;
  const found = findContradiction(record, notices);
  if (found === undefined) return undefined;
  const message = describeContradiction(record, found);
  if (found.stricter.length === 0 || policy.unknown === 'warn') return message;
  throw new IconCatalogError('LICENSE_UNKNOWN', {
    message,
    icon: record.id,
    path: found.source === 'file' ? undefined : 'attribution',
    remedy: assertionRemedy(record),
  });
}

/** One sentence with the words of both sides. */
function describeContradiction(
  record: Pick<IconRecord, 'id' | 'term'>,
  { declared, words, source, stricter }: Contradiction,
): string {
  const where = source === 'file' ? 'its file' : 'its credit text';
  const more = stricter.length === 0 ? '' : `, which is stricter (${stricter.join(', ')})`;
  return `The catalog says “${toPlainLine(declared)}” for ${nameIcon(record)}, but ${where} says “${toPlainLine(words)}”${more}.`;
}

/**
 * Decides whether an icon's licence lets it ship.
 * @returns a warning in one sentence about an unknown licence whose icon ships all the same
 * @throws IconCatalogError `LICENSE_UNKNOWN`, `LICENSE_REFUSED`, or `OPTIONS_INVALID` for an assertion that proves nothing
 */
export function checkLicense(record: IconRecord, policy: LicensePolicy): string | undefined {
  const assertion = findAssertion(record, policy.assert);
  const resolved = resolveLicense({ record, assertion, termsVersion: policy.terms?.version });
  if (resolved.license.status === 'unknown' && policy.unknown === 'error') {
    throw new IconCatalogError('LICENSE_UNKNOWN', {
      message: describeUnknown(record),
      icon: record.id,
      path: 'license_description',
      remedy: assertionRemedy(record),
    });
  }
  if (policy.allow !== undefined && !isAllowed(resolved, policy.allow)) {
    throw refusedLicense(record, resolved.license, policy.allow);
  }
  return resolved.license.status === 'unknown'
    ? `${describeUnknown(record)} It ships because licenses.unknown is 'warn'.`
    : undefined;
}

/**
 * A warning if a licence forbids to share changed copies and the output holds one; `undefined` otherwise.
 * Changes of the file's encoding are not adaptations.
 */
export function checkChanges({ id, title, license, changes }: Credit): string | undefined {
  if (findLicense(license.spdx)?.noDerivatives !== true) return undefined;
  const visible = changes.filter((change) => change.visible).map((change) => change.summary);
  if (visible.length === 0) return undefined;
  return `Icon ${id}${title === null ? '' : ` “${toPlainLine(title)}”`} is under ${license.name}, which forbids to share changed copies, and is ${visible.join(', ')}.`;
}

/** What the licence asks of the project, unless `licenses.allow` names it: `CC-BY-SA-4.0 (the same licence …)`. */
export function unacceptedConditions(
  { spdx }: Pick<Credit['license'], 'spdx'>,
  allow: LicensePolicy['allow'],
): string | undefined {
  if (allow?.includes(spdx) === true) return undefined;
  const conditions = findConditions(spdx);
  return conditions === undefined ? undefined : `${spdx} (${conditions})`;
}

/** The project's own statement about an icon, or about its collection, or about what the catalog says of it; checked. */
export function findAssertion(
  { id, collections, license_description }: AssertedRecord,
  assertions: Readonly<Record<string, LicenseAssertion>>,
): LicenseAssertion | undefined {
  const keys = [id, ...collections.map((one) => `collection:${one.id}`), license_description];
  const [key, ...others] = keys.filter((one) => Object.hasOwn(assertions, one));
  const assertion = key === undefined ? undefined : assertions[key];
  if (key === undefined || assertion === undefined) return undefined;
  const other = others.find(
    (one) =>
      key !== id && one.startsWith('collection:') && assertions[one]?.license !== assertion.license,
  );
  if (other !== undefined) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `Icon ${id} is in two collections, of which \`licenses.assert\` says different things: ${key} and ${other}.`,
      remedy: 'Say in `licenses.assert` what holds for the icon itself, under its id.',
      icon: id,
      path: `licenses.assert.${key}`,
    });
  }
  const about = key === id ? `icon ${id}` : JSON.stringify(key);
  for (const field of ['license', 'by', 'evidence'] as const) {
    if (typeof assertion[field] === 'string' && assertion[field].trim() !== '') continue;
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `licenses.assert for ${about} has no \`${field}\`: an assertion says which licence it is, who found it out and where that can be seen.`,
      icon: id,
      path: `licenses.assert.${key}.${field}`,
    });
  }
  const { license } = assertion;
  if (findLicense(license) === undefined && !/^LicenseRef-[A-Za-z0-9.-]+$/.test(license)) {
    const nearest = nearestSpdxId(license);
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `licenses.assert for ${about} says “${toPlainLine(license)}”, which is neither an SPDX licence identifier nor a \`LicenseRef-…\`${nearest === undefined ? '' : `; nearest: ${nearest}`}.`,
      icon: id,
      path: `licenses.assert.${key}.license`,
    });
  }
  return assertion;
}

/** An asserted licence is judged by its own identifier; the catalog's word counts only where the assertion keeps its meaning. */
function isAllowed({ license }: ResolvedLicense, allow: readonly string[]): boolean {
  if (allow.includes(license.spdx)) return true;
  if (license.declared === null || !allow.includes(license.declared)) return false;
  return license.versionBasis !== 'project-assertion' || license.status !== 'separately-licensed';
}

function assertionRemedy({ id }: IconRecord): string {
  return `Find out the icon's licence and say so in \`licenses: { assert: { ${JSON.stringify(id)}: { license: 'an SPDX identifier', by: 'who found it out', evidence: 'where it can be seen' } } }\`; or set \`licenses.unknown: 'warn'\`; or choose another icon.`;
}

function describeUnknown(record: IconRecord): string {
  const declared = toPlainLine(record.license_description);
  if (declared === '') return `The catalog states no licence for ${nameIcon(record)}.`;
  const nearest = nearestSpdxId(declared);
  const hint =
    nearest === undefined
      ? ''
      : ` It resembles ${nearest}, but is not that identifier, and is not taken for it.`;
  return `The licence of ${nameIcon(record)} is not known: the catalog says “${declared}”, which is neither ${CATALOG_ATTRIBUTION}, ${CATALOG_PUBLIC_DOMAIN} nor an SPDX identifier.${hint}`;
}

function refusedLicense(
  record: IconRecord,
  license: ResolvedLicense['license'],
  allow: readonly string[],
): IconCatalogError {
  const allowed = allow.length === 0 ? 'nothing' : allow.join(', ');
  const value =
    license.versionBasis === 'project-assertion'
      ? license.spdx
      : toPlainLine(license.declared ?? '');
  return new IconCatalogError('LICENSE_REFUSED', {
    message: `The licence of ${nameIcon(record)} is “${value}” (${toPlainLine(license.name)}), which \`licenses.allow\` does not list. Allowed: ${allowed}.`,
    icon: record.id,
    path: 'license_description',
  });
}

function nameIcon({ id, term }: Pick<IconRecord, 'id' | 'term'>): string {
  const title = toPlainLine(term);
  return title === '' ? `icon ${id}` : `icon ${id} “${title}”`;
}
