import type { CreditLicense, ManifestIcon } from '../../types.ts';
import { NO_FILE_SHA256 } from '../credit/create-credit.ts';
import { toPlainLine } from '../plain-text.ts';

/** What SPDX and CycloneDX say alike. */

/** Name of an icon where one has to be given. */
export function nameInBill({ id, title }: Pick<ManifestIcon, 'id' | 'title'>): string {
  return toPlainLine(title ?? '') || `icon ${toPlainLine(id)}`;
}

/** The credit, and whatever the catalog and the file say of it themselves. */
export function creditTexts({
  line,
  requested,
  drawn = [],
  notices = [],
}: ManifestIcon['credit']): string[] {
  const texts = new Set([line, requested ?? '', ...drawn, ...notices]);
  return [...texts].filter((text) => text.trim() !== '');
}

/** Digest of the file as the catalog sent it; `undefined` where none was downloaded. */
export function sourceDigest({ source }: Pick<ManifestIcon, 'source'>): string | undefined {
  return source.sha256 === NO_FILE_SHA256 ? undefined : source.sha256;
}

/** The catalog numbers no versions of a drawing: what tells two apart is the digest of the file. */
export function versionOf(digest: string): string {
  return `sha256-${digest.slice(0, 16)}`;
}

/** True if the licence is the project's own finding and not what the catalog says. */
export function isAsserted({ versionBasis }: CreditLicense): boolean {
  return versionBasis === 'project-assertion';
}

/** On what ground a licence is given, in a sentence or two. */
export function explainLicense(license: CreditLicense): string {
  const declared = toPlainLine(license.declared ?? '');
  const said =
    declared === '' ? 'The catalog states no licence.' : `The catalog's record says “${declared}”.`;
  return [said, GROUNDS[license.versionBasis](license)].filter((part) => part !== '').join(' ');
}

const GROUNDS: Record<CreditLicense['versionBasis'], (license: CreditLicense) => string> = {
  'not-stated': ({ status }) => (status === 'attribution' ? 'It states no version.' : ''),
  'credit-text': () => "The version is that of the catalog's credit text.",
  'source-file': () => 'The version is that of the file itself.',
  'catalog-terms': () => "The version is that of the catalog's terms.",
  'project-assertion': ({ assertion }) =>
    `Found out by ${toPlainLine(assertion?.by ?? '')}: ${toPlainLine(assertion?.evidence ?? '')}.`,
  spdx: () => '',
};
