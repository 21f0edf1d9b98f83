/** Records of the v2 interface, in the words of the wire. Unknown fields are kept, though no type tells of them. */

export interface Creator {
  name: string;
  /** Path relative to the catalog's site. */
  permalink: string;
  username: string;
}

export interface CollectionReference {
  creator: Creator;
  id: string;
  name: string;
  permalink: string;
}

export interface IconStyle {
  /** `solid` or `line`. */
  style: string;
  /** Average width of the lines in px at 512 px a side, 1–60; only for lines of a consistent width. */
  line_weight?: number | undefined;
}

export interface Icon {
  id: string;
  /** Name of the icon. */
  term: string;
  /** Credit text. */
  attribution: string;
  creator: Creator;
  collections: CollectionReference[];
  /** Observed: `creative-commons-attribution`, `public-domain`. */
  license_description: string;
  permalink: string;
  /** Empty for icons that are neither solid nor line. */
  styles: IconStyle[];
  tags: string[];
  /** PNG at the thumbnail size. Dies within an hour. */
  thumbnail_url: string;
  /** Signed address of the SVG, dies within an hour. Absent where the key may not have the file. */
  icon_url?: string | undefined;
}

export interface Collection {
  id: string;
  name: string;
  creator: Creator;
  icon_count: number;
  permalink: string;
  tags: string[];
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

export interface UsagePeriod {
  /** Calls that the key may make; `Infinity`: no limit; `NaN`: the service does not say. */
  limit: number;
  /** Calls made; `NaN`: the service does not say. */
  usage: number;
}

export interface Usage {
  monthly: UsagePeriod;
}

export interface IconResponse {
  /** `YYYY-MM-DD HH:MM:SS.ffffff` */
  generated_at: string;
  icon: Icon;
  total: number;
  usage_limits: Usage;
}

export interface IconsResponse {
  generated_at: string;
  icons: Icon[];
  next_page?: string | undefined;
  prev_page?: string | undefined;
  total: number;
  usage_limits: Usage;
}

export interface CollectionResponse {
  collection: CollectionWithIcons;
  generated_at: string;
  total: number;
  usage_limits: Usage;
  next_page?: string | undefined;
}

export interface CollectionsResponse {
  collections: Collection[];
  generated_at: string;
  total: number;
  usage_limits: Usage;
  next_page?: string | undefined;
  prev_page?: string | undefined;
}

export interface AutocompleteResponse {
  generated_at: string;
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
