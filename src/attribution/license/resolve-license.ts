import type { CreditLicense, IconRecord } from '../../types.ts';
import { findLicense, type LicenseFacts } from './list.ts';
import { sha256Hex } from '../../store/hash.ts';

/** What a project found out about an icon's licence, as `licenses.assert` holds it. */
export type LicenseAssertion = { license: string } & NonNullable<CreditLicense['assertion']>;

export interface LicenseSources {
  record: Pick<IconRecord, 'term' | 'attribution' | 'creator' | 'license_description'>;
  /** Outranks everything that the catalog says. */
  assertion?: LicenseAssertion | undefined;
  /** Version of CC BY that the catalog's terms state for all its icons. */
  termsVersion?: string | undefined;
  /** What the file itself says of its licence: drawn credit text, comments, metadata. */
  fileNotices?: readonly string[] | undefined;
}

export interface ResolvedLicense {
  license: CreditLicense;
  creditRequired: boolean;
  noDerivatives: boolean;
}

/** Words of the interface for the two licences that it names. */
export const CATALOG_ATTRIBUTION = 'creative-commons-attribution';
export const CATALOG_PUBLIC_DOMAIN = 'public-domain';
/** What the embedded catalog says of drawings in a folder of the project that states no licence for them. */
export const PROJECT_FILE = 'project-file';

/** What holds unless a licence is known to say something else. */
const USUAL = { creditRequired: true, noDerivatives: false } as const;
const NOT_STATED = { version: null, versionBasis: 'not-stated', url: null } as const;

/**
 * The licence of an icon as far as it is known, and on what ground.
 * Order of grounds: project assertion, catalog terms, credit text, the file; nothing is ever filled in from habit.
 */
export function resolveLicense({
  record,
  assertion,
  termsVersion,
  fileNotices = [],
}: LicenseSources): ResolvedLicense {
  const declared = record.license_description;
  if (assertion !== undefined) return resolveAsserted(declared, assertion);
  if (declared === CATALOG_ATTRIBUTION)
    return resolveAttribution({ record, termsVersion, fileNotices });
  if (declared === CATALOG_PUBLIC_DOMAIN) {
    const name = 'Public domain, as stated by the catalog';
    const spdx = 'LicenseRef-catalog-public-domain';
    const license = { declared, status: 'public-domain', name, spdx, ...NOT_STATED } as const;
    return { license, creditRequired: false, noDerivatives: false };
  }
  if (declared === PROJECT_FILE) {
    const name = 'File of this project, which states no licence for it';
    const spdx = 'LicenseRef-project-file';
    const assertion = { by: 'this project', evidence: '`catalog.embedded.folders`' };
    const status = 'separately-licensed';
    const license = { declared, status, name, spdx, ...NOT_STATED, assertion } as const;
    return { license, creditRequired: false, noDerivatives: false };
  }
  const facts = findLicense(declared);
  if (facts !== undefined) {
    const { name, spdx, version, url, creditRequired, noDerivatives } = facts;
    const versionBasis = 'spdx';
    const license = { declared, status: 'spdx', name, spdx, version, versionBasis, url } as const;
    return { license, creditRequired, noDerivatives };
  }
  const license: CreditLicense = {
    declared,
    status: 'unknown',
    name:
      declared.trim() === ''
        ? 'Licence not stated by the catalog'
        : `Unknown licence, called “${declared}” by the catalog`,
    spdx: declared.trim() === '' ? 'NOASSERTION' : `LicenseRef-catalog-${slug(declared)}`,
    ...NOT_STATED,
  };
  return { license, ...USUAL };
}

/** The licence of the catalog's word alone, as `licenseDeclared` of SPDX wants it. */
export function resolveDeclared(declared: string): Pick<CreditLicense, 'spdx' | 'name'> {
  const creator = { name: '', permalink: '', username: '' };
  const record = { term: '', attribution: '', creator, license_description: declared };
  return resolveLicense({ record }).license;
}

function resolveAttribution({
  record,
  termsVersion,
  fileNotices,
}: Omit<LicenseSources, 'assertion'>): ResolvedLicense {
  const declared = record.license_description;
  const grounds = [
    { versionBasis: 'catalog-terms', version: knownVersion(termsVersion) },
    { versionBasis: 'credit-text', version: findStatedVersion(record) },
    { versionBasis: 'source-file', version: onlyVersion(fileNotices ?? []) },
  ] as const;
  const { version, versionBasis } = grounds.find((ground) => ground.version !== null) ?? {};
  const facts = version === undefined ? undefined : findLicense(`CC-BY-${version}`);
  if (version === undefined || versionBasis === undefined || facts === undefined) {
    const name = 'Creative Commons Attribution, version not stated by the catalog';
    const spdx = 'LicenseRef-catalog-creative-commons-attribution';
    const license = { declared, status: 'attribution', name, spdx, ...NOT_STATED } as const;
    return { license, ...USUAL };
  }
  const { name, spdx, url } = facts;
  const status = 'attribution';
  return { license: { declared, status, name, spdx, version, versionBasis, url }, ...USUAL };
}

