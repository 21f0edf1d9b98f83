import * as v from 'valibot';
import type * as records from './records.ts';
import type { Usage, UsageCount, V1Usage } from './records.ts';

type Fields = Record<string, unknown>;

/**
 * Usage bodies differ between accounts, and no call may fail for that: numbers in another form are kept as they are,
 * and fields that the body does not state are absent. Fields of the body are kept.
 */
export const usageSchema: v.GenericSchema<unknown, Usage> = v.pipe(
  v.optional(v.unknown()),
  v.transform((value) => {
    const body = fieldsOf(value);
    const monthly = fieldsOf(body['monthly']);
    const limits = fieldsOf(body['limits']);
    const stated = 'limit' in monthly || 'monthly' in limits;
    const limit = monthly['limit'] ?? limits['monthly'];
    const usage = countOf(monthly['usage'] ?? fieldsOf(body['usage'])['monthly']);
    const most = stated && (limit ?? null) === null ? Infinity : numberOf(limit);
    return {
      ...body,
      monthly: {
        ...monthly,
        ...(most !== undefined && { limit: most }),
        ...(usage !== undefined && { usage }),
      },
    };
  }),
);

export const v1UsageSchema: v.GenericSchema<unknown, V1Usage> = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const body = fieldsOf(value);
    return { ...body, limits: fieldsOf(body['limits']), usage: fieldsOf(body['usage']) };
  }),
);

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function countOf(value: unknown): UsageCount | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : numberOf(value);
}

/** Some services write numbers as text. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

type Schema<Output> = v.GenericSchema<unknown, Output>;

const text = v.string();
const integer = v.pipe(v.number(), v.integer());

/** Services send ids as text and, in places, as integers. */
export const id: Schema<string> = v.union([text, v.pipe(integer, v.transform(String))]);

/** Services leave out a field that a record does not have, or send `null`. */
export function optional<Output>(
  schema: Schema<Output>,
): v.OptionalSchema<Schema<Output | undefined>, undefined> {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  );
}

const word = optional(text);
/** Services also send missing tokens and addresses as empty strings. */
const wordOrEmpty = optional(
  v.pipe(
    text,
    v.transform((value) => value || undefined),
  ),
);

const creator = v.looseObject({ name: word, permalink: word, username: word });

/** "The array can carry no style": entries without one are left out. */
const styles = v.pipe(
  v.array(v.looseObject({ style: word, line_weight: optional(integer) })),
  v.transform((entries): records.IconStyle[] =>
    entries.flatMap(({ style, line_weight, ...rest }) =>
      style ? [{ ...rest, style, ...(line_weight !== undefined && { line_weight }) }] : [],
    ),
  ),
);

/**
 * A record may lack everything but its id, since neither a list nor a build must fail for a tag. A wrong type is still
 * an error.
 */
const icon = v.looseObject({
  id,
  term: word,
  attribution: word,
  creator: optional(creator),
  collections: optional(
    v.array(v.looseObject({ creator: optional(creator), id, name: word, permalink: word })),
  ),
  license_description: word,
  permalink: word,
  site_url: word,
  creator_url: word,
  license_url: word,
  license_text: word,
  license_text_digest: word,
  own_color: word,
  styles: optional(styles),
  tags: optional(v.array(text)),
  thumbnail_url: wordOrEmpty,
  icon_url: wordOrEmpty,
});

const collectionFields = {
  id,
  name: word,
  creator: optional(creator),
  icon_count: optional(integer),
  permalink: word,
  site_url: word,
  tags: optional(v.array(text)),
};

const envelope = { generated_at: word, usage_limits: usageSchema };
const total = optional(integer);
const license_texts = optional(v.record(text, text));
const pages = { next_page: wordOrEmpty, prev_page: wordOrEmpty };

export const iconResponse: Schema<records.IconResponse> = v.looseObject({
  ...envelope,
  icon,
  total,
});

export const iconsResponse: Schema<records.IconsResponse> = v.looseObject({
  ...envelope,
  ...pages,
  icons: v.array(icon),
  license_texts,
  total,
});

export const collectionResponse: Schema<records.CollectionResponse> = v.looseObject({
  ...envelope,
  collection: v.looseObject({
    ...collectionFields,
    icons: v.array(icon),
    next_page: wordOrEmpty,
  }),
  license_texts,
  next_page: wordOrEmpty,
  total,
});

export const collectionsResponse: Schema<records.CollectionsResponse> = v.looseObject({
  ...envelope,
  ...pages,
  collections: v.array(v.looseObject(collectionFields)),
  total,
});

export const autocompleteResponse: Schema<records.AutocompleteResponse> = v.looseObject({
  ...envelope,
  suggestions: v.array(text),
});

export const blacklistResponse: Schema<records.BlacklistResponse> = v.looseObject({
  blacklist: v.looseObject({
    collection_ids: v.array(integer),
    icon_ids: v.array(integer),
    search_terms: v.array(text),
  }),
  usage_limits: usageSchema,
});

export const downloadResponse: Schema<records.DownloadResponse> = v.looseObject({
  base64_encoded_file: text,
  content_type: text,
  usage_limits: usageSchema,
});
