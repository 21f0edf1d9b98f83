import type { CallArguments } from './arguments.ts';
import type { CatalogResponse } from './client-events.ts';
import type { CatalogClient, CatalogPromise } from './client-types.ts';
import { decodeDownload } from './decode-download.ts';
import type { EndpointName, Endpoints } from './endpoints.ts';
import { followTokens } from './pages.ts';
import type { CallOptions } from './queries.ts';
import type { Decoded } from './schema.ts';
import { createV1Client } from './v1.ts';

/** What the endpoint's row says that its answer is. */
export type Answer<Name extends EndpointName> = Decoded[Endpoints[Name]['response']];

export interface Answered<Data> {
  data: Data;
  response: CatalogResponse;
}

/** Checks, signs, sends and decodes one call of an endpoint. */
export type CallEndpoint = <Name extends EndpointName>(
  name: Name,
  args: CallArguments,
  options?: CallOptions,
) => CatalogPromise<Answer<Name>>;

/**
 * The promise of an answer's data that can also be asked for the whole answer. It waits for that one promise, so that a call which
 * nobody waits for is an unhandled rejection as any other, and one that is asked for with its response is none.
 */
export class AnswerPromise<Data> extends Promise<Data> implements CatalogPromise<Data> {
  readonly #answered: Promise<Answered<Data>>;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answered: Promise<Answered<Data>>) {
    // This promise itself is never looked at: `then`, and with it `catch`, `finally` and `await`, asks the other one.
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

  withResponse(): Promise<Answered<Data>> {
    return this.#answered;
  }
}

type Methods = Omit<CatalogClient, 'reset' | 'close'>;

/** The methods of the public client over one function that calls an endpoint. */
export function createMethods(call: CallEndpoint): Methods {
  const client: Methods = {
    icon: (id, query, options) => call('icon', { segments: { icon_id: id }, query }, options),
    icons: (query, options) => call('icons', { query }, options),
    download(id, query = {}, options) {
      // Named on the wire: what comes without it is not in the interface.
      const filetype = query.filetype ?? 'svg';
      const args = { segments: { icon_id: id }, query: { ...query, filetype } };
      const where = `GET /v2/icon/${id}/download`;
      return new AnswerPromise(
        call('download', args, options)
          .withResponse()
          .then(({ data, response }) => ({
            data: decodeDownload(data, { id, filetype, where }),
            response,
          })),
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
      followTokens(
        async (token) => {
          const page = await client.icons({ ...query, next_page: token }, options);
          return { items: page.icons, total: page.total, next: page.next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    iterateCollections: (query = {}, options) =>
      followTokens(
        async (token) => {
          const page = await client.collections({ ...query, next_page: token }, options);
          return { items: page.collections, total: page.total, next: page.next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    iterateCollectionIcons: (id, query = {}, options) =>
      followTokens(
        async (token) => {
          const page = await client.collection(id, { ...query, next_page: token }, options);
          const { collection, total } = page;
          return { items: collection.icons, total, next: collection.next_page ?? page.next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    v1: createV1Client(call),
  };
  return client;
}
