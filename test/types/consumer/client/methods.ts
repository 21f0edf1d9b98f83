// Every method of both generations, with every parameter that the interface gives it.
import {
  createCatalogClient,
  isIconCatalogError,
  type CatalogClient,
  type CatalogClientOptions,
  type CatalogClientV1,
} from 'unplugin-icon-catalog/client';

const options: CatalogClientOptions = {
  baseUrl: 'https://catalog.example',
  key: 'key',
  secret: 'secret',
  fetch: (request) => fetch(request),
  concurrency: 4,
  timeout: 5000,
  retries: 0,
  now: () => Date.now(),
  nonce: () => 'eight-or-more',
};
export const client: CatalogClient = createCatalogClient(options);

export async function current(): Promise<void> {
  await client.icon(1);
  await client.icon('1', { thumbnail_size: 42, blacklist: 1 });
  await client.icons();
  await client.icons({
    query: 'house',
    styles: 'solid',
    line_weight: 7,
    limit_to_public_domain: 1,
    thumbnail_size: 84,
    blacklist: true,
    include_svg: false,
    limit: 10,
    prev_page: 'token',
    next_page: undefined,
  });
  await client.icons({ styles: 'solid,line', line_weight: '4-10', thumbnail_size: 200 });
  await client.icons({ styles: ['line', 'solid'], line_weight: '7' });
  await client.download(1);
  await client.download(1, { color: '#ff0000', filetype: 'png', size: 20 });
  await client.download('1', { filetype: 'svg' });
  await client.collection(1, {
    blacklist: 1,
    thumbnail_size: 42,
    include_svg: 1,
    limit: 1,
    next_page: 'token',
  });
  await client.collections({ query: 'maps', blacklist: 1, limit: 1, prev_page: 'a' });
  await client.collections();
  await client.autocomplete('hou', { blacklist: 1, limit: 10 });
  await client.usage();
  await client.blacklist();
  await client.blacklistIds([1, '2'], { type: 'collection', overwrite: true });
  await client.blacklistIds([1], { type: 'icon' });
  await client.blacklistTerms(['ein Wort', 'さくら'], { overwrite: false });
  for await (const { term } of client.iterateIcons({ query: 'house', next_page: 'token' }))
    term?.trim();
  for await (const { icon_count } of client.iterateCollections({ limit: 5 })) icon_count?.toFixed();
  for await (const { id } of client.iterateCollectionIcons(1, { include_svg: 1 })) id.trim();
}

export async function legacy(): Promise<void> {
  const v1: CatalogClientV1 = client.v1;
  await v1.collection(1);
  await v1.collection('slug');
  await v1.collectionIcons(1, { limit: 1, offset: 2 });
  await v1.collectionIcons('slug', { page: 3 });
  await v1.collections({ limit: 1, offset: 2, page: 3 });
  await v1.icon(1, { include_png_1200: 1 });
  await v1.icon('house');
  await v1.icons('house', { limit_to_public_domain: 1, limit: 1, offset: 2, page: 3 });
  await v1.usage();
  await v1.userUploads('ada', { limit: 1 });
  await v1.userCollections(1);
  await v1.userCollection(1, 'slug');
  for await (const { term } of v1.iterateIcons('house', { limit_to_public_domain: 1, offset: 5 }))
    term?.trim();
  for await (const { slug } of v1.iterateCollections({ limit: 5 })) slug?.trim();
  for await (const { id } of v1.iterateCollectionIcons('slug', { offset: 5 })) id.trim();
  for await (const { year } of v1.iterateUserUploads('ada')) year?.toFixed();
}

export async function everyCallTakesOptions(signal: AbortSignal): Promise<void> {
  const options = { signal, timeout: 5000, retries: 0 };
  const { data, response } = await client.icon(1, {}, options).withResponse();
  response.headers['date']?.trim();
  response.requestId?.trim();
  data.icon.creator?.name?.trim();
  await client.icons({}, options);
  await client.download(1, { filetype: 'png', size: 64 }, options);
  await client.collection(1, {}, options);
  await client.collections({}, options);
  await client.autocomplete('hou', {}, options);
  await client.usage(options);
  await client.blacklist(options);
  await client.blacklistIds([1], {}, options);
  await client.blacklistTerms(['a'], {}, options);
  await client.v1.collection(1, options);
  await client.v1.collectionIcons(1, {}, options);
  await client.v1.collections({}, options);
  await client.v1.icon(1, {}, options);
  await client.v1.icons('a', {}, options);
  await client.v1.usage(options);
  await client.v1.userUploads('ada', {}, options);
  await client.v1.userCollections(1, options);
  await client.v1.userCollection(1, 'slug', options);
  for await (const { items, total, next } of client.iterateIcons({}, options).pages())
    await client.icons({ limit: items.length + (total ?? 0), next_page: next });
  for await (const { next } of client.v1.iterateIcons('a', {}, options).pages()) next?.toFixed();
  for await (const _ of client.iterateCollections({}, options).pages()) client.reset();
  for await (const _ of client.iterateCollectionIcons(1, {}, options).pages()) client.reset();
  for await (const _ of client.v1.iterateCollections({}, options).pages()) client.reset();
  for await (const _ of client.v1.iterateCollectionIcons(1, {}, options).pages()) client.reset();
  for await (const _ of client.v1.iterateUserUploads('ada', {}, options).pages()) client.reset();
  await client.close();
}

export const watched = createCatalogClient({
  baseUrl: 'https://catalog.example',
  key: 'k',
  secret: 's',
  onRequest: ({ method, path, query, attempt }) => `${method} ${path} ${query['limit']} ${attempt}`,
  onResponse: ({ status, headers, requestId, duration }) =>
    `${status} ${headers['date']} ${requestId} ${duration}`,
  onRetry: ({ error, delay }) => `${error.code} ${delay}`,
});

export async function mayFail(): Promise<string | undefined> {
  try {
    await current();
    return undefined;
  } catch (error) {
    return isIconCatalogError(error)
      ? `${error.code} ${error.status} ${error.path} ${error.retryAfter} ${error.renewsAt?.toISOString()} ${error.headers?.['date']} ${error.requestId}`
      : undefined;
  }
}
