import { type EndpointName, endpointOf, readQuery } from '../catalog/endpoints.ts';
import { badRequest } from './http-error.ts';

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

/** @throws 400 for a value out of the table's limits, and for a parameter given twice: the caller could mean either */
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

/** `limit`, or the default, never more than one answer holds. */
export function readLimit(query: Query): number {
  return Math.min(query.number('limit') ?? DEFAULT_LIMIT, MAX_LIMIT);
}
