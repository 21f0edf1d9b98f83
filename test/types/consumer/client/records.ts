// Every field of every record, compared with the type that the interface gives it: exactly, both ways.
import type * as door from 'unplugin-icon-catalog/client';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<Checks extends readonly true[]> = Checks;
type Client = door.CatalogClient;
type V1 = door.CatalogClientV1;
type Answer<Method extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;
type Maybe<T> = T | undefined;
type Item<List> = List extends AsyncIterable<infer One> ? One : never;

type CreatorFields = Holds<
  [
    Equal<
      door.Creator,
      { name?: Maybe<string>; permalink?: Maybe<string>; username?: Maybe<string> }
    >,
  ]
>;
type IconFields = Holds<
  [
    Equal<door.Icon['id'], string>,
    Equal<door.Icon['term'], Maybe<string>>,
    Equal<door.Icon['attribution'], Maybe<string>>,
    Equal<door.Icon['creator'], Maybe<door.Creator>>,
    Equal<door.Icon['collections'], Maybe<door.CollectionReference[]>>,
    Equal<door.Icon['license_description'], Maybe<string>>,
    Equal<door.Icon['permalink'], Maybe<string>>,
    Equal<door.Icon['styles'], Maybe<door.IconStyle[]>>,
    Equal<door.Icon['tags'], Maybe<string[]>>,
    Equal<door.Icon['thumbnail_url'], Maybe<string>>,
    Equal<door.Icon['icon_url'], Maybe<string>>,
    Equal<door.IconStyle['style'], string>,
    Equal<door.IconStyle['line_weight'], Maybe<number>>,
    Equal<
      door.CollectionReference,
      {
        creator?: Maybe<door.Creator>;
        id: string;
        name?: Maybe<string>;
        permalink?: Maybe<string>;
      }
    >,
  ]
>;
type CollectionFields = Holds<
  [
    Equal<
      door.Collection,
      {
        id: string;
        name?: Maybe<string>;
        creator?: Maybe<door.Creator>;
        icon_count?: Maybe<number>;
        site_url?: Maybe<string>;
        permalink?: Maybe<string>;
        tags?: Maybe<string[]>;
      }
    >,
    Equal<door.CollectionWithIcons['icons'], door.Icon[]>,
    Equal<door.CollectionWithIcons['next_page'], Maybe<string>>,
  ]
>;
type OtherFields = Holds<
  [
    Equal<door.Blacklist, { collection_ids: number[]; icon_ids: number[]; search_terms: string[] }>,
    Equal<door.Usage, { monthly: door.UsagePeriod }>,
    Equal<door.UsagePeriod, { limit?: Maybe<number>; usage?: Maybe<door.UsageCount> }>,
    Equal<door.UsageCount, number | Record<string, unknown>>,
    Equal<
      door.DownloadResponse,
      { base64_encoded_file: string; content_type: string; usage_limits: door.Usage }
    >,
    Equal<door.Download['bytes'], Uint8Array>,
  ]
>;
type Envelopes = Holds<
  [
    Equal<door.IconResponse['generated_at'], Maybe<string>>,
    Equal<door.IconsResponse['total'], Maybe<number>>,
    Equal<door.IconsResponse['next_page'], Maybe<string>>,
    Equal<door.IconsResponse['prev_page'], Maybe<string>>,
    Equal<door.CollectionResponse['collection'], door.CollectionWithIcons>,
    Equal<door.CollectionsResponse['collections'], door.Collection[]>,
    Equal<door.CollectionsResponse['usage_limits'], door.Usage>,
    Equal<door.AutocompleteResponse['suggestions'], string[]>,
    Equal<door.BlacklistResponse['blacklist'], door.Blacklist>,
  ]
>;
type Answers = Holds<
  [
    Equal<Answer<Client['icon']>, door.IconResponse>,
    Equal<Answer<Client['icons']>, door.IconsResponse>,
    Equal<Answer<Client['download']>, door.Download>,
    Equal<Answer<Client['collection']>, door.CollectionResponse>,
    Equal<Answer<Client['collections']>, door.CollectionsResponse>,
    Equal<Answer<Client['autocomplete']>, door.AutocompleteResponse>,
    Equal<Answer<Client['usage']>, door.Usage>,
    Equal<Answer<Client['blacklist']>, door.BlacklistResponse>,
    Equal<Answer<Client['blacklistIds']>, door.BlacklistResponse>,
    Equal<Answer<Client['blacklistTerms']>, door.BlacklistResponse>,
    Equal<Item<ReturnType<Client['iterateIcons']>>, door.Icon>,
    Equal<Item<ReturnType<Client['iterateCollections']>>, door.Collection>,
    Equal<Item<ReturnType<Client['iterateCollectionIcons']>>, door.Icon>,
  ]
>;

type PersonFields = Holds<
  [
    Equal<
      door.V1Person,
      {
        location?: Maybe<string>;
        name?: Maybe<string>;
        permalink?: Maybe<string>;
        username?: Maybe<string>;
      }
    >,
  ]
