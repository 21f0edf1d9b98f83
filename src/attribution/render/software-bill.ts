import type { CreditLicense, Manifest, ManifestIcon } from '../../types.ts';
import { describeChanges, NO_FILE_SHA256 } from '../credit/create-credit.ts';
import { isRequested } from '../credit/describe-credit.ts';
import { copyrightsIn, isSpdxId } from '../license/list.ts';
import { deriveUuid, resolveDeclared } from '../license/resolve-license.ts';
import { compareCodeUnits, toPlainLine } from '../../untrusted.ts';
import { ENGLISH } from './page-words.ts';

/** What SPDX and CycloneDX say alike. */

/** Name of an icon where one has to be given. */
export function nameInBill({ id, title }: Pick<ManifestIcon, 'id' | 'title'>): string {
  return toPlainLine(title ?? '') || `icon ${toPlainLine(id)}`;
}

/** The credit, and whatever the catalog and the file say of it themselves. */
function creditTexts({
  line,
  requested,
  drawn = [],
  notices = [],
}: ManifestIcon['credit']): string[] {
  const texts = new Set([line, requested ?? '', ...drawn, ...notices]);
  return [...texts].filter((text) => text.trim() !== '');
}

/** Who holds the rights by the text of the licence and by the file itself; `undefined` if neither names anybody. */
function copyrightIn({ license, credit }: ManifestIcon): string | undefined {
  const lines = new Set([
    ...(license.copyright?.split('\n') ?? []),
    ...copyrightsIn(credit.notices),
  ]);
  return lines.size === 0 ? undefined : [...lines].join('\n');
}

/** Digest of the file as the catalog sent it; `undefined` where none was downloaded. */
function sourceDigest({ source }: Pick<ManifestIcon, 'source'>): string | undefined {
  return source.sha256 === NO_FILE_SHA256 ? undefined : source.sha256;
}

/** The catalog numbers no versions of a drawing: what tells two apart is the digest of the file. */
function versionOf(digest: string): string {
  return `sha256-${digest.slice(0, 16)}`;
}

/** True if the licence is the project's own finding and not what the catalog says. */
function isAsserted({ versionBasis }: CreditLicense): boolean {
  return versionBasis === 'project-assertion';
}

/** On what ground a licence is given, in a sentence or two. */
function explainLicense(license: CreditLicense): string {
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

interface RenderSpdxOptions {
  /**
   * `creationInfo.created`, which SPDX requires: seconds since 1970 as SOURCE_DATE_EPOCH has them.
   * @default 0, since the time of a build must not show in what it builds
   */
  sourceDateEpoch?: number | undefined;
}

const DOCUMENT = 'SPDXRef-DOCUMENT';

/** `icon-attribution.spdx.json`: SPDX 2.3, one package an icon. */
export function renderSpdx(
  manifest: Manifest,
  { sourceDateEpoch = 0 }: RenderSpdxOptions = {},
): string {
  // SPDX allows letters, digits, `.` and `-`.
  const ids = manifest.icons.map(({ id }) =>
    /^[A-Za-z0-9.-]+$/.test(id) ? `SPDXRef-icon-${id}` : `SPDXRef-icon-${deriveUuid(id)}`,
  );
  const body = {
    packages: manifest.icons.map((icon, index) => ({
      ...describePackage(icon, ids[index] ?? ''),
      // Who hands the icon out; the records do not say whether its creator is a person or an organisation.
      supplier: `Organization: ${toPlainLine(manifest.catalog.name)}`,
    })),
    hasExtractedLicensingInfos: extractLicenses(manifest),
    relationships: ids.map((id) => ({
      spdxElementId: DOCUMENT,
      relationshipType: 'DESCRIBES',
      relatedSpdxElement: id,
    })),
  };
  const { name, version } = manifest.generator;
  const { termsUrl } = manifest.catalog;
  const head = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: DOCUMENT,
    name: 'icon-attribution',
    comment: [
      `Icons of ${toPlainLine(manifest.catalog.name)} that the ${isRequested(manifest) ? 'project asks for' : 'output ships'}.`,
      '`created` is SOURCE_DATE_EPOCH, or 1970 where that is not set: two builds of the same input give the same document.',
      ...(termsUrl === undefined ? [] : [`Terms of the catalog: ${toPlainLine(termsUrl)}`]),
      ...(manifest.complete ? [] : [ENGLISH.incomplete]),
    ].join(' '),
    creationInfo: {
      created: new Date(sourceDateEpoch * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
      creators: [`Tool: ${toPlainLine(name)}-${toPlainLine(version)}`],
    },
  };
  const documentNamespace = `urn:uuid:${deriveUuid(JSON.stringify([head, body]))}`;
  return `${JSON.stringify({ ...head, documentNamespace, ...body }, null, 2)}\n`;
}

function describePackage(icon: ManifestIcon, id: string): Record<string, unknown> {
  const { license, source, credit, changes, usedIn } = icon;
  const digest = sourceDigest(icon);
  const declared = declaredLicense(license);
  return {
    SPDXID: id,
    name: nameInBill(icon),
    ...(digest !== undefined && { versionInfo: versionOf(digest) }),
    // The address of the source is that of a page about the icon.
    downloadLocation: 'NOASSERTION',
    ...(source.url !== null && { homepage: source.url }),
    filesAnalyzed: false,
    primaryPackagePurpose: 'FILE',
    ...(digest !== undefined && {
      checksums: [{ algorithm: 'SHA256', checksumValue: digest }],
    }),
    licenseConcluded: isAsserted(license) ? license.spdx : 'NOASSERTION',
    licenseDeclared: declared.spdx,
    licenseComments: [
      explainLicense(license),
      ...(license.text === undefined ? [] : [`Its text is ${nameText(license.text)}.`]),
    ].join(' '),
    copyrightText: copyrightIn(icon) ?? 'NOASSERTION',
    attributionTexts: creditTexts(credit),
    comment: `The checksum is that of the file as the catalog sent it. Changes: ${describeChanges(changes)}. In: ${[...new Set(usedIn.map(({ file }) => toPlainLine(file)))].join(', ')}.`,
  };
}

/** The catalog's own word; what a project found out is a conclusion. */
function declaredLicense(license: CreditLicense): Pick<CreditLicense, 'spdx' | 'name'> {
  return isAsserted(license) ? resolveDeclared(license.declared ?? '') : license;
}

/** Text of a licence as it came with icons: the one on the SPDX list names no holder of rights. */
function nameText(digest: string): string {
  return `LicenseRef-text-${digest.slice(0, 16)}`;
}

/**
 * SPDX wants the text of every LicenseRef; what is known of it is what the catalog calls it, unless a text came with the
 * icons. Each of those stands in the document once.
 */
function extractLicenses({ icons, texts = {} }: Manifest): Record<string, unknown>[] {
  const infoById = new Map<string, Record<string, unknown>>();
  for (const { license } of icons) {
    for (const { spdx, name } of [declaredLicense(license), license]) {
      if (!spdx.startsWith('LicenseRef-') || infoById.has(spdx)) continue;
      infoById.set(spdx, {
        licenseId: spdx,
        name: toPlainLine(name),
        extractedText:
          license.text === undefined
            ? `${toPlainLine(name)}. The catalog gives no text of this licence.`
            : `${toPlainLine(name)}. The comments of each package name the text that came with it.`,
      });
    }
    const { text = '', file } = license;
    if (!Object.hasOwn(texts, text) || infoById.has(nameText(text))) continue;
    infoById.set(nameText(text), {
      licenseId: nameText(text),
      name: toPlainLine(license.name),
      extractedText: texts[text],
      ...(file !== undefined && { seeAlsos: [file] }),
    });
  }
  return [...infoById].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, info]) => info);
}

