/**
 * Arguments of the client's methods. They are written out, and not derived from the endpoint table, so that editors
 * show the text of each parameter; a type test compares them with the table.
 */

/** An id as a number, or as the digits that a record holds. */
export type Id = number | string;

/** `true` is sent as 1, `false` is not sent. */
export type Flag = boolean | number;

interface ThumbnailSize {
  /** Width and height in px of the PNG behind `thumbnail_url`: 42, 84 or 200. Default of the service: 200. */
  thumbnail_size?: 42 | 84 | 200 | undefined;
}

interface Blacklist {
  /** `true`: what the key's blacklist names is left out. Default: it is not. */
  blacklist?: Flag | undefined;
}

interface Limit {
  /** Most results of one answer, 1 or more. Default of the service, usually 50. */
  limit?: number | undefined;
}

/** A list is read from its start, from the page after a token or from the page before one. */
export type PageToken =
  | {
      /** Token of the page to read: `next_page` of an earlier answer. Not together with `prev_page`. */
      next_page?: string | undefined;
      prev_page?: undefined;
    }
  | {
      next_page?: undefined;
      /** Token of the page to read: `prev_page` of an earlier answer. Not together with `next_page`. */
      prev_page?: string | undefined;
    };

export interface IconQuery extends ThumbnailSize, Blacklist {}

export type Style = 'solid' | 'line';

export interface IconsFilter extends ThumbnailSize, Blacklist, Limit {
  /** Text to search for. Without it the list has every icon. */
  query?: string | undefined;
  /** `'solid'`, `'line'`, or several: `['solid', 'line']` or `'solid,line'`. Icons of any given style match. */
  styles?: Style | `${Style},${Style}` | readonly Style[] | undefined;
  /** Average width of the lines in px at 512 px a side: one number or a range, 1 to 60: `7` or `'4-10'`. For line icons. */
  line_weight?: number | `${number}` | `${number}-${number}` | undefined;
  /** `true`: public-domain icons only. */
  limit_to_public_domain?: Flag | undefined;
  /** `true`: each record has `icon_url`, the address of its SVG, if the key may have the file. */
  include_svg?: Flag | undefined;
}

export type IconsQuery = IconsFilter & PageToken;

interface Color {
  /** Colour of the icon: 3 or 6 hex digits, with or without `#`. Default: the service's own, usually black. */
  color?: string | undefined;
}

export type DownloadQuery =
  | (Color & {
      /** Type of the file. Default: `'svg'`, which has no `size`. */
      filetype?: 'svg' | undefined;
      size?: undefined;
    })
  | (Color & {
      /** Type of the file. */
      filetype: 'png';
      /** Width and height in px, an integer 20 to 1200. Default: the service's own. */
      size?: number | undefined;
    });

export interface CollectionFilter extends ThumbnailSize, Blacklist, Limit {
  /** `true`: each icon has `icon_url`, the address of its SVG, if the key may have the file. */
  include_svg?: Flag | undefined;
}
export type CollectionQuery = CollectionFilter & PageToken;

export interface CollectionsFilter extends Blacklist, Limit {
  /** Text to search for. Without it the list has every collection. */
  query?: string | undefined;
}
export type CollectionsQuery = CollectionsFilter & PageToken;

export interface AutocompleteOptions extends Blacklist {
  /** Most suggestions, 1 to 10. Default of the service: 10. */
  limit?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | undefined;
}

export interface BlacklistTermsOptions {
  /** `true`: the list replaces the old one of its kind; `false`: its entries are added. Default of the service: `false`. */
  overwrite?: boolean | undefined;
}

export interface BlacklistIdsOptions extends BlacklistTermsOptions {
  /** What the ids are of. Default: `'icon'`. */
  type?: 'icon' | 'collection' | undefined;
}

export interface V1Page extends Limit {
  /** Results that are skipped. */
  offset?: number | undefined;
  /** Pages of `limit` results that are skipped; it overrides `offset`. */
  page?: number | undefined;
}

export interface V1IconQuery {
  /** `true`: the record has the address of a PNG of 1200 × 1200 px. For ids only. */
  include_png_1200?: Flag | undefined;
}

export interface V1IconsQuery extends V1Page {
  /** `true`: public-domain icons only. */
  limit_to_public_domain?: Flag | undefined;
}

/** An iteration starts at the first page, or at a token that an earlier page gave. */
export type Forward<Query> = Omit<Query, 'prev_page'>;
/** An iteration may start at an offset; `limit` is the size of its pages. */
export type FromOffset<Query> = Omit<Query, 'page'>;

/** Options of one call, the last argument of every method. They override those of the client. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  timeout?: number | undefined;
  /** Further attempts after network errors, 408, 425 and 5xx. */
  retries?: number | undefined;
}
