/**
 * Records of the legacy interface, in the words of the wire. Only ids and lists are required, as with v2: live records leave out
 * fields that the interface lists. A flag is `"1"`, `"0"` or `""`.
 */

export interface V1Person {
  location?: string | undefined;
  name?: string | undefined;
  permalink?: string | undefined;
  /** Absent in records of old accounts. */
  username?: string | undefined;
}

export interface V1Collection {
  id: string;
  name?: string | undefined;
  slug?: string | undefined;
  description?: string | undefined;
  permalink?: string | undefined;
  /** Absent if the author is unknown. */
  author?: V1Person | undefined;
  author_id?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SS`, sometimes with microseconds. */
  date_created?: string | undefined;
  date_updated?: string | undefined;
  /** Only present if one collection was requested. */
  icon_count?: string | undefined;
  is_collaborative?: string | undefined;
  is_featured?: string | undefined;
  is_published?: string | undefined;
  is_store_item?: string | undefined;
  /** It was empty in all observed cases. */
  sponsor?: Record<string, unknown> | undefined;
  sponsor_campaign_link?: string | undefined;
  sponsor_id?: string | undefined;
  tags?: string[] | undefined;
  template?: string | undefined;
}

/** An item of a user's uploads: an icon without collections and tags. */
export interface V1Upload {
  id: string;
  term?: string | undefined;
  /** Absent if there is none. */
  term_id?: number | undefined;
  term_slug?: string | undefined;
  attribution?: string | undefined;
  /** The icon above its credit text. Absent for public-domain icons, which need no credit. */
  attribution_preview_url?: string | undefined;
  /** `YYYY-MM-DD`, sometimes with a time, or empty. */
  date_uploaded?: string | undefined;
  /** Signed address of the SVG, which expires within an hour. Absent if the key may not have the file: free keys have it for public-domain icons only. */
  icon_url?: string | undefined;
  /** PNG of 200 px. */
  preview_url?: string | undefined;
  preview_url_42?: string | undefined;
  preview_url_84?: string | undefined;
  is_active?: string | undefined;
  /** Absent if the catalog states no licence. */
  license_description?: string | undefined;
  permalink?: string | undefined;
  sponsor?: Record<string, unknown> | undefined;
  sponsor_campaign_link?: string | undefined;
  sponsor_id?: string | undefined;
  /** Absent if the uploader is unknown, which services state as `""` or `{}`. */
  uploader?: V1Person | undefined;
  uploader_id?: string | undefined;
  /** `0` or absent if it is unknown. */
  year?: number | undefined;
}

export interface V1Tag {
  id: string;
  slug?: string | undefined;
}

export interface V1Icon extends V1Upload {
  /** In answers about one icon and in lists by term. */
  collections?: V1Collection[] | undefined;
  /** In answers about one icon. */
  tags?: V1Tag[] | undefined;
}

/** `null`: no limit of that period. A period that the service does not state is absent. */
export interface V1Limits {
  daily?: number | null | undefined;
  hourly?: number | null | undefined;
  monthly?: number | null | undefined;
}

/** A period that the service does not state is absent. */
export interface V1UsageCounts {
  daily?: number | undefined;
  hourly?: number | undefined;
  monthly?: number | undefined;
}

export interface V1Usage {
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
  generated_at?: string | undefined;
  icons: V1Icon[];
}

export interface V1UploadsResponse {
  generated_at?: string | undefined;
  uploads: V1Upload[];
}
