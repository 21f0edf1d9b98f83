import * as v from 'valibot';
import type * as records from './records.ts';
import { fieldsOf, id as text, optional } from './schema-v2.ts';

type Schema<Output> = v.GenericSchema<unknown, Output>;

const integer = v.pipe(v.number(), v.integer());
const word = optional(text);
const sponsor = v.pipe(
  v.nullish(v.union([v.literal(''), v.looseObject({})])),
  v.transform((value) => value || undefined),
);

/** The interface states an unknown person as an empty string; services also send an empty object. */
const person = v.pipe(
  v.nullish(
    v.union([
      v.literal(''),
      v.looseObject({ location: word, name: word, permalink: word, username: word }),
    ]),
  ),
  v.transform((value) => (value && Object.keys(fieldsOf(value)).length > 0 ? value : undefined)),
);

const collection = v.looseObject({
  id: text,
  name: word,
  slug: word,
  description: word,
  permalink: word,
  author: v.optional(person),
  author_id: word,
  date_created: word,
  date_updated: word,
  icon_count: word,
  is_collaborative: word,
  is_featured: word,
  is_published: word,
  is_store_item: word,
  sponsor: v.optional(sponsor),
  sponsor_campaign_link: word,
  sponsor_id: word,
  tags: optional(v.array(text)),
  template: word,
});

const uploadFields = {
  id: text,
  term: word,
  term_id: v.pipe(
    v.nullish(v.union([integer, v.pipe(v.string(), v.regex(/^\d*$/))])),
    v.transform((value) =>
      value === undefined || value === null || value === '' ? undefined : Number(value),
    ),
  ),
  term_slug: word,
  attribution: word,
  attribution_preview_url: word,
  date_uploaded: word,
  icon_url: v.pipe(
    v.nullish(text),
    v.transform((value) => value || undefined),
  ),
  preview_url: word,
  preview_url_42: word,
  preview_url_84: word,
  is_active: word,
  license_description: word,
  permalink: word,
  sponsor: v.optional(sponsor),
  sponsor_campaign_link: word,
  sponsor_id: word,
  uploader: v.optional(person),
  uploader_id: word,
  year: optional(integer),
};

const tag = v.looseObject({ id: text, slug: word });

const icon = v.looseObject({
  ...uploadFields,
  collections: optional(v.array(collection)),
  tags: optional(v.array(tag)),
});

export const v1CollectionResponse: Schema<records.V1CollectionResponse> = v.looseObject({
  collection,
});

export const v1CollectionsResponse: Schema<records.V1CollectionsResponse> = v.looseObject({
  collections: v.array(collection),
});

export const v1IconResponse: Schema<records.V1IconResponse> = v.looseObject({ icon });

export const v1IconsResponse: Schema<records.V1IconsResponse> = v.looseObject({
  generated_at: word,
  icons: v.array(icon),
});

export const v1UploadsResponse: Schema<records.V1UploadsResponse> = v.looseObject({
  generated_at: word,
  uploads: v.array(v.looseObject(uploadFields)),
});
