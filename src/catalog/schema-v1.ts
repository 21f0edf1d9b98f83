import * as v from 'valibot';
import type * as records from './records-v1.ts';

type Schema<Output> = v.GenericSchema<unknown, Output>;

const text = v.string();
const integer = v.pipe(v.number(), v.integer());
const person = v.looseObject({ location: text, name: text, permalink: text, username: text });

const collection = v.looseObject({
  id: text,
  name: text,
  slug: text,
  description: text,
  permalink: text,
  author: person,
  author_id: text,
  date_created: text,
  date_updated: text,
  icon_count: v.optional(text),
  is_collaborative: text,
  is_featured: text,
  is_published: text,
  is_store_item: text,
  sponsor: v.looseObject({}),
  sponsor_campaign_link: text,
  sponsor_id: text,
  tags: v.array(text),
  template: text,
});

/** An unknown uploader is an empty string by the interface, an empty object in practice. */
const uploader = v.union([
  v.literal(''),
  v.pipe(
    v.strictObject({}),
    v.transform(() => '' as const),
  ),
  person,
]);

const uploadFields = {
  id: text,
  term: text,
  term_id: v.union([integer, v.literal('')]),
  term_slug: text,
  attribution: text,
  attribution_preview_url: text,
  date_uploaded: text,
  icon_url: v.pipe(
    v.nullish(text),
    v.transform((value) => value || undefined),
  ),
  preview_url: text,
  preview_url_42: text,
  preview_url_84: text,
  is_active: text,
  license_description: text,
  permalink: text,
  sponsor: v.looseObject({}),
  sponsor_campaign_link: v.nullable(text),
  sponsor_id: text,
  uploader,
  uploader_id: text,
  year: v.nullable(integer),
};

/** Ids of tags come as integers, too. */
const tag = v.looseObject({
  id: v.union([text, v.pipe(integer, v.transform(String))]),
  slug: text,
});

const icon = v.looseObject({
  ...uploadFields,
  collections: v.optional(v.array(collection)),
  tags: v.optional(v.array(tag)),
});

export const v1CollectionResponse: Schema<records.V1CollectionResponse> = v.looseObject({
  collection,
});

export const v1CollectionsResponse: Schema<records.V1CollectionsResponse> = v.looseObject({
  collections: v.array(collection),
});

export const v1IconResponse: Schema<records.V1IconResponse> = v.looseObject({ icon });

export const v1IconsResponse: Schema<records.V1IconsResponse> = v.looseObject({
  generated_at: text,
  icons: v.array(icon),
});

export const v1UploadsResponse: Schema<records.V1UploadsResponse> = v.looseObject({
  generated_at: text,
  uploads: v.array(v.looseObject(uploadFields)),
});
