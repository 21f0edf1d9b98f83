import { ICON_SCHEMA, NULLABLE_URI, SHA256 } from './icon-schema.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

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
