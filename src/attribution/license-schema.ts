import { closedObject, equals, implies, type JsonSchema } from './json-schema.ts';

const TEXT: JsonSchema = { type: 'string' };

/**
 * The licence of a record. Status and basis `spdx`: the catalog's value is exactly an SPDX identifier,
 * so that name, address and any version follow from it.
 */
export const LICENSE_SCHEMA: JsonSchema = {
  ...closedObject(
    {
      declared: {
        type: ['string', 'null'],
        description: 'catalog `license_description`, byte for byte',
      },
      status: { enum: ['attribution', 'public-domain', 'spdx', 'separately-licensed', 'unknown'] },
      name: TEXT,
      spdx: { type: 'string', minLength: 1 },
      version: { type: ['string', 'null'], pattern: '^[1-4]\\.[0-9]$' },
      versionBasis: {
        enum: [
          'not-stated',
          'credit-text',
          'source-file',
          'catalog-terms',
          'project-assertion',
          'spdx',
        ],
      },
      url: { $ref: '#/$defs/nullableUri' },
    },
    {
      assertion: closedObject(
        { by: TEXT, evidence: TEXT },
        { date: { type: 'string', format: 'date' } },
      ),
      file: {
        type: 'string',
        format: 'uri',
        description: 'licence file of the set that the icon belongs to',
      },
      text: {
        $ref: '#/$defs/sha256',
        description: 'digest of the text that came with the icon; the text is in `texts`',
      },
      copyright: { type: 'string', minLength: 1, description: 'copyright lines of that text' },
    },
  ),
  allOf: [
    implies(equals('versionBasis', 'not-stated'), {
      properties: { version: { const: null }, url: { const: null } },
    }),
    implies(equals('versionBasis', 'project-assertion'), { required: ['assertion'] }),
    implies(equals('status', 'separately-licensed'), { required: ['assertion'] }),
    implies(equals('versionBasis', 'spdx'), equals('status', 'spdx')),
    implies(equals('status', 'spdx'), {
      properties: {
        versionBasis: { const: 'spdx' },
        declared: { type: 'string', minLength: 1 },
        spdx: { not: { pattern: '^LicenseRef-' } },
        url: { type: 'string' },
      },
    }),
  ],
};
