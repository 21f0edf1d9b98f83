import { type Call, fileUrl, thumbnailUrl } from './call.ts';
import { stampDay, stampSeconds } from './words.ts';
import { termId } from './ids.ts';
import type { Collection, Icon } from './library.ts';
import { attributionOf, collectionPermalink, iconPermalink, isPublicDomain } from './records.ts';
import { tagsOf } from './tags.ts';

/** A v1 icon as lists and uploads have it, without collections and tags. */
export function v1IconRecord(call: Call, icon: Icon): object {
  const { collection } = icon;
  return {
    id: String(icon.id),
    term: icon.term,
    term_id: termId(icon.name),
    term_slug: icon.name,
    attribution: attributionOf(icon),
    // Icons that need no credit have no picture of it.
    ...(!isPublicDomain(icon) && {
      attribution_preview_url: `${call.origin}/asset/attribution/${icon.id}.svg`,
    }),
    date_uploaded: stampDay(collection.updated),
    ...optional('icon_url', fileUrl(call, icon, '.svg')),
    preview_url: thumbnailUrl(call, icon, 200),
    preview_url_42: thumbnailUrl(call, icon, 42),
    preview_url_84: thumbnailUrl(call, icon, 84),
    is_active: '1',
    license_description: collection.license.description,
    permalink: iconPermalink(icon),
    sponsor: {},
    sponsor_campaign_link: null,
    sponsor_id: '',
    uploader: v1User(collection),
    uploader_id: String(collection.author.id),
    year: new Date(collection.updated).getUTCFullYear(),
  };
}

/** A v1 icon of the lists by term. */
export function v1FoundIconRecord(call: Call, icon: Icon): object {
  return { ...v1IconRecord(call, icon), collections: [v1CollectionRecord(icon.collection)] };
}

/** A v1 icon of the single-icon answers. */
export function v1SingleIconRecord(call: Call, icon: Icon): object {
  return {
    ...v1FoundIconRecord(call, icon),
    ...optional(
      'preview_url_1200',
      call.query.flag('include_png_1200') ? fileUrl(call, icon, '-1200.png') : undefined,
    ),
    tags: tagsOf(icon).map((tag) => ({ id: String(termId(tag)), slug: tag.replaceAll(' ', '-') })),
  };
}

/** A v1 collection as lists have it; `icon_count` is in single answers only. */
export function v1CollectionRecord(collection: Collection): object {
  return {
    id: String(collection.id),
    name: collection.name,
    slug: collection.prefix,
    description: collection.description,
    permalink: collectionPermalink(collection),
    author: v1User(collection),
    author_id: String(collection.author.id),
    date_created: stampSeconds(collection.updated),
    date_updated: stampSeconds(collection.updated),
    is_collaborative: '0',
    is_featured: '0',
    is_published: '1',
    is_store_item: '0',
    sponsor: {},
    sponsor_campaign_link: '',
    sponsor_id: '',
    tags: [...collection.tags],
    template: '',
  };
}

export function v1SingleCollectionRecord(collection: Collection): object {
  return { ...v1CollectionRecord(collection), icon_count: String(collection.icons.length) };
}

function v1User(collection: Collection): object {
  return {
    location: '',
    name: collection.author.name,
    permalink: collectionPermalink(collection),
    username: collection.prefix,
  };
}

function optional(name: string, value: string | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
