import { hash } from 'node:crypto';
import { badRequest } from './http-error.ts';
import { type Query, readLimit } from './params.ts';

export interface Page<T> {
  items: T[];
  next_page?: string;
  prev_page?: string;
}

type Direction = 'n' | 'p';

/**
 * One page of a v2 list. A token holds a position and a digest of the question it belongs to, so that the limit may
 * change between pages and nothing is repeated or lost; a token of another question is refused.
 * Forward tokens hold the first position of the next page, backward tokens the end of the previous one.
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
      `\`${name}\` belongs to another list; pages of a list are asked with the same filters.`,
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
