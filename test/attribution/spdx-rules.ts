import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import parseExpression, { type Expression } from 'spdx-expression-parse';

/*
 * What SPDX 2.3 asks of a JSON document of packages: the names, types and required fields of its schema
 * (http://spdx.org/rdf/terms/2.3, closed objects on every level), and what its specification (sections 6, 7, 10, 11) asks
 * besides. No package of the registry holds that schema; every object that we write is at least as strict here as there.
 */
const text = { type: 'string', minLength: 1 };
const reference = { type: 'string', pattern: '^SPDXRef-[A-Za-z0-9.-]+$' };
const unstated = { const: 'NOASSERTION' };
const closed = (required: object, optional: object = {}): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const PACKAGE = closed(
  {
    SPDXID: reference,
    name: text,
    downloadLocation: unstated,
    // Left out, it is true, and a package then needs a verification code of its files.
    filesAnalyzed: { const: false },
    licenseConcluded: text,
    licenseDeclared: text,
    copyrightText: text,
  },
  {
    versionInfo: text,
    supplier: { type: 'string', pattern: '^(?:Organization|Person): .+$' },
    homepage: { type: 'string', pattern: '^https?://[^\\s<>"{}|\\\\^`]+$' },
    primaryPackagePurpose: { const: 'FILE' },
    checksums: {
      type: 'array',
      minItems: 1,
      items: closed({
        algorithm: { const: 'SHA256' },
        checksumValue: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      }),
    },
    licenseComments: text,
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
    items: closed(
      {
        licenseId: { type: 'string', pattern: '^LicenseRef-[A-Za-z0-9.-]+$' },
        name: text,
        extractedText: text,
      },
      {
        seeAlsos: {
          type: 'array',
          minItems: 1,
          items: { type: 'string', pattern: '^https?://\\S+$' },
        },
      },
    ),
  },
  relationships: {
    type: 'array',
    items: closed({
      spdxElementId: { const: 'SPDXRef-DOCUMENT' },
      relationshipType: { const: 'DESCRIBES' },
      relatedSpdxElement: reference,
    }),
  },
});

export interface SpdxDocument {
  SPDXID: string;
  documentNamespace: string;
  creationInfo: { created: string };
  packages: {
    SPDXID: string;
    name: string;
    homepage?: string;
    licenseConcluded: string;
    licenseDeclared: string;
    licenseComments: string;
    copyrightText: string;
    attributionTexts: string[];
    checksums?: { checksumValue: string }[];
    comment: string;
  }[];
  hasExtractedLicensingInfos: { licenseId: string; extractedText: string; seeAlsos?: string[] }[];
  relationships: { relatedSpdxElement: string }[];
}

const validate: ValidateFunction = new Ajv2020({ allErrors: true }).compile(DOCUMENT);

/** Everything that is wrong with a document, the references within it included. */
export function spdxErrors(json: string): string[] {
  const document = JSON.parse(json) as SpdxDocument;
  if (!validate(document))
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  const { packages, hasExtractedLicensingInfos: infos, relationships, creationInfo } = document;
  const ids = packages.map(({ SPDXID }) => SPDXID);
  const refs = infos.map(({ licenseId }) => licenseId);
  const described = relationships.map(({ relatedSpdxElement }) => relatedSpdxElement);
  const expressions = packages.flatMap((each) => [each.licenseConcluded, each.licenseDeclared]);
  const licenses = [...new Set(expressions)].map(readExpression);
  const used = licenses.flatMap(({ found }) => found).filter((id) => id.startsWith('LicenseRef-'));
  // A package names the text that came with it in its comments: the licence itself is one of the SPDX list.
  const named = packages.flatMap(
    ({ licenseComments }) => licenseComments.match(/LicenseRef-text-[0-9a-f]+/g) ?? [],
  );
  return [
    ...licenses.flatMap(({ error }) => error ?? []),
    ...twice([document.SPDXID, ...ids]).map((id) => `${id} comes twice`),
    ...twice(described).map((id) => `${id} is described twice`),
    ...twice(refs).map((ref) => `${ref} has two texts`),
    ...without([...used, ...named], refs).map((ref) => `${ref} has no text`),
    ...without(refs, [...used, ...named]).map((ref) => `${ref} is not used`),
    ...without(ids, described).map((id) => `${id} is not described`),
    ...without(described, ids).map((id) => `${id} is not there`),
    ...(Number.isNaN(Date.parse(creationInfo.created)) ? ['created is no time'] : []),
  ];
}

function readExpression(expression: string): { found: string[]; error?: string } {
  if (expression === 'NOASSERTION' || expression === 'NONE') return { found: [] };
  try {
    return { found: licensesOf(parseExpression(expression)) };
  } catch {
    return { found: [], error: `${expression} is no licence expression` };
  }
}

function licensesOf(expression: Expression): string[] {
  return 'license' in expression
    ? [expression.license]
    : [...licensesOf(expression.left), ...licensesOf(expression.right)];
}

function twice(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

function without(values: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return [...new Set(values)].filter((value) => !known.has(value));
}