>;
type V1CollectionFields = Holds<
  [
    Equal<
      door.V1Collection[
        | 'name'
        | 'slug'
        | 'description'
        | 'permalink'
        | 'author_id'
        | 'date_created'
        | 'date_updated'
        | 'is_collaborative'
        | 'is_featured'
        | 'is_published'
        | 'is_store_item'
        | 'sponsor_campaign_link'
        | 'sponsor_id'
        | 'template'],
      Maybe<string>
    >,
    Equal<door.V1Collection['id'], string>,
    Equal<door.V1Collection['author'], Maybe<door.V1Person>>,
    Equal<door.V1Collection['icon_count'], Maybe<string>>,
    Equal<door.V1Collection['sponsor'], Maybe<Record<string, unknown>>>,
    Equal<door.V1Collection['tags'], Maybe<string[]>>,
  ]
>;
type V1IconFields = Holds<
  [
    Equal<
      door.V1Icon[
        | 'term'
        | 'term_slug'
        | 'attribution'
        | 'attribution_preview_url'
        | 'date_uploaded'
        | 'preview_url'
        | 'preview_url_42'
        | 'preview_url_84'
        | 'is_active'
        | 'license_description'
        | 'permalink'
        | 'sponsor_id'
        | 'uploader_id'],
      Maybe<string>
    >,
    Equal<door.V1Icon['id'], string>,
    Equal<door.V1Icon['term_id'], Maybe<number>>,
    Equal<door.V1Icon['icon_url'], Maybe<string>>,
    Equal<door.V1Icon['sponsor'], Maybe<Record<string, unknown>>>,
    Equal<door.V1Icon['sponsor_campaign_link'], Maybe<string>>,
    Equal<door.V1Icon['uploader'], Maybe<door.V1Person>>,
    Equal<door.V1Icon['year'], Maybe<number>>,
    Equal<door.V1Icon['collections'], Maybe<door.V1Collection[]>>,
    Equal<door.V1Icon['tags'], Maybe<door.V1Tag[]>>,
    Equal<door.V1Tag, { id: string; slug?: Maybe<string> }>,
    Equal<Exclude<keyof door.V1Icon, keyof door.V1Upload>, 'collections' | 'tags'>,
  ]
>;
type V1Answers = Holds<
  [
    Equal<Answer<V1['collection']>, door.V1CollectionResponse>,
    Equal<Answer<V1['collectionIcons']>, door.V1IconsResponse>,
    Equal<Answer<V1['collections']>, door.V1CollectionsResponse>,
    Equal<Answer<V1['icon']>, door.V1IconResponse>,
    Equal<Answer<V1['icons']>, door.V1IconsResponse>,
    Equal<Answer<V1['usage']>, door.V1Usage>,
    Equal<Answer<V1['userUploads']>, door.V1UploadsResponse>,
    Equal<Answer<V1['userCollections']>, door.V1CollectionsResponse>,
    Equal<Answer<V1['userCollection']>, door.V1CollectionResponse>,
    Equal<Item<ReturnType<V1['iterateIcons']>>, door.V1Icon>,
    Equal<Item<ReturnType<V1['iterateCollections']>>, door.V1Collection>,
    Equal<Item<ReturnType<V1['iterateCollectionIcons']>>, door.V1Icon>,
    Equal<Item<ReturnType<V1['iterateUserUploads']>>, door.V1Upload>,
    Equal<
      door.V1Limits,
      {
        daily?: Maybe<number | null>;
        hourly?: Maybe<number | null>;
        monthly?: Maybe<number | null>;
      }
    >,
    Equal<
      door.V1UsageCounts,
      { daily?: Maybe<number>; hourly?: Maybe<number>; monthly?: Maybe<number> }
    >,
    Equal<door.V1CollectionResponse, { collection: door.V1Collection }>,
    Equal<door.V1UploadsResponse, { generated_at?: Maybe<string>; uploads: door.V1Upload[] }>,
  ]
>;

/** A method or record that is new has no line here yet. */
type Whole = Holds<
  [
    Equal<
      keyof Client,
      | 'icon'
      | 'icons'
      | 'download'
      | 'collection'
      | 'collections'
      | 'autocomplete'
      | 'usage'
      | 'blacklist'
      | 'blacklistIds'
      | 'blacklistTerms'
      | 'iterateIcons'
      | 'iterateCollections'
      | 'iterateCollectionIcons'
      | 'reset'
      | 'close'
      | 'v1'
    >,
    Equal<
      keyof V1,
      | 'collection'
      | 'collectionIcons'
      | 'collections'
      | 'icon'
      | 'icons'
      | 'usage'
      | 'userUploads'
      | 'userCollections'
      | 'userCollection'
      | 'iterateIcons'
      | 'iterateCollections'
      | 'iterateCollectionIcons'
      | 'iterateUserUploads'
    >,
  ]
>;

export type Checked = [
  CreatorFields,
  IconFields,
  CollectionFields,
  OtherFields,
  Envelopes,
  Answers,
  PersonFields,
  V1CollectionFields,
  V1IconFields,
  V1Answers,
  Whole,
];
