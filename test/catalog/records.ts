/** Records as the interface describes them, one builder each. */

export const CREATOR = { name: 'Ada Example', permalink: '/ada/', username: 'ada' };
export const USAGE = { monthly: { limit: 5000, usage: 12 } };
export const GENERATED_AT = '2026-11-21 09:10:11.123456';

export function iconRecord(id: number, extra: object = {}): Record<string, unknown> {
  return {
    id: String(id),
    term: `Icon ${id}`,
    attribution: `Icon ${id} by Ada Example`,
    creator: CREATOR,
    collections: [{ creator: CREATOR, id: '7', name: 'Set', permalink: '/set/' }],
    license_description: 'creative-commons-attribution',
    permalink: `/icon/${id}/`,
    styles: [{ style: 'line', line_weight: 12 }],
    tags: ['one', 'two'],
    thumbnail_url: `https://assets.example/${id}-200.png`,
    ...extra,
  };
}

export function iconBody(id: number, extra: object = {}): Record<string, unknown> {
  return { generated_at: GENERATED_AT, icon: iconRecord(id, extra), total: 1, usage_limits: USAGE };
}

export function iconsBody(ids: readonly number[], extra: object = {}): Record<string, unknown> {
  return {
    generated_at: GENERATED_AT,
    icons: ids.map((id) => iconRecord(id)),
    total: ids.length,
    usage_limits: USAGE,
    ...extra,
  };
}

export function collectionRecord(id: number, extra: object = {}): Record<string, unknown> {
  return {
    id: String(id),
    name: `Collection ${id}`,
    creator: CREATOR,
    icon_count: 3,
    permalink: `/collection/${id}/`,
    tags: ['set'],
    ...extra,
  };
}

export const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
export const PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function downloadBody(
  file: string | Uint8Array = SVG,
  extra: object = {},
): Record<string, unknown> {
  return {
    base64_encoded_file: Buffer.from(file).toString('base64'),
    content_type: 'image/svg+xml',
    usage_limits: USAGE,
    ...extra,
  };
}

const PERSON = { location: 'Here', name: 'Ada', permalink: '/ada/', username: 'ada' };

export function v1CollectionRecord(id: number, extra: object = {}): Record<string, unknown> {
  return {
    id: String(id),
    name: `Set ${id}`,
    slug: `set-${id}`,
    description: '',
    permalink: `/set-${id}/`,
    author: PERSON,
    author_id: '5',
    date_created: '2012-03-04 05:06:07',
    date_updated: '2012-03-04 05:06:07.123456',
    is_collaborative: '0',
    is_featured: '1',
    is_published: '',
    is_store_item: '0',
    sponsor: {},
    sponsor_campaign_link: '',
    sponsor_id: '',
    tags: ['a'],
    template: '24',
    ...extra,
  };
}

export function v1UploadRecord(id: number, extra: object = {}): Record<string, unknown> {
  return {
    id: String(id),
    term: `Icon ${id}`,
    term_id: '',
    term_slug: `icon-${id}`,
    attribution: `Icon ${id} by Ada`,
    attribution_preview_url: 'https://assets.example/a.png',
    date_uploaded: '2012-03-04',
    icon_url: 'https://assets.example/a.svg?Expires=1&Signature=abc',
    preview_url: 'https://assets.example/200.png',
    preview_url_42: 'https://assets.example/42.png',
    preview_url_84: 'https://assets.example/84.png',
    is_active: '1',
    license_description: 'public-domain',
    permalink: `/icon/${id}/`,
    sponsor: {},
    sponsor_campaign_link: null,
    sponsor_id: '',
    uploader: PERSON,
    uploader_id: '5',
    year: 2012,
    ...extra,
  };
}
