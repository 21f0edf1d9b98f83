/**
 * Records of the v2 interface, in the words of the wire. Only fields that every caller needs are required: the id of a
 * record and the list of a list. Unknown fields are kept, though no type describes them. A field that a service sends
 * as `null` is absent.
 */

export interface Creator {
  /** Absent if the catalog does not know who drew the icon. */
  name?: string | undefined;
  /** Path relative to the catalog's site. Absent if the creator has no page. */
  permalink?: string | undefined;
  /** Absent in old records. */
  username?: string | undefined;
}

export interface CollectionReference {
  /** Absent if the record names the collection only. */
  creator?: Creator | undefined;
  id: string;
  /** Absent if the collection has no name. */
  name?: string | undefined;
  /** Absent if the collection has no page. */
  permalink?: string | undefined;
}

export interface IconStyle {
  /** `solid` or `line`. */
  style: string;
  /** Average width of the lines in px at 512 px a side, 1–60; only for lines of a consistent width. */
  line_weight?: number | undefined;
}

export interface Icon {
  id: string;
  /** Name of the icon. Absent if it has none. */
  term?: string | undefined;
  /** Credit text. Absent if the catalog asks for none. */
  attribution?: string | undefined;
  /** Absent if the catalog does not know who drew the icon. */
  creator?: Creator | undefined;
  /** Absent if the icon is in no collection. */
  collections?: CollectionReference[] | undefined;
  /** Observed: `creative-commons-attribution`, `public-domain`. Absent if the catalog states no licence. */
  license_description?: string | undefined;
  /** Path relative to the catalog's site. Absent if the icon has no page. */
  permalink?: string | undefined;
  /** Website that the permalinks belong to. Only the embedded catalog sends it, for icons of installed sets. */
  site_url?: string | undefined;
  /** Address of the creator's own page. Only the embedded catalog sends it, for sets that name one. */
  creator_url?: string | undefined;
  /** Address of the licence file of the icon's set. Only the embedded catalog sends it. */
  license_url?: string | undefined;
  /** Text of the licence. Only the embedded catalog sends it, with single icons of sets and folders that hold one. */
  license_text?: string | undefined;
  /** In lists: under which name `license_texts` of the answer has that text. Only the embedded catalog sends it. */
  license_text_digest?: string | undefined;
  /**
   * The drawing's own colour if that is not black: six hex digits, or `several`. Only the embedded catalog sends it.
   */
  own_color?: string | undefined;
  /** Absent or empty for icons that are neither solid nor line. */
  styles?: IconStyle[] | undefined;
  /** Absent if the icon has none. */
  tags?: string[] | undefined;
  /** PNG at the thumbnail size. It expires within an hour. Absent if the catalog has no picture. */
  thumbnail_url?: string | undefined;
  /**
   * Signed address of the SVG, which expires within an hour. Absent if the key may not have the file, and in lists that
   * were requested without `include_svg`.
   */
  icon_url?: string | undefined;
}

export interface Collection {
  id: string;
  /** Absent if the collection has no name. */
  name?: string | undefined;
  /** Absent if the catalog does not know who made it. */
  creator?: Creator | undefined;
  /** Absent if the catalog does not count. */
  icon_count?: number | undefined;
  /** Path relative to the catalog's site. Absent if the collection has no page. */
  permalink?: string | undefined;
  /** Website that the permalink belongs to. Only the embedded catalog sends it, for installed sets. */
  site_url?: string | undefined;
  /** Absent if the collection has none. */
  tags?: string[] | undefined;
}

export interface CollectionWithIcons extends Collection {
  icons: Icon[];
  /** Token of the next page of icons; absent on the last one. */
  next_page?: string | undefined;
}

export interface Blacklist {
  collection_ids: number[];
  icon_ids: number[];
  search_terms: string[];
}

/** Calls that were made: one number, or numbers by the kind of call (`{ icon: 0, service: 3 }`). */
export type UsageCount = number | Record<string, unknown>;

export interface UsagePeriod {
  /** Calls that the key may make; `Infinity`: no limit. Absent if the service does not say. */
  limit?: number | undefined;
  /** Absent if the service does not say. */
  usage?: UsageCount | undefined;
}

export interface Usage {
  /** Empty if the body has another form; the body's own fields are kept beside it. */
  monthly: UsagePeriod;
}

export interface IconResponse {
  /** `YYYY-MM-DD HH:MM:SS.ffffff`. Absent if the service leaves it out. */
  generated_at?: string | undefined;
  icon: Icon;
  /** Absent if the service leaves it out. */
  total?: number | undefined;
  usage_limits: Usage;
}

export interface IconsResponse {
  generated_at?: string | undefined;
  icons: Icon[];
  /** Texts of licences, by the digests that icons name. Only the embedded catalog sends them. */
  license_texts?: Record<string, string> | undefined;
  /** Token of the next page; absent on the last one. */
  next_page?: string | undefined;
  /** Token of the page before; absent on the first one. */
  prev_page?: string | undefined;
  /** Icons of all pages. Absent if the service does not count. */
  total?: number | undefined;
  usage_limits: Usage;
}

export interface CollectionResponse {
  collection: CollectionWithIcons;
  /** Texts of licences, by the digests that icons name. Only the embedded catalog sends them. */
  license_texts?: Record<string, string> | undefined;
  generated_at?: string | undefined;
  /** Icons of all pages. Absent if the service does not count. */
  total?: number | undefined;
  usage_limits: Usage;
  next_page?: string | undefined;
}

export interface CollectionsResponse {
  collections: Collection[];
  generated_at?: string | undefined;
  /** Collections of all pages. Absent if the service does not count. */
  total?: number | undefined;
  usage_limits: Usage;
  next_page?: string | undefined;
  prev_page?: string | undefined;
}

export interface AutocompleteResponse {
  generated_at?: string | undefined;
  suggestions: string[];
  usage_limits: Usage;
}

export interface BlacklistResponse {
  blacklist: Blacklist;
  usage_limits: Usage;
}

/** A download as it comes over the wire. */
export interface DownloadResponse {
  base64_encoded_file: string;
  content_type: string;
  usage_limits: Usage;
}

export interface Download extends DownloadResponse {
  /** The file. */
  bytes: Uint8Array;
}

/**
 * Records of the legacy interface, in the words of the wire. Only ids and lists are required, as with v2: live records leave out
 * fields that the interface lists. A field that does not say when it is absent is so in records of services that leave it
 * out. A flag is `"1"`, `"0"` or `""`.
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
