/** A JSON Schema as data. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** An object that has all of `required`, may have `optional`, and nothing else. */
function closedObject(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** “Where `condition` holds, `consequence` holds too.” */
function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

/** Matches where `property` is `value`. */
function equals(property: string, value: string): JsonSchema {
  return { properties: { [property]: { const: value } } };
}

const TEXT: JsonSchema = { type: 'string' };

/**
 * The licence of a record. Status and basis `spdx`: the catalog's value is exactly an SPDX identifier,
 * so that name, address and any version follow from it.
 */
const LICENSE_SCHEMA: JsonSchema = {
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

const NULLABLE_URI: JsonSchema = {
  anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }],
};
const SHA256: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

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
const ICON_SCHEMA: JsonSchema = {
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

/** JSON Schema (2020-12) of `icon-attribution.json`. */
export const MANIFEST_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:unplugin-icon-catalog:attribution:1',
  title: 'Icon attribution manifest',
  ...closedObject(
    {
      schemaVersion: { const: 1 },
      generator: closedObject({ name: { type: 'string' }, version: { type: 'string' } }),
      catalog: closedObject(
        { name: { type: 'string', minLength: 1 }, siteUrl: { type: 'string', format: 'uri' } },
        { termsUrl: { type: 'string', format: 'uri' } },
      ),
      complete: {
        type: 'boolean',
        description: 'true only if every expected build reported its outputs',
      },
      builds: {
        type: 'array',
        items: closedObject(
          {
            id: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]*$' },
            bundler: { type: 'string' },
            consumer: { enum: ['client', 'server'] },
            precision: {
              enum: ['emitted', 'module-graph', 'requested', 'found'],
              description:
                'how the icon list was obtained; `requested` may over-report, `found` is what no build drew itself',
            },
          },
          {
            folder: {
              type: 'string',
              not: { pattern: '^(/|[A-Za-z]:)' },
              description: 'output folder outside of that of this list; files are named from there',
            },
            from: {
              type: 'string',
              minLength: 1,
              description: 'the package or folder that brought the icons',
            },
            complete: { const: false, description: 'icons of this build may be missing' },
          },
        ),
      },
      icons: {
        type: 'array',
        items: { $ref: '#/$defs/icon' },
        description: 'sorted by title, then id, in code-unit order',
      },
    },
    {
      $schema: { type: 'string' },
      texts: {
        type: 'object',
        propertyNames: { pattern: '^[0-9a-f]{64}$' },
        additionalProperties: { type: 'string', minLength: 1 },
        description: 'texts of licences by their SHA-256, each once',
      },
    },
  ),
  $defs: { nullableUri: NULLABLE_URI, sha256: SHA256, icon: ICON_SCHEMA },
};
