import type { CollectionReference, Creator, IconRecord, IconStyle } from '../types.ts';
import type { Collection, Icon } from './library.ts';
import { EMBEDDED_SITE_URL } from './ids.ts';
import { measureStyles } from './paint.ts';
import { tagsOf } from './tags.ts';

/** The addresses of a v2 record, which differ from call to call. */
export interface RecordAddresses {
  thumbnail_url: string;
  /** This is left out if the key's tier may not have the file. */
  icon_url?: string | undefined;
}

export interface CollectionRecord {
  id: string;
  name: string;
  creator: Creator;
  icon_count: number;
  permalink: string;
  site_url?: string;
  tags: string[];
}

export function iconRecord(icon: Icon, addresses: RecordAddresses): IconRecord & RecordAddresses {
  const { collection } = icon;
  return {
    id: String(icon.id),
    term: icon.term,
    attribution: attributionOf(icon),
    creator: creatorOf(collection),
    collections: [collectionReference(collection)],
    license_description: collection.license.description,
    permalink: iconPermalink(icon),
    ...siteOf(collection),
    ...(collection.author.url !== undefined && { creator_url: collection.author.url }),
    ...(collection.license.url !== undefined && { license_url: collection.license.url }),
    styles: stylesOf(icon),
    tags: tagsOf(icon),
    thumbnail_url: addresses.thumbnail_url,
    ...(addresses.icon_url !== undefined && { icon_url: addresses.icon_url }),
  };
}

export function collectionRecord(collection: Collection): CollectionRecord {
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

export function creatorOf(collection: Collection): Creator {
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
export function collectionPermalink({ prefix }: Collection): string {
  return `/${encodeURIComponent(prefix)}/`;
}

export function iconPermalink({ name, collection }: Icon): string {
  return `${collectionPermalink(collection)}${encodeURIComponent(name)}/`;
}

/** Credit text: title, author with address, set, and the licence as the set states it. */
export function attributionOf({ term, collection }: Icon): string {
  const { author, license, name } = collection;
  const by = author.url ? `${author.name} (${author.url})` : author.name;
  const spdx = license.spdx !== '' && license.spdx !== license.title ? ` (${license.spdx})` : '';
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

export function isPublicDomain({ collection }: Icon): boolean {
  return collection.license.description === 'public-domain';
}

function collectionReference(collection: Collection): CollectionReference {
  return {
    creator: creatorOf(collection),
    id: String(collection.id),
    name: collection.name,
    permalink: collectionPermalink(collection),
  };
}
