import * as v from 'valibot';
import { IconCatalogError } from '../errors.ts';
import type { DecoderName } from './endpoints.ts';
import type * as v2 from './records.ts';
import type * as v1 from './records-v1.ts';
import * as schemaV1 from './schema-v1.ts';
import * as schemaV2 from './schema-v2.ts';
import { usageSchema, v1UsageSchema } from './schema-usage.ts';

/** What each decoder of the endpoint table makes. */
export interface Decoded {
  icon: v2.IconResponse;
  icons: v2.IconsResponse;
  collection: v2.CollectionResponse;
  collections: v2.CollectionsResponse;
  autocomplete: v2.AutocompleteResponse;
  blacklist: v2.BlacklistResponse;
  usage: v2.Usage;
  download: v2.DownloadResponse;
  v1Collection: v1.V1CollectionResponse;
  v1Collections: v1.V1CollectionsResponse;
  v1Icon: v1.V1IconResponse;
  v1Icons: v1.V1IconsResponse;
  v1Uploads: v1.V1UploadsResponse;
  v1Usage: v1.V1Usage;
}

const DECODERS: { [Name in DecoderName]: v.GenericSchema<unknown, Decoded[Name]> } = {
  icon: schemaV2.iconResponse,
  icons: schemaV2.iconsResponse,
  collection: schemaV2.collectionResponse,
  collections: schemaV2.collectionsResponse,
  autocomplete: schemaV2.autocompleteResponse,
  blacklist: schemaV2.blacklistResponse,
  usage: usageSchema,
  download: schemaV2.downloadResponse,
  v1Collection: schemaV1.v1CollectionResponse,
  v1Collections: schemaV1.v1CollectionsResponse,
  v1Icon: schemaV1.v1IconResponse,
  v1Icons: schemaV1.v1IconsResponse,
  v1Uploads: schemaV1.v1UploadsResponse,
  v1Usage: v1UsageSchema,
};

/**
 * Validates a body where it enters. Unknown fields are kept.
 * @param where what was asked, for the message: `GET /v2/icon/1`
 * @throws IconCatalogError CATALOG_MALFORMED with the path of the first field that is missing or mistyped; never with its value
 */
export function decode<Name extends DecoderName>(
  name: Name,
  body: unknown,
  where: string,
): Decoded[Name] {
  const decoder: v.GenericSchema<unknown, Decoded[Name]> = DECODERS[name];
  const result = v.safeParse(decoder, body, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue) ?? '';
  const field = path === '' ? 'the body' : `\`${path}\``;
  const fault =
    issue.input === undefined
      ? 'is missing'
      : `should be ${EXPECTED[issue.expected ?? ''] ?? 'of another form'} and is ${typeOf(issue.input)}`;
  throw new IconCatalogError('CATALOG_MALFORMED', {
    message: `The answer to ${where} is not what the interface says: ${field} ${fault}.`,
    path: path || undefined,
  });
}

/** valibot's names of types, in words. */
const EXPECTED: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  Array: 'an array',
  Object: 'an object',
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
