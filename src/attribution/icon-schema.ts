import { closedObject, equals, implies, type JsonSchema } from './json-schema.ts';
import { LICENSE_SCHEMA } from './license-schema.ts';

export const NULLABLE_URI: JsonSchema = {
  anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }],
};
export const SHA256: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

const TEXT: JsonSchema = { type: 'string' };
const FILLED: JsonSchema = { type: 'string', minLength: 1 };
const NULLABLE: JsonSchema = { type: ['string', 'null'] };
const URI_REF: JsonSchema = { $ref: '#/$defs/nullableUri' };
const SHA256_REF: JsonSchema = { $ref: '#/$defs/sha256' };

const CHANGE: JsonSchema = closedObject({
  kind: {
    enum: [
      'recolor',
      'resize',
      'viewbox',
      'optimize',
      'format',
      'credit-removed',
      'sanitize',
      'transform',
      'metadata-added',
      'prior',
      'custom',
    ],
  },
  summary: FILLED,
  visible: { type: 'boolean', description: 'false: file encoding only, rendering unchanged' },
  by: { enum: ['plugin', 'service', 'project', 'upstream'] },
});

const USE: JsonSchema = closedObject(
  {
    build: TEXT,
    file: { type: 'string', not: { pattern: '^(/|[A-Za-z]:|\\.\\.)' } },
    kind: {
      enum: ['inline-js', 'inline-html', 'inline-css', 'sprite-symbol', 'asset', 'server-only'],
    },
  },
  {
    fragment: TEXT,
    changes: {
      type: 'array',
      items: { type: 'integer', minimum: 0 },
      description: 'which of the changes this build made; absent: all',
    },
  },
);

function creditRequiredWhere(status: string): JsonSchema {
  const required = { properties: { credit: { properties: { required: { const: true } } } } };
  return implies({ properties: { license: equals('status', status) } }, required);
}

/** One record of the manifest. */
export const ICON_SCHEMA: JsonSchema = {
  ...closedObject(
    {
      id: FILLED,
      title: { ...NULLABLE, description: 'catalog `term`, verbatim' },
      creator: closedObject({ name: NULLABLE, url: URI_REF }, { username: NULLABLE }),
      credit: closedObject(
        {
          requested: { ...NULLABLE, description: 'catalog `attribution`, byte for byte' },
          line: {
            ...FILLED,
            description: 'complete line: title, author, source, licence, changes',
          },
          required: { type: 'boolean' },
        },
        {
          drawn: {
            type: 'array',
            items: FILLED,
            description: 'credit text drawn into the file',
          },
          notices: {
            type: 'array',
            items: FILLED,
            description: 'notices about copyright and licence in the file, drawn ones included',
          },
        },
      ),
      source: closedObject({ url: URI_REF, sha256: SHA256_REF }),
      license: LICENSE_SCHEMA,
      changes: { type: 'array', items: CHANGE },
      collections: { type: 'array', items: closedObject({ id: TEXT, name: TEXT, url: URI_REF }) },
      usedIn: { type: 'array', minItems: 1, items: USE },
    },
    { artifacts: { type: 'array', items: closedObject({ sha256: SHA256_REF }, { file: TEXT }) } },
  ),
  // A licence that is not known may ask for credit as well as one that does.
  allOf: [creditRequiredWhere('attribution'), creditRequiredWhere('unknown')],
};
