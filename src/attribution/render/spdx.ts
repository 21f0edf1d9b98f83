import type { CreditLicense, Manifest, ManifestIcon } from '../../types.ts';
import { describeChanges } from '../credit/create-credit.ts';
import { deriveUuid, resolveDeclared } from '../license/resolve-license.ts';
import { INCOMPLETE_NOTICE, isRequested } from '../credit/group-icons.ts';
import { compareCodeUnits, toPlainLine } from '../plain-text.ts';
import {
  creditTexts,
  explainLicense,
  isAsserted,
  nameInBill,
  sourceDigest,
  versionOf,
} from './software-bill.ts';

export interface RenderSpdxOptions {
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
  const ids = nameElements(manifest.icons);
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
      ...(manifest.complete ? [] : [INCOMPLETE_NOTICE]),
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
    copyrightText: license.copyright ?? 'NOASSERTION',
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

/** SPDX allows letters, digits, `.` and `-`. */
function nameElements(icons: readonly ManifestIcon[]): string[] {
  return icons.map(({ id }) =>
    /^[A-Za-z0-9.-]+$/.test(id) ? `SPDXRef-icon-${id}` : `SPDXRef-icon-${deriveUuid(id)}`,
  );
}
