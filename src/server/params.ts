import { hash } from 'node:crypto';
import { type EndpointName, endpointOf, readQuery } from '../catalog/endpoints.ts';

/** Most results of one answer; a larger `limit` is read as this. */
export const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 50;
export const DEFAULT_THUMBNAIL_SIZE = 200;
export const DEFAULT_DOWNLOAD_SIZE = 1200;

/** Query parameters of one call, checked against the endpoint table. */
export interface Query {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  /** 0 or absent: off; any other integer: on. */
  flag(name: string): boolean;
  list(name: string): readonly string[] | undefined;
  /** Both ends inclusive. */
  range(name: string): readonly [number, number] | undefined;
  /** `#` and six lower-case digits. */
  color(name: string): string | undefined;
}

/**
 * @throws 400 for a value outside the limits of the table, and for a parameter given twice, since
 * either value could be meant
 */
export function createQuery(endpoint: EndpointName, params: URLSearchParams): Query {
  for (const name of Object.keys(endpointOf(endpoint).query)) {
    if (params.getAll(name).length > 1) throw badRequest(`${name} is given more than once.`);
  }
  const reading = readQuery(endpoint, params);
  if (!reading.ok) throw badRequest(reading.message);
  const { values } = reading;

  function text(name: string): string | undefined {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  }
  function number(name: string): number | undefined {
    const value = values[name];
    return typeof value === 'number' ? value : undefined;
  }
  return {
    text,
    number,
    flag: (name) => (number(name) ?? 0) !== 0,
    list(name) {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : undefined;
    },
    range(name) {
      const value = values[name];
      return Array.isArray(value) ? [Number(value[0]), Number(value[1])] : undefined;
    },
    color: (name) =>
      text(name)
        ?.toLowerCase()
        .replace(/^([0-9a-f])([0-9a-f])([0-9a-f])$/, '$1$1$2$2$3$3')
        .replace(/^/, '#'),
  };
}

/** `limit` or the default, but never more than one answer can hold. */
function readLimit(query: Query): number {
  return Math.min(query.number('limit') ?? DEFAULT_LIMIT, MAX_LIMIT);
}

export interface Page<T> {
  items: T[];
  next_page?: string;
  prev_page?: string;
}

type Direction = 'n' | 'p';

/**
 * One page of a v2 list. A token holds a position and a digest of the query that it belongs to, so
 * that the limit may change between pages and nothing is repeated or lost; a token of another query
 * is refused. Forward tokens hold the first position of the next page, backward tokens the end of
 * the previous one.
 */
export function paginate<T>({
  items,
  query,
  question,
}: {
  items: readonly T[];
  query: Query;
  question: string;
}): Page<T> {
  const limit = readLimit(query);
  const next = query.text('next_page');
  const prev = query.text('prev_page');
  if (next !== undefined && prev !== undefined)
    throw badRequest('Give `next_page` or `prev_page`, not both.');
  const digest = hash('sha256', question, 'base64url').slice(0, 12);
  const end = prev === undefined ? undefined : decode(prev, 'p', digest);
  const start =
    end === undefined
      ? next === undefined
        ? 0
        : decode(next, 'n', digest)
      : Math.max(0, end - limit);
  const stop = Math.min(items.length, end ?? start + limit);
  return {
    items: items.slice(start, stop),
    ...(stop < items.length && { next_page: encode('n', stop, digest) }),
    ...(start > 0 && { prev_page: encode('p', Math.min(start, items.length), digest) }),
  };
}

function encode(direction: Direction, position: number, digest: string): string {
  return Buffer.from(`${direction}${position}.${digest}`).toString('base64url');
}

function decode(token: string, direction: Direction, digest: string): number {
  const name = direction === 'n' ? 'next_page' : 'prev_page';
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const [, kind, position = '', of] = /^([np])(\d{1,15})\.([\w-]{12})$/.exec(text) ?? [];
  if (kind !== direction || Buffer.from(text, 'latin1').toString('base64url') !== token) {
    throw badRequest(`\`${name}\` is not a token of this catalog.`);
  }
  if (of !== digest)
    throw badRequest(
      `\`${name}\` belongs to another list; all pages of a list need the same filters.`,
    );
  return Number(position);
}

/** One page of a v1 list: `limit` 50 by default; `page` counts pages of `limit` and overrides `offset`. */
export function slice<T>(items: readonly T[], query: Query): T[] {
  const limit = readLimit(query);
  const page = query.number('page');
  const start = page === undefined ? (query.number('offset') ?? 0) : page * limit;
  return items.slice(start, start + limit);
}

/** An answer that is not 200. The message is for the caller: it holds no secret and no expected signature. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }

  toResponse(): Response {
    return Response.json({ message: this.message }, { status: this.status, headers: this.headers });
  }
}

export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

export function notFound(what: string): HttpError {
  return new HttpError(404, `${what} was not found.`);
}
