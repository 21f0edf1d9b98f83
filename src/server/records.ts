import type { CollectionReference, Creator, IconStyle } from '../types.ts';
import { type Call, fileUrl, thumbnailUrl } from './call.ts';
import { EMBEDDED_SITE_URL, termId } from './ids.ts';
import { type Collection, type Icon, isPublicDomain } from './library.ts';
import { measureStyles, ownColor } from './paint.ts';
import { tagsOf, stampDay, stampSeconds } from './words.ts';

/** @param addresses those of the pictures, which differ from call to call */
export function iconRecord(
  icon: Icon,
  addresses: { thumbnail_url: string; icon_url: string | undefined },
): object {
  const { collection } = icon;
  return {
    id: String(icon.id),
    term: icon.term,
    attribution: attributionOf(icon),
    creator: creatorOf(collection),
    collections: [
      {
        creator: creatorOf(collection),
        id: String(collection.id),
        name: collection.name,
        permalink: collectionPermalink(collection),
      } satisfies CollectionReference,
    ],
    license_description: collection.license.description,
    permalink: iconPermalink(icon),
    ...siteOf(collection),
    ...optional('creator_url', collection.author.url),
    ...optional('license_url', collection.license.url),
    ...optional('own_color', ownColor(icon.collection.markup(icon.name))),
    styles: stylesOf(icon),
    tags: tagsOf(icon),
    thumbnail_url: addresses.thumbnail_url,
    ...optional('icon_url', addresses.icon_url),
  };
}

export function collectionRecord(collection: Collection): object {
  return {
    id: String(collection.id),
    name: collection.name,
    creator: creatorOf(collection),
    icon_count: collection.icons.length,
    permalink: collectionPermalink(collection),
    ...siteOf(collection),
    tags: [...collection.tags],
  };
}

function creatorOf(collection: Collection): Creator {
  return {
    name: collection.author.name,
    permalink: collectionPermalink(collection),
    username: collection.prefix,
  };
}

/**
 * The interface has relative permalinks only, and the server has no web pages. Folders have no
 * public pages.
 */
function siteOf({ isFolder }: Collection): { site_url?: string } {
  return isFolder ? {} : { site_url: EMBEDDED_SITE_URL };
}

/** Paths of the public site of icon sets, where every installed set has its page. */
function collectionPermalink({ prefix }: Collection): string {
  return `/${encodeURIComponent(prefix)}/`;
}

function iconPermalink({ name, collection }: Icon): string {
  return `${collectionPermalink(collection)}${encodeURIComponent(name)}/`;
}

/** Credit text: title, author with address, set, and the licence as the set states it. */
export function attributionOf({ term, collection }: Icon): string {
  const { author, license, name } = collection;
  const by = author.url ? `${author.name} (${author.url})` : author.name;
  // `CC BY 3.0` says the same as `CC-BY-3.0`.
  const isSame = ['', license.title.replaceAll(' ', '-')].includes(license.spdx);
  const spdx = isSame ? '' : ` (${license.spdx})`;
  return `“${term}” by ${by} from ${name}, ${license.title}${spdx}`;
}

const stylesByIcon = new WeakMap<Icon, IconStyle[]>();

/** Styles are measured on first use. */
export function stylesOf(icon: Icon): IconStyle[] {
  const known = stylesByIcon.get(icon);
  if (known) return known;
  const styles = measureStyles(icon.collection.markup(icon.name));
  stylesByIcon.set(icon, styles);
  return styles;
}

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
  return { location: '', ...creatorOf(collection) };
}

function optional(name: string, value: string | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
