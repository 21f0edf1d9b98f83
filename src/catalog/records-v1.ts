/** Records of the legacy interface, in the words of the wire. A flag is `"1"`, `"0"` or `""`. */

export interface V1Person {
  location: string;
  name: string;
  permalink: string;
  username: string;
}

export interface V1Collection {
  id: string;
  name: string;
  slug: string;
  description: string;
  permalink: string;
  author: V1Person;
  author_id: string;
  /** `YYYY-MM-DD HH:MM:SS`, sometimes with microseconds. */
  date_created: string;
  date_updated: string;
  /** Only where one collection was asked for. */
  icon_count?: string | undefined;
  is_collaborative: string;
  is_featured: string;
  is_published: string;
  is_store_item: string;
  /** Empty in all observed cases. */
  sponsor: Record<string, unknown>;
  sponsor_campaign_link: string;
  sponsor_id: string;
  tags: string[];
  template: string;
}

/** An item of a user's uploads: an icon without collections and tags. */
export interface V1Upload {
  id: string;
  term: string;
  /** Empty string where there is none. */
  term_id: number | '';
  term_slug: string;
  attribution: string;
  attribution_preview_url: string;
  /** `YYYY-MM-DD`, or empty. */
  date_uploaded: string;
  /** Signed address of the SVG, dies within an hour. Absent where the key may not have the file. */
  icon_url?: string | undefined;
  /** PNG of 200 px. */
  preview_url: string;
  preview_url_42: string;
  preview_url_84: string;
  is_active: string;
  license_description: string;
  permalink: string;
  sponsor: Record<string, unknown>;
  sponsor_campaign_link: string | null;
  sponsor_id: string;
  /** Empty string where the uploader is unknown. */
  uploader: V1Person | '';
  uploader_id: string;
  /** `0` or `null` where it is unknown. */
  year: number | null;
}

export interface V1Tag {
  id: string;
  slug: string;
}

export interface V1Icon extends V1Upload {
  /** In answers about one icon and in lists by term. */
  collections?: V1Collection[] | undefined;
  /** In answers about one icon. */
  tags?: V1Tag[] | undefined;
}

/** `null`: no limit of that period. */
export interface V1Limits {
  daily: number | null;
  hourly: number | null;
  monthly: number | null;
}

export interface V1UsageCounts {
  daily: number;
  hourly: number;
  monthly: number;
}

export interface V1Usage {
  /** A number that the service does not state is `NaN`. */
  limits: V1Limits;
  usage: V1UsageCounts;
}

export interface V1CollectionResponse {
  collection: V1Collection;
}

export interface V1CollectionsResponse {
  collections: V1Collection[];
}

export interface V1IconResponse {
  icon: V1Icon;
}

export interface V1IconsResponse {
  /** In the format of HTTP dates. */
  generated_at: string;
  icons: V1Icon[];
}

export interface V1UploadsResponse {
  generated_at: string;
  uploads: V1Upload[];
}
