import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { type CallArguments, isId } from './arguments.ts';
import type { CatalogResponse } from './retry.ts';
import type {
  CatalogClient,
  CatalogClientV1,
  CatalogPromise,
  Items,
  Page,
} from './client-types.ts';
import type { EndpointName, Endpoints } from './endpoints.ts';
import type { CallOptions, Flag } from './queries.ts';
import type { Download, DownloadResponse } from './records.ts';
import type { Decoded } from './decoders.ts';

/** The answer that the row of the endpoint states. */
export type Answer<Name extends EndpointName> = Decoded[Endpoints[Name]['response']];

export interface Answered<Data> {
  data: Data;
  /** Makes what may be reported of the answer. */
  response: () => CatalogResponse;
}

/** Checks, signs, sends and decodes one call of an endpoint. */
export type CallEndpoint = <Name extends EndpointName>(
  name: Name,
  args: CallArguments,
  options?: CallOptions,
) => AnswerPromise<Answer<Name>>;

/**
 * The promise of an answer's data, which can also return the whole answer. It waits for that one promise, so that a
 * call which nothing awaits is an unhandled rejection like any other, and a call whose `withResponse()` is awaited is
 * not.
 */
export class AnswerPromise<Data> extends Promise<Data> implements CatalogPromise<Data> {
  readonly #answered: Promise<Answered<Data>>;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answered: Promise<Answered<Data>>) {
    // This promise itself is never observed: `then`, and with it `catch`, `finally` and `await`, uses the other one.
    super(() => undefined);
    this.#answered = answered;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  override then<Result1 = Data, Result2 = never>(
    onFulfilled?: ((data: Data) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    return this.#answered.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  withResponse(): ReturnType<CatalogPromise<Data>['withResponse']> {
    return this.#answered.then(({ data, response }) => ({ data, response: response() }));
  }

  /** The answer with another form of its data. */
  static map<From, To>(from: AnswerPromise<From>, change: (data: From) => To): AnswerPromise<To> {
    return new AnswerPromise(
      from.#answered.then(({ data, response }) => ({ data: change(data), response })),
    );
  }
}

export type CatalogMethods = Omit<CatalogClient, 'reset' | 'close'>;

/** The methods of the public client over one function that calls an endpoint. */
export function createMethods(call: CallEndpoint): CatalogMethods {
  const client: CatalogMethods = {
    icon: (id, query, options) => call('icon', { segments: { icon_id: id }, query }, options),
    icons: (query, options) => call('icons', { query }, options),
    download(id, query = {}, options) {
      // The arguments are listed by their names in the interface, so that no others are sent.
      const filetype = query.filetype ?? 'svg';
      const args = { segments: { icon_id: id }, query: { ...query, filetype } };
      const where = `GET /v2/icon/${id}/download`;
      return AnswerPromise.map(call('download', args, options), (data) =>
        decodeDownload(data, { id, filetype, where }),
      );
    },
    collection: (id, query, options) =>
      call('collection', { segments: { collection_id: id }, query }, options),
    collections: (query, options) => call('collections', { query }, options),
    autocomplete: (text, query, options) =>
      call('autocomplete', { query: { ...query, query: text } }, options),
    usage: (options) => call('usage', {}, options),
    blacklist: (options) => call('blacklist', {}, options),
    blacklistIds: (ids, { type, overwrite } = {}, options) =>
      call('blacklistIds', { query: { type }, body: { blacklist: ids, overwrite } }, options),
    blacklistTerms: (terms, { overwrite } = {}, options) =>
      call('blacklistTerms', { body: { blacklist: terms, overwrite } }, options),

    iterateIcons: (query = {}, options) =>
      followTokens(query, async (page) => {
        const { icons, total, next_page } = await client.icons(page, options);
        return { items: icons, total, next: next_page };
      }),
    iterateCollections: (query = {}, options) =>
      followTokens(query, async (page) => {
        const { collections, total, next_page } = await client.collections(page, options);
        return { items: collections, total, next: next_page };
      }),
    iterateCollectionIcons: (id, query = {}, options) =>
      followTokens(query, async (page) => {
        const { collection, total, next_page } = await client.collection(id, page, options);
        return { items: collection.icons, total, next: collection.next_page ?? next_page };
      }),
    v1: createV1Client(call),
  };
  return client;
}

/** The methods of the legacy generation. */
function createV1Client(call: CallEndpoint): CatalogClientV1 {
  const client: CatalogClientV1 = {
    collection: (idOrSlug, options) =>
      isId(idOrSlug)
        ? call('v1CollectionById', { segments: { id: idOrSlug } }, options)
        : call('v1CollectionBySlug', { segments: { slug: idOrSlug } }, options),
    collectionIcons: (idOrSlug, query, options) =>
      isId(idOrSlug)
        ? call('v1CollectionIconsById', { segments: { id: idOrSlug }, query }, options)
        : call('v1CollectionIconsBySlug', { segments: { slug: idOrSlug }, query }, options),
    collections: (query, options) => call('v1Collections', { query }, options),
    icon: (idOrTerm, query, options) =>
      isId(idOrTerm)
        ? call('v1IconById', { segments: { id: idOrTerm }, query }, options)
        : call('v1IconByTerm', { segments: { term: idOrTerm }, query }, options),
    icons: (term, query, options) => call('v1Icons', { segments: { term }, query }, options),
    usage: (options) => call('v1Usage', {}, options),
    userUploads: (username, query, options) =>
      call('v1UserUploads', { segments: { username }, query }, options),
    userCollections: (userId, options) =>
      call('v1UserCollections', { segments: { user_id: userId } }, options),
    userCollection: (userId, slug, options) =>
      call('v1UserCollection', { segments: { user_id: userId, slug } }, options),

    iterateIcons: (term, query = {}, options) =>
      follow(query, async (page) => {
        try {
          return (await client.icons(term, page, options)).icons;
        } catch (error) {
          // A search without hits is answered with 404.
          if (isIconCatalogError(error) && error.code === 'CATALOG_NOT_FOUND') return [];
          throw error;
        }
      }),
    iterateCollections: (query = {}, options) =>
      follow(query, async (page) => (await client.collections(page, options)).collections),
    iterateCollectionIcons: (idOrSlug, query = {}, options) =>
      follow(query, async (page) => (await client.collectionIcons(idOrSlug, page, options)).icons),
    iterateUserUploads: (username, query = {}, options) =>
      follow(query, async (page) => (await client.userUploads(username, page, options)).uploads),
  };
  return client;
}

