import { expectTypeOf, it } from 'vitest';
import type * as door from '../../src/client.ts';
import type { Endpoints, EndpointName } from '../../src/catalog/endpoints.ts';
import type { PARAMS } from '../../src/catalog/endpoints.ts';
import type { IconRecord } from '../../src/types.ts';

type Client = door.CatalogClient;

it('types every method and record by the interface', () => {
  expectTypeOf<Client['icon']>().returns.resolves.toEqualTypeOf<door.IconResponse>();
  expectTypeOf<door.IconResponse['icon']['license_description']>().toEqualTypeOf<
    string | undefined
  >();
  expectTypeOf<door.Icon['icon_url']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Required<door.Icon>['styles']>().toExtend<IconRecord['styles'] | undefined>();
  expectTypeOf<Client['icons']>().returns.resolves.toEqualTypeOf<door.IconsResponse>();
  expectTypeOf<Client['download']>()
    .returns.resolves.toHaveProperty('bytes')
    .toEqualTypeOf<Uint8Array>();
  expectTypeOf<Client['collection']>().returns.resolves.toEqualTypeOf<door.CollectionResponse>();
  expectTypeOf<Client['collections']>().returns.resolves.toEqualTypeOf<door.CollectionsResponse>();
  expectTypeOf<
    Client['autocomplete']
  >().returns.resolves.toEqualTypeOf<door.AutocompleteResponse>();
  expectTypeOf<Client['usage']>().returns.resolves.toEqualTypeOf<door.Usage>();
  expectTypeOf<Client['blacklist']>().returns.resolves.toEqualTypeOf<door.BlacklistResponse>();
  expectTypeOf<Client['blacklistIds']>().returns.resolves.toEqualTypeOf<door.BlacklistResponse>();
  expectTypeOf<Client['blacklistTerms']>().returns.resolves.toEqualTypeOf<door.BlacklistResponse>();
  expectTypeOf<Client['iterateIcons']>().returns.toExtend<AsyncIterable<door.Icon>>();

  expectTypeOf<
    door.CatalogClientV1['icon']
  >().returns.resolves.toEqualTypeOf<door.V1IconResponse>();
  expectTypeOf<door.V1Upload['year']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<door.V1Collection['is_featured']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<door.V1Limits['daily']>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<door.CatalogClientV1['iterateUserUploads']>().returns.toExtend<
    AsyncIterable<door.V1Upload>
  >();
});

it('accepts what the interface lists and nothing else', () => {
  expectTypeOf<{
    styles: 'solid,line';
    line_weight: '4-10';
    thumbnail_size: 84;
  }>().toExtend<door.IconsQuery>();
  expectTypeOf<{
    styles: ('solid' | 'line')[];
    line_weight: 7;
    blacklist: 1;
  }>().toExtend<door.IconsQuery>();
  expectTypeOf<{ styles: 'dotted' }>().not.toExtend<door.IconsQuery>();
  expectTypeOf<{ line_weight: 'thick' }>().not.toExtend<door.IconsQuery>();
  expectTypeOf<{ thumbnail_size: 100 }>().not.toExtend<door.IconQuery>();
  expectTypeOf<{ filetype: 'gif' }>().not.toExtend<door.DownloadQuery>();
  expectTypeOf<{ size: '64' }>().not.toExtend<door.DownloadQuery>();
  expectTypeOf<{ type: 'user' }>().not.toExtend<door.BlacklistIdsOptions>();
  expectTypeOf<KeysOf<door.DownloadQuery>>().toEqualTypeOf<'color' | 'filetype' | 'size'>();
  expectTypeOf<keyof door.V1Page>().toEqualTypeOf<'limit' | 'offset' | 'page'>();
  expectTypeOf<keyof door.AutocompleteOptions>().toEqualTypeOf<'blacklist' | 'limit'>();
});

type KeysOf<Query> = Query extends unknown ? keyof Query : never;
type Listed<Name extends EndpointName> = keyof Endpoints[Name]['query'];
type Values<Kind extends keyof typeof PARAMS> = (typeof PARAMS)[Kind] extends {
  values: readonly (infer Value)[];
}
  ? Value
  : never;

it('has the parameters of the endpoint table', () => {
  expectTypeOf<KeysOf<door.IconQuery>>().toEqualTypeOf<Listed<'icon'>>();
  expectTypeOf<KeysOf<door.IconsQuery>>().toEqualTypeOf<Listed<'icons'>>();
  expectTypeOf<KeysOf<door.DownloadQuery>>().toEqualTypeOf<Listed<'download'>>();
  expectTypeOf<KeysOf<door.CollectionQuery>>().toEqualTypeOf<Listed<'collection'>>();
  expectTypeOf<KeysOf<door.CollectionsQuery>>().toEqualTypeOf<Listed<'collections'>>();
  expectTypeOf<KeysOf<door.AutocompleteOptions> | 'query'>().toEqualTypeOf<
    Listed<'autocomplete'>
  >();
  expectTypeOf<KeysOf<door.V1Page>>().toEqualTypeOf<Listed<'v1Collections'>>();
  expectTypeOf<KeysOf<door.V1IconQuery>>().toEqualTypeOf<Listed<'v1IconById'>>();
  expectTypeOf<KeysOf<door.V1IconsQuery>>().toEqualTypeOf<Listed<'v1Icons'>>();
  expectTypeOf<NonNullable<door.IconQuery['thumbnail_size']>>().toEqualTypeOf<
    Values<'thumbnailSize'>
  >();
  expectTypeOf<NonNullable<door.DownloadQuery['filetype']>>().toEqualTypeOf<Values<'filetype'>>();
  expectTypeOf<NonNullable<door.BlacklistIdsOptions['type']>>().toEqualTypeOf<
    Values<'blacklistType'>
  >();
});
