import { expectTypeOf, it } from 'vitest';
import type * as door from '../../src/client.ts';
import type { IconRecord } from '../../src/types.ts';

type Client = door.CatalogClient;

it('types every method and record by the interface', () => {
  expectTypeOf<Client['icon']>().returns.resolves.toEqualTypeOf<door.IconResponse>();
  expectTypeOf<door.IconResponse['icon']['license_description']>().toEqualTypeOf<string>();
  expectTypeOf<door.Icon['icon_url']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<door.Icon>().toExtend<IconRecord>();
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
  expectTypeOf<door.V1Upload['year']>().toEqualTypeOf<number | null>();
  expectTypeOf<door.V1Collection['is_featured']>().toEqualTypeOf<string>();
  expectTypeOf<door.V1Limits['daily']>().toEqualTypeOf<number | null>();
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
  expectTypeOf<keyof door.DownloadQuery>().toEqualTypeOf<'color' | 'filetype' | 'size'>();
  expectTypeOf<keyof door.V1Page>().toEqualTypeOf<'limit' | 'offset' | 'page'>();
  expectTypeOf<keyof door.AutocompleteOptions>().toEqualTypeOf<'blacklist' | 'limit'>();
});