function follow<Query extends { offset?: number | undefined }, Item extends { id: string }>(
  query: Query,
  load: (page: Query) => Promise<readonly Item[]>,
): Items<Item, number> {
  const start = query.offset ?? 0;
  return followOffsets((offset) => load(offset === 0 ? query : { ...query, offset }), start);
}

interface TokenQuery {
  next_page?: string | undefined;
  blacklist?: Flag | undefined;
}

/** The number of empty pages in a row that are followed if a blacklist may have emptied them. */
const MOST_EMPTY_PAGES = 100;

/**
 * Items of a list with page tokens: one call a page. It ends at a page without a token, at a token that was followed
 * before, or at an empty page. An item that a shifting list shows twice is returned once.
 */
function followTokens<Query extends TokenQuery, Item extends { id: string }>(
  query: Query,
  load: (query: Query) => Promise<Omit<Page<Item, string>, 'items'> & { items: readonly Item[] }>,
): Items<Item, string> {
  return itemsOf(async function* pages() {
    const followed = new Set<string>();
    const given = new Set<string>();
    let token = query.next_page;
    // The key's blacklist is applied to pages, which may be empty though more follow.
    for (let empty = 0; empty < (query.blacklist ? MOST_EMPTY_PAGES : 1);) {
      if (token !== undefined) followed.add(token);
      const { items, total, next } = await load({ ...query, next_page: token });
      const isLast = next === undefined || followed.has(next);
      yield { items: unseen(items, given), total, next: isLast ? undefined : next };
      if (isLast) return;
      empty = items.length === 0 ? empty + 1 : 0;
      token = next;
    }
  });
}

/**
 * Items of a list with offsets. The offset grows by what a page held, not by what was requested: no item is lost if a
 * service returns less than `limit`, and none is repeated if it filters its pages. It ends at a page without anything
 * new.
 */
function followOffsets<Item extends { id: string }>(
  load: (offset: number) => Promise<readonly Item[]>,
  start: number,
): Items<Item, number> {
  return itemsOf(async function* pages() {
    const given = new Set<string>();
    for (let offset = start; ;) {
      const items = await load(offset);
      const fresh = unseen(items, given);
      if (fresh.length === 0) return;
      offset += items.length;
      yield { items: fresh, total: undefined, next: offset };
    }
  });
}

function itemsOf<Item, Token>(
  pages: () => AsyncGenerator<Page<Item, Token>, void, undefined>,
): Items<Item, Token> {
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.items;
  }
  return Object.assign(items(), { pages });
}

function unseen<Item extends { id: string }>(items: readonly Item[], given: Set<string>): Item[] {
  return items.filter(({ id }) => !given.has(id) && given.add(id));
}

const CONTENT_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const;
const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Adds the file to a download. The stated type, the actual type and the requested type must agree.
 * @throws IconCatalogError CATALOG_MALFORMED
 */
function decodeDownload(
  response: DownloadResponse,
  { id, filetype, where }: { id: number | string; filetype: 'svg' | 'png'; where: string },
): Download {
  const fail = (path: string, what: string): IconCatalogError =>
    new IconCatalogError('CATALOG_MALFORMED', {
      message: `The file that answers ${where} cannot be used: ${what}.`,
      icon: id,
      path,
    });

  const stated = response.content_type.split(';')[0]?.trim().toLowerCase();
  if (stated !== CONTENT_TYPES[filetype]) {
    const reported = JSON.stringify(response.content_type.slice(0, 60));
    throw fail('content_type', `${filetype} was asked for, and its content_type is ${reported}`);
  }
  const bytes = decodeBase64(response.base64_encoded_file);
  if (bytes === undefined) throw fail('base64_encoded_file', 'it is not base64');
  if (bytes.length === 0) throw fail('base64_encoded_file', 'it is empty');
  const real = filetype === 'png' ? isPng(bytes) : isMarkup(bytes);
  if (!real)
    throw fail('base64_encoded_file', `its bytes are not those of a file of type ${filetype}`);
  return { ...response, bytes };
}

/** Strict: alphabet, padding and length as RFC 4648 section 4 has them; line ends are allowed. */
function decodeBase64(text: string): Uint8Array | undefined {
  const line = text.replace(/\r?\n/g, '');
  const bytes = Buffer.from(line, 'base64');
  return bytes.toString('base64') === line ? new Uint8Array(bytes) : undefined;
}

export function isPng(bytes: Uint8Array): boolean {
  return PNG_SIGNATURE.every((byte, index) => bytes[index] === byte);
}

/** The SVG code decides whether this is a good SVG; other formats and web pages are refused here. */
function isMarkup(bytes: Uint8Array): boolean {
  const start = new TextDecoder(isUtf16(bytes)).decode(bytes.subarray(0, 1024)).trimStart();
  return start.startsWith('<') && !/^<(?:!doctype\s+html|html)\b/i.test(start);
}

function isUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
