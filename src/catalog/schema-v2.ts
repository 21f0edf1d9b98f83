import * as v from 'valibot';
import type * as records from './records.ts';
import { usageSchema } from './schema-usage.ts';

type Schema<Output> = v.GenericSchema<unknown, Output>;

const text = v.string();
const integer = v.pipe(v.number(), v.integer());
/** Tokens and addresses that are not there come as nothing, as `null` or as an empty string. */
const textOrAbsent = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => value || undefined),
);

/** Nothing, where a record has nothing: what follows from that (an unknown licence, say) is for others to decide. */
const textOrEmpty = v.nullish(text, '');

const creator = v.looseObject({ name: text, permalink: textOrEmpty, username: textOrEmpty });

/** "The array can carry no style": entries without one are left out. */
const styles = v.pipe(
  v.array(v.looseObject({ style: v.nullish(text), line_weight: v.nullish(integer) })),
  v.transform((entries): records.IconStyle[] =>
    entries.flatMap(({ style, line_weight, ...rest }) =>
      style ? [{ ...rest, style, ...(typeof line_weight === 'number' && { line_weight }) }] : [],
    ),
  ),
);

/**
 * Identity, title and creator must be there. The rest is empty where a service leaves it out, since a build must not fail
 * for a tag; of the wrong type it is a fault all the same.
 */
const icon = v.looseObject({
  id: text,
  term: text,
  attribution: textOrEmpty,
  creator,
  collections: v.optional(
    v.array(v.looseObject({ creator, id: text, name: text, permalink: text })),
    [],
  ),
  license_description: textOrEmpty,
  permalink: textOrEmpty,
  styles: v.optional(styles, []),
  tags: v.optional(v.array(text), []),
  thumbnail_url: textOrEmpty,
  icon_url: textOrAbsent,
});

const collectionFields = {
  id: text,
  name: text,
  creator,
  icon_count: integer,
  permalink: text,
  tags: v.array(text),
};

const envelope = { generated_at: v.optional(text, ''), usage_limits: usageSchema };
const pages = { next_page: textOrAbsent, prev_page: textOrAbsent };

export const iconResponse: Schema<records.IconResponse> = v.looseObject({
  ...envelope,
  icon,
  total: v.optional(integer, 1),
});

export const iconsResponse: Schema<records.IconsResponse> = v.looseObject({
  ...envelope,
  ...pages,
  icons: v.array(icon),
  total: integer,
});

export const collectionResponse: Schema<records.CollectionResponse> = v.looseObject({
  ...envelope,
  collection: v.looseObject({
    ...collectionFields,
    icons: v.array(icon),
    next_page: textOrAbsent,
  }),
  next_page: textOrAbsent,
  total: integer,
});

export const collectionsResponse: Schema<records.CollectionsResponse> = v.looseObject({
  ...envelope,
  ...pages,
  collections: v.array(v.looseObject(collectionFields)),
  total: integer,
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
