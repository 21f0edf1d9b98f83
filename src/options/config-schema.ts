import { WORD } from '../request/reference.ts';
import {
  ASSERTION,
  ATTRIBUTION,
  CREDENTIALS,
  EMBEDDED,
  iconId,
  isCheck,
  type JsonSchema,
  PICKER,
  type Shape,
  SHAPE,
} from './shape.ts';

/** An icon of the embedded catalog: `tabler/home`. */
const NAME = `^(?=[^A-Z]*$)${WORD}/${WORD}$`;

interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
}

/** An object with the options of `shape` and no others. */
function toObject(shape: Shape, required: readonly string[] = []): ObjectSchema {
  const properties = Object.entries(shape).map(([name, one]) => [
    name,
    isCheck(one) ? { ...one.json } : toObject(one),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** JSON Schema (draft 7, which editors know best) of `icon-catalog.config.json`. */
export function configSchema(): JsonSchema {
  const { properties, ...root } = toObject(SHAPE);
  const embedded = toObject(EMBEDDED);
  const credentials = toObject(CREDENTIALS);
  credentials.properties['site'] = { ...credentials.properties['site'], required: ['url'] };
  const licenses = properties['licenses'] as ObjectSchema;
  const { terms, ...policies } = licenses.properties;
  const isEmbedded = {
    properties: {
      catalog: { anyOf: [{ const: 'embedded' }, { type: 'object', required: ['embedded'] }] },
    },
    required: ['catalog'],
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Options of unplugin-icon-catalog',
    ...root,
    properties: {
      $schema: { type: 'string', description: 'The address of this schema, for editors.' },
      ...properties,
      catalog: {
        anyOf: [
          { const: 'embedded' },
          credentials,
          {
            type: 'object',
            properties: { embedded },
            required: ['embedded'],
            additionalProperties: false,
          },
        ],
      },
      aliases: {
        type: 'object',
        propertyNames: { not: { pattern: '^$|^\\d+$|[?#&\\s]|^credits$' } },
        additionalProperties: { anyOf: [iconId.json, { type: 'string', pattern: NAME }] },
      },
      licenses: {
        ...licenses,
        properties: {
          ...policies,
          assert: {
            type: 'object',
            additionalProperties: toObject(ASSERTION, Object.keys(ASSERTION)),
          },
          terms: { ...terms, required: ['version', 'url'] },
        },
      },
      attribution: { anyOf: [{ const: false }, toObject(ATTRIBUTION)] },
      picker: { anyOf: [{ type: 'boolean' }, toObject(PICKER)] },
    },
    allOf: [
      // Only the embedded catalog has names of icons.
      { if: isEmbedded, else: { properties: { aliases: { additionalProperties: iconId.json } } } },
      // Each set of the embedded catalog has its own licence, and no terms in common.
      {
        if: { not: isEmbedded },
        else: { properties: { licenses: { properties: { terms: { not: {} } } } } },
      },
    ],
  };
}
