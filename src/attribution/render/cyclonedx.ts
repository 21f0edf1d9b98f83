import type { CreditLicense, Manifest, ManifestIcon } from '../../types.ts';
import { describeChanges } from '../credit/create-credit.ts';
import { deriveUuid } from '../license/resolve-license.ts';
import { toPlainLine } from '../plain-text.ts';
import {
  creditTexts,
  explainLicense,
  isAsserted,
  nameInBill,
  sourceDigest,
  versionOf,
} from './software-bill.ts';
import { isSpdxId } from '../license/list.ts';

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
      supplier: { name: toPlainLine(catalog.name) },
      properties: [
        { name: `${PROPERTY}:catalog`, value: toPlainLine(catalog.name) },
        ...(catalog.termsUrl === undefined
          ? []
          : [{ name: `${PROPERTY}:catalog-terms`, value: toPlainLine(catalog.termsUrl) }]),
      ],
    },
    components: icons.map(describeComponent),
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
    ...(license.copyright !== undefined && { copyright: license.copyright }),
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
