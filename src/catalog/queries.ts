import type { Endpoints, EndpointName, ParamKind } from './endpoints.ts';
import type { PARAMS } from './params.ts';

type Params = typeof PARAMS;
type ValuesOf<Kind extends ParamKind> = Params[Kind] extends { values: readonly (infer Value)[] }
  ? Value
  : never;

interface ArgumentByType<Kind extends ParamKind> {
  text: string;
  /** `true` is sent as 1, `false` is not sent. */
  flag: boolean | number;
  integer: [ValuesOf<Kind>] extends [never] ? number : ValuesOf<Kind>;
  choice: ValuesOf<Kind>;
  color: string;
  list:
    | ValuesOf<Kind>
    | `${ValuesOf<Kind> & string},${ValuesOf<Kind> & string}`
    | readonly ValuesOf<Kind>[];
  range: number | `${number}` | `${number}-${number}`;
}

type Argument<Kind extends ParamKind> = ArgumentByType<Kind>[Params[Kind]['type']];

/** The query of an endpoint as a caller writes it, made from the endpoint table. `undefined` is not sent. */
type QueryOf<Name extends EndpointName> = {
  -readonly [Param in keyof Endpoints[Name]['query']]?:
    | Argument<Extract<Endpoints[Name]['query'][Param], ParamKind>>
    | undefined;
};

/** An id as a number, or as the digits that a record holds. */
export type Id = number | string;

export type IconQuery = QueryOf<'icon'>;
/** `styles`: `solid`, `line` or both; `line_weight`: `7` or `4-10`, 1–60; `thumbnail_size`: 42, 84 or 200. */
export type IconsQuery = QueryOf<'icons'>;
/** `color`: 3 or 6 hex digits with or without `#`; `filetype`: default `svg`; `size`: 20–1200, png only. */
export type DownloadQuery = QueryOf<'download'>;
export type CollectionQuery = QueryOf<'collection'>;
export type CollectionsQuery = QueryOf<'collections'>;
/** `limit`: at most 10. */
export type AutocompleteOptions = Omit<QueryOf<'autocomplete'>, 'query'>;
export interface BlacklistIdsOptions {
  /** What the ids are of. Default: `icon`. */
  type?: QueryOf<'blacklistIds'>['type'];
  /** `true`: the list replaces the old one of its kind; `false`: its entries are added. */
  overwrite?: boolean | undefined;
}
export type BlacklistTermsOptions = Omit<BlacklistIdsOptions, 'type'>;

/** `offset`: results skipped; `page`: pages of `limit` skipped, wins over `offset`. */
export type V1Page = QueryOf<'v1Collections'>;
export type V1IconQuery = QueryOf<'v1IconById'>;
export type V1IconsQuery = QueryOf<'v1Icons'>;