/** The prefix of properties, which CycloneDX leaves to the tool that writes them. */
const PROPERTY = 'unplugin-icon-catalog';

/**
 * `icon-attribution.cdx.json`: CycloneDX 1.6, one component an icon. It has no timestamp, and a serial number that follows from the rest.
 * `title` is the name of the site, whose icons these are.
 */
export function renderCycloneDx(
  manifest: Manifest,
  { title }: { title?: string | undefined } = {},
): string {
  const { generator, catalog, complete, icons } = manifest;
  const body = {
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      tools: {
        components: [{ type: 'application', name: generator.name, version: generator.version }],
      },
      component: {
        type: 'application',
        'bom-ref': 'site',
        name: toPlainLine(title ?? '') || 'site',
      },
      properties: [
        { name: `${PROPERTY}:catalog`, value: toPlainLine(catalog.name) },
        ...(catalog.termsUrl === undefined
          ? []
          : [{ name: `${PROPERTY}:catalog-terms`, value: toPlainLine(catalog.termsUrl) }]),
      ],
    },
    components: icons.map((icon) => ({
      ...describeComponent(icon),
      // Who hands the icon out. The metadata's supplier would be that of the site.
      supplier: { name: toPlainLine(catalog.name) },
    })),
    dependencies: [
      { ref: 'site', dependsOn: icons.map(({ id }) => referTo(id)) },
      ...icons.map(({ id }) => ({ ref: referTo(id) })),
    ],
    compositions: [
      {
        aggregate: complete ? 'complete' : 'incomplete',
        assemblies: icons.map(({ id }) => referTo(id)),
      },
    ],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${deriveUuid(JSON.stringify(body))}`,
  };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

function describeComponent(icon: ManifestIcon): Record<string, unknown> {
  const { id, creator, license, source, credit, changes, usedIn } = icon;
  const name = nameInBill(icon);
  const digest = sourceDigest(icon);
  const hashes = digest === undefined ? {} : { hashes: [{ alg: 'SHA-256', content: digest }] };
  const author = creator.name ?? creator.username;
  const copyright = copyrightIn(icon);
  const references = [
    { type: 'website', url: source.url },
    { type: 'license', url: license.file },
  ].filter(({ url }) => typeof url === 'string');
  return {
    type: 'file',
    'bom-ref': referTo(id),
    ...(author !== null && { authors: [{ name: toPlainLine(author) }] }),
    name,
    ...(digest !== undefined && { version: versionOf(digest) }),
    // What ships is another file than the one that the digest is of, unless nothing was changed.
    ...(changes.length === 0 && hashes),
    licenses: describeLicense(license),
    ...(copyright !== undefined && { copyright }),
    ...(references.length > 0 && { externalReferences: references }),
    ...(changes.length > 0 && {
      pedigree: {
        ancestors: [{ type: 'file', name, ...hashes }],
        notes: describeChanges(changes),
      },
    }),
    evidence: { occurrences: usedIn.map(({ file }) => ({ location: file })) },
    properties: creditTexts(credit)
      .map((value) => ({ name: `${PROPERTY}:credit`, value }))
      .concat({ name: `${PROPERTY}:license-basis`, value: explainLicense(license) }),
  };
}

function describeLicense(license: CreditLicense): Record<string, unknown>[] {
  const name = toPlainLine(license.name) || license.spdx;
  return [
    {
      license: {
        ...(isSpdxId(license.spdx) ? { id: license.spdx } : { name }),
        acknowledgement: isAsserted(license) ? 'concluded' : 'declared',
        ...(license.url !== null && { url: license.url }),
      },
    },
  ];
}

function referTo(id: string): string {
  return `icon-${id}`;
}
