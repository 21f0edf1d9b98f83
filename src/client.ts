/** The client of the catalog service: signed, typed, bounded. Works in Node without any bundler. */
export { createCatalogClient } from './catalog/session.ts';
export { IconCatalogError, isIconCatalogError } from './errors.ts';
export type { ErrorCode } from './errors.ts';
// What `icon:` modules export. The types of imports have them from here, where no bundler's types are read along.
export type { Credit, IconInfo, IconRecord } from './types.ts';
export type {
  CatalogClient,
  CatalogClientOptions,
  CatalogPromise,
  Items,
  Page,
} from './catalog/client-types.ts';
export type { CatalogResponse, RequestEvent, ResponseEvent, RetryEvent } from './catalog/retry.ts';
export type { CatalogClientV1 } from './catalog/client-types.ts';
export type {
  AutocompleteOptions,
  BlacklistIdsOptions,
  BlacklistTermsOptions,
  CallOptions,
  CollectionQuery,
  CollectionsQuery,
  DownloadQuery,
  Forward,
  FromOffset,
  IconQuery,
  IconsQuery,
  Id,
  PageToken,
  V1IconQuery,
  V1IconsQuery,
  V1Page,
} from './catalog/queries.ts';
export type {
  AutocompleteResponse,
  Blacklist,
  BlacklistResponse,
  Collection,
  CollectionReference,
  CollectionResponse,
  CollectionsResponse,
  CollectionWithIcons,
  Creator,
  Download,
  DownloadResponse,
  Icon,
  IconResponse,
  IconsResponse,
  IconStyle,
  Usage,
  UsageCount,
  UsagePeriod,
} from './catalog/records.ts';
export type {
  V1Collection,
  V1CollectionResponse,
  V1CollectionsResponse,
  V1Icon,
  V1IconResponse,
  V1IconsResponse,
  V1Limits,
  V1Person,
  V1Tag,
  V1Upload,
  V1UploadsResponse,
  V1Usage,
  V1UsageCounts,
} from './catalog/records.ts';
