import * as v from 'valibot';
import { isObject } from '../untrusted.ts';
import type { DecoderName } from './endpoints.ts';
import type * as records from './records.ts';

type Schema<Output> = v.GenericSchema<unknown, Output>;

/** The decoders of the endpoint table. */
export interface Decoded {
  icon: records.IconResponse;
  icons: records.IconsResponse;
  collection: records.CollectionResponse;
  collections: records.CollectionsResponse;
  autocomplete: records.AutocompleteResponse;
  blacklist: records.BlacklistResponse;
  usage: records.Usage;
  download: records.DownloadResponse;
  v1Collection: records.V1CollectionResponse;
  v1Collections: records.V1CollectionsResponse;
  v1Icon: records.V1IconResponse;
  v1Icons: records.V1IconsResponse;
  v1Uploads: records.V1UploadsResponse;
  v1Usage: records.V1Usage;
}

/**
 * Usage bodies differ between accounts, and no call may fail for that: numbers in another form are kept as they are,
 * and fields that the body does not state are absent. Fields of the body are kept.
 */
const usage: Schema<records.Usage> = v.pipe(
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

const v1Usage: Schema<records.V1Usage> = v.pipe(
  v.unknown(),
  v.transform((value) => {
    const body = fieldsOf(value);
    return { ...body, limits: fieldsOf(body['limits']), usage: fieldsOf(body['usage']) };
  }),
);

export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}

function countOf(value: unknown): records.UsageCount | undefined {
  return isObject(value) ? { ...value } : numberOf(value);
}

/** Some services write numbers as text. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

const text = v.string();
const integer = v.pipe(v.number(), v.integer());

/** Services send ids as text and, in places, as integers; v1 does so with any text. */
const textOrInteger: Schema<string> = v.union([text, v.pipe(integer, v.transform(String))]);

/** Services leave out a field that a record does not have, or send `null`. */
function optional<Output>(
  schema: Schema<Output>,
): v.OptionalSchema<Schema<Output | undefined>, undefined> {
  return v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  );
}

/** Fields of one kind. */
function each<Field, const Name extends string>(
  field: Field,
  ...names: Name[]
): Record<Name, Field> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

const word = optional(text);
/** Services also send missing tokens and addresses as empty strings. */
const wordOrEmpty = optional(
  v.pipe(
    text,
    v.transform((value) => value || undefined),
  ),
);

const creator = v.looseObject(each(word, 'name', 'permalink', 'username'));

/** "The array can carry no style": entries without one are left out. */
const styles = v.pipe(
  v.array(v.looseObject({ style: word, line_weight: optional(integer) })),
  v.transform((entries): records.IconStyle[] =>
    entries.flatMap(({ style, line_weight, ...rest }) =>
      style ? [{ ...rest, style, ...(line_weight !== undefined && { line_weight }) }] : [],
    ),
  ),
);

/** A record may lack all but its id: neither a list nor a build must fail for a tag. A wrong type is an error. */
const icon = v.looseObject({
  id: textOrInteger,
  ...each(word, 'term', 'attribution'),
  creator: optional(creator),
  collections: optional(
    v.array(
      v.looseObject({
        creator: optional(creator),
        id: textOrInteger,
        ...each(word, 'name', 'permalink'),
      }),
    ),
  ),
  ...each(word, 'license_description', 'permalink', 'site_url', 'creator_url', 'license_url'),
  ...each(word, 'license_text', 'license_text_digest', 'own_color'),
  styles: optional(styles),
  tags: optional(v.array(text)),
  ...each(wordOrEmpty, 'thumbnail_url', 'icon_url'),
});

const collectionFields = {
  id: textOrInteger,
  name: word,
  creator: optional(creator),
  icon_count: optional(integer),
  ...each(word, 'permalink', 'site_url'),
  tags: optional(v.array(text)),
};

const envelope = { generated_at: word, usage_limits: usage };
const total = optional(integer);
const license_texts = optional(v.record(text, text));
const pages = each(wordOrEmpty, 'next_page', 'prev_page');

