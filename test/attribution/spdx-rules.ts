import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import parseExpression from 'spdx-expression-parse';

/*
 * What SPDX 2.3 asks of a JSON document of packages, as its specification puts it (sections 6, 7, 10, 11): no package of
 * the registry holds its own schema. Closed objects, so that a misspelt field is noticed.
 */
const text = { type: 'string', minLength: 1 };
const reference = { type: 'string', pattern: '^SPDXRef-[A-Za-z0-9.-]+$' };
const closed = (required: object, optional: object = {}): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const PACKAGE = closed(
  { SPDXID: reference, name: text, downloadLocation: text },
  {
    filesAnalyzed: { const: false },
    homepage: { type: 'string', pattern: '^https?://' },
    primaryPackagePurpose: { const: 'FILE' },
    checksums: {
      type: 'array',
      items: closed({
        algorithm: { const: 'SHA256' },
        checksumValue: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      }),
    },
    licenseConcluded: text,
    licenseDeclared: text,
    licenseComments: text,
    copyrightText: text,
    attributionTexts: { type: 'array', items: text },
    comment: text,
  },
);
const DOCUMENT = closed({
  spdxVersion: { const: 'SPDX-2.3' },
  dataLicense: { const: 'CC0-1.0' },
  SPDXID: { const: 'SPDXRef-DOCUMENT' },
  name: text,
  comment: text,
  documentNamespace: { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:[^#\\s]+$' },
  creationInfo: closed({
    created: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
    creators: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^(Person|Organization|Tool): .' },
    },
  }),
  packages: { type: 'array', items: PACKAGE },
  hasExtractedLicensingInfos: {
    type: 'array',
    items: closed({
      licenseId: { type: 'string', pattern: '^LicenseRef-[A-Za-z0-9.-]+$' },
      name: text,
      extractedText: text,
    }),
  },
  relationships: {
    type: 'array',
    items: closed({
      spdxElementId: reference,
      relationshipType: { const: 'DESCRIBES' },
      relatedSpdxElement: reference,
    }),
  },
});

export interface SpdxDocument {
  documentNamespace: string;
  creationInfo: { created: string };
  packages: {
    SPDXID: string;
    name: string;
    homepage?: string;
    licenseConcluded: string;
    licenseDeclared: string;
    licenseComments: string;
    attributionTexts: string[];
    checksums?: { checksumValue: string }[];
    comment: string;
  }[];
  hasExtractedLicensingInfos: { licenseId: string }[];
  relationships: { relatedSpdxElement: string }[];
}

const validate: ValidateFunction = new Ajv2020({ allErrors: true }).compile(DOCUMENT);

/** Everything that is wrong with a document, the references within it included. */
export function spdxErrors(json: string): string[] {
  const document = JSON.parse(json) as SpdxDocument;
  if (!validate(document))
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  const { packages, hasExtractedLicensingInfos: infos, relationships } = document;
  const ids = packages.map(({ SPDXID }) => SPDXID);
  const refs = new Set(infos.map(({ licenseId }) => licenseId));
  const used = packages.flatMap((each) => [each.licenseConcluded, each.licenseDeclared]);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} comes twice`),
    ...used.flatMap((license) => licenseErrors(license, refs)),
    ...[...refs].filter((ref) => !used.includes(ref)).map((ref) => `${ref} is not used`),
    ...ids
      .filter((id) => !relationships.some(({ relatedSpdxElement }) => relatedSpdxElement === id))
      .map((id) => `${id} is not described`),
  ];
}

function licenseErrors(license: string, refs: ReadonlySet<string>): string[] {
  if (license === 'NOASSERTION' || license === 'NONE') return [];
  try {
    parseExpression(license);
  } catch {
    return [`${license} is no licence expression`];
  }
  return license.startsWith('LicenseRef-') && !refs.has(license) ? [`${license} has no text`] : [];
}