function knownVersion(version: string | undefined): string | null {
  return version !== undefined && VERSIONS.has(version) ? version : null;
}

function resolveAsserted(
  declared: string,
  { license: spdx, by, evidence, date }: LicenseAssertion,
): ResolvedLicense {
  const facts = findLicense(spdx);
  const license: CreditLicense = {
    declared,
    status: assertedStatus(declared, spdx, facts),
    name: facts?.name ?? spdx.replace(/^LicenseRef-/, '').replaceAll('-', ' '),
    spdx,
    version: facts?.version ?? null,
    versionBasis: 'project-assertion',
    assertion: { by, evidence, ...(date === undefined ? {} : { date }) },
    url: facts?.url ?? null,
  };
  const { creditRequired, noDerivatives } = facts ?? USUAL;
  return { license, creditRequired, noDerivatives };
}

/** An assertion that only makes the catalog's own words precise keeps their status. */
function assertedStatus(
  declared: string,
  spdx: string,
  facts: LicenseFacts | undefined,
): CreditLicense['status'] {
  if (declared === CATALOG_ATTRIBUTION && /^CC-BY-\d/.test(spdx)) return 'attribution';
  if (declared === CATALOG_PUBLIC_DOMAIN && facts?.creditRequired === false) return 'public-domain';
  return 'separately-licensed';
}

/** SPDX allows letters, digits, `-` and `.` in a LicenseRef. Values that differ are different licences, also where only a space differs. */
function slug(text: string): string {
  const words = text
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  if (words === text) return words;
  const mark = deriveUuid(text).slice(0, 8);
  return words === '' ? mark : `${words}-${mark}`;
}

/** The versions that Creative Commons Attribution has. */
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '2.0', '2.5', '3.0', '4.0']);

/** Every mention of a Creative Commons licence, whatever its kind, so that a second one makes the text ambiguous. */
const MENTION =
  /creativecommons\.org\/licenses\/[^\s<>"')\]]*|\bCC[\s_-]*BY(?:[\s_-]+(?:NC|ND|SA))*[\s_-]*(?:v(?:ersion)?[\s.]*)?[\d.]*|\bCreative Commons Attribution(?:[\s-]+(?:Non-?Commercial|No-?Deriv\w*|Share-?Alike))*(?:[\s,]+v(?:ersion)?\.?)?[\s]*[\d.]*|\bCC0\b/gi;

/** The spellings that state a version of plain Attribution beyond doubt. Ports (`CC BY 3.0 US`) are left to a project's assertion. */
const EXACT =
  /^(?:CC[ -]BY[ -]|Creative Commons Attribution )(?<words>\d\.\d)$|^creativecommons\.org\/licenses\/by\/(?<deed>\d\.\d)(?:\/(?:deed(?:\.\w+)?|legalcode(?:\.\w+)?)?)?$/i;

const PORT = /^\s+[A-Z]{2,3}(?![\w])/;

/**
 * The version of CC BY that a record's credit text states, or `null`.
 *
 * Read only where it cannot mean anything else: every licence mentioned is plain CC BY in the same known version,
 * and neither the icon's title nor its creator's name mentions one (an icon may be called “CC BY 4.0”).
 */
export function findStatedVersion({
  attribution,
  term,
  creator,
}: Pick<IconRecord, 'attribution' | 'term' | 'creator'>): string | null {
  if (mentions(term).length > 0 || mentions(creator.name).length > 0) return null;
  return onlyVersion([attribution]);
}

function onlyVersion(texts: readonly string[]): string | null {
  const versions = new Set<string | null>();
  for (const text of texts) {
    for (const { 0: mention, index } of mentions(text)) {
      const words = mention.trim().replace(/\.$/, '');
      const groups = EXACT.exec(words)?.groups;
      const version = groups?.['words'] ?? groups?.['deed'];
      const port = PORT.test(text.slice(index + mention.length));
      versions.add(version !== undefined && VERSIONS.has(version) && !port ? version : null);
    }
  }
  const [version] = versions;
  return versions.size === 1 && version !== undefined ? version : null;
}

function mentions(text: string): RegExpExecArray[] {
  return [...text.matchAll(MENTION)];
}

/** A UUID that follows from the text (RFC 9562, version 8): equal documents have equal names, and no chance shows in the output. */
export function deriveUuid(text: string): string {
  const hex = sha256Hex(text);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0b0011) | 0b1000).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