const v1Word = optional(textOrInteger);
const v1Sponsor = v.pipe(
  v.nullish(v.union([v.literal(''), v.looseObject({})])),
  v.transform((value) => value || undefined),
);

/** The interface states an unknown person as an empty string; services also send an empty object. */
const v1Person = v.pipe(
  v.nullish(
    v.union([
      v.literal(''),
      v.looseObject(each(v1Word, 'location', 'name', 'permalink', 'username')),
    ]),
  ),
  v.transform((value) => (value && Object.keys(fieldsOf(value)).length > 0 ? value : undefined)),
);

const v1Sponsored = {
  sponsor: v.optional(v1Sponsor),
  ...each(v1Word, 'sponsor_campaign_link', 'sponsor_id'),
};

const v1Collection = v.looseObject({
  id: textOrInteger,
  ...each(v1Word, 'name', 'slug', 'description', 'permalink'),
  author: v.optional(v1Person),
  ...each(v1Word, 'author_id', 'date_created', 'date_updated', 'icon_count'),
  ...each(v1Word, 'is_collaborative', 'is_featured', 'is_published', 'is_store_item'),
  ...v1Sponsored,
  tags: optional(v.array(textOrInteger)),
  template: v1Word,
});

const v1UploadFields = {
  id: textOrInteger,
  term: v1Word,
  term_id: v.pipe(
    v.nullish(v.union([integer, v.pipe(v.string(), v.regex(/^\d*$/))])),
    v.transform((value) =>
      value === undefined || value === null || value === '' ? undefined : Number(value),
    ),
  ),
  ...each(v1Word, 'term_slug', 'attribution', 'attribution_preview_url', 'date_uploaded'),
  icon_url: v.pipe(
    v.nullish(textOrInteger),
    v.transform((value) => value || undefined),
  ),
  ...each(v1Word, 'preview_url', 'preview_url_42', 'preview_url_84', 'is_active'),
  ...each(v1Word, 'license_description', 'permalink'),
  ...v1Sponsored,
  uploader: v.optional(v1Person),
  uploader_id: v1Word,
  year: optional(integer),
};

const v1Icon = v.looseObject({
  ...v1UploadFields,
  collections: optional(v.array(v1Collection)),
  tags: optional(v.array(v.looseObject({ id: textOrInteger, slug: v1Word }))),
});

export const DECODERS: { [Name in DecoderName]: Schema<Decoded[Name]> } = {
  icon: v.looseObject({ ...envelope, icon, total }),
  icons: v.looseObject({ ...envelope, ...pages, icons: v.array(icon), license_texts, total }),
  collection: v.looseObject({
    ...envelope,
    collection: v.looseObject({
      ...collectionFields,
      icons: v.array(icon),
      next_page: wordOrEmpty,
    }),
    license_texts,
    next_page: wordOrEmpty,
    total,
  }),
  collections: v.looseObject({
    ...envelope,
    ...pages,
    collections: v.array(v.looseObject(collectionFields)),
    total,
  }),
  autocomplete: v.looseObject({ ...envelope, suggestions: v.array(text) }),
  blacklist: v.looseObject({
    blacklist: v.looseObject({
      ...each(v.array(integer), 'collection_ids', 'icon_ids'),
      search_terms: v.array(text),
    }),
    usage_limits: usage,
  }),
  usage,
  download: v.looseObject({
    ...each(text, 'base64_encoded_file', 'content_type'),
    usage_limits: usage,
  }),
  v1Collection: v.looseObject({ collection: v1Collection }),
  v1Collections: v.looseObject({ collections: v.array(v1Collection) }),
  v1Icon: v.looseObject({ icon: v1Icon }),
  v1Icons: v.looseObject({ generated_at: v1Word, icons: v.array(v1Icon) }),
  v1Uploads: v.looseObject({
    generated_at: v1Word,
    uploads: v.array(v.looseObject(v1UploadFields)),
  }),
  v1Usage,
};
