import { IconCatalogError } from '../errors.ts';
import {
  BLACKLIST_LIMITS,
  PARAMS,
  describeParam,
  endpointOf,
  isIdSegment,
  readQuery,
  type EndpointName,
  type ParamKind,
} from './endpoints.ts';
import type { Parameter } from './oauth.ts';

/** A checked call: what is sent, without address and signature. */
export interface Call {
  method: string;
  /** The path below the base address, with encoded segments. */
  path: string;
  query: readonly Parameter[];
  /** Sent as JSON. */
  body?: unknown;
}

export interface CallArguments {
  /** Values of `{…}` in the endpoint's path. */
  segments?: Readonly<Record<string, unknown>>;
  query?: object | undefined;
  body?: { blacklist: readonly unknown[]; overwrite?: boolean | undefined };
}

/**
 * Checks arguments against the row of their endpoint, before anything is sent.
 * @throws IconCatalogError CATALOG_BAD_REQUEST whose path is the argument
 */
export function prepareCall(name: EndpointName, given: CallArguments): Call {
  const { method, body } = endpointOf(name);
  const call: Call = {
    method,
    path: toPath(name, given.segments ?? {}),
    query: toQuery(name, { ...given.query }),
  };
  if (body === undefined) return call;
  return { ...call, body: toBody(body, given.body) };
}

function toPath(name: EndpointName, values: Readonly<Record<string, unknown>>): string {
  const { path } = endpointOf(name);
  return path.replace(/\{(\w+)\}/g, (_, segment: string) => {
    const value = values[segment];
    return isIdSegment(segment) ? toIntegerSegment(segment, value) : toSegment(segment, value);
  });
}

/** True for what a path addresses by id rather than by slug or term. */
export function isId(value: unknown): value is number | string {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return typeof value === 'string' && /^\d{1,19}$/.test(value);
}

function toIntegerSegment(segment: string, value: unknown): string {
  if (isId(value)) return String(value);
  throw refuse(segment, `${segment} must be an integer, and is ${written(value)}.`);
}

function toSegment(segment: string, value: unknown): string {
  // Every address drops dot segments, also encoded ones, so such a name cannot be requested.
  if (typeof value !== 'string' || value.trim() === '' || /^\.{1,2}$/.test(value)) {
    throw refuse(
      segment,
      `${segment} must be text other than blanks, "." and "..", and is ${written(value)}.`,
    );
  }
  return encodeURIComponent(wellFormed(segment, value));
}

/** Endpoints that return nothing without a `query`; the others list everything without one. */
const REQUIRED_TEXT: ReadonlySet<EndpointName> = new Set(['autocomplete']);

function toQuery(name: EndpointName, given: Readonly<Record<string, unknown>>): Parameter[] {
  const { path, query } = endpointOf(name);
  const wire: Parameter[] = [];
  for (const [param, value] of Object.entries(given)) {
    const kind = Object.hasOwn(query, param) ? query[param] : undefined;
    if (kind === undefined) throw refuse(param, unknownParam(path, param, Object.keys(query)));
    const text = toText(param, kind, value);
    if (param === 'query' && text?.trim() === '')
      throw refuse(param, 'query must have a letter or another sign, and is blank.');
    if (text !== undefined) wire.push([param, wellFormed(param, text)]);
  }
  if (given['next_page'] !== undefined && given['prev_page'] !== undefined)
    throw refuse('prev_page', 'next_page and prev_page lead to different pages: give one of them.');
  if ('query' in query && REQUIRED_TEXT.has(name) && given['query'] === undefined)
    throw refuse('query', `${path} needs a text to complete.`);
  const reading = readQuery(name, wire);
  if (!reading.ok) {
    const { param, message } = reading;
    throw refuse(param, `${message.replace(/\.$/, '')}, and is ${written(given[param])}.`);
  }
  return wire.map(([param, text]) => [param, param === 'color' ? text.replace('#', '') : text]);
}

function unknownParam(path: string, param: string, known: readonly string[]): string {
  const allowed = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  return `${path} has no parameter ${JSON.stringify(param)}. ${allowed}`;
}

function toText(param: string, kind: ParamKind, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const { type } = PARAMS[kind];
  if (type === 'flag' && typeof value === 'boolean') return value ? '1' : undefined;
  if (type === 'list' && Array.isArray(value)) return value.join(',') || undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw refuse(param, `${param} must be ${describeParam(kind)}, and is ${written(value)}.`);
}

/** @throws for half of a surrogate pair, which no encoding can represent */
function wellFormed(param: string, text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw refuse(param, `${param} holds half of a surrogate pair.`);
  return text;
}

function toBody(kind: 'ids' | 'terms', given: CallArguments['body']): unknown {
  const { blacklist, overwrite } = given ?? { blacklist: [] };
  const most = BLACKLIST_LIMITS.paid.perRequest;
  if (!Array.isArray(blacklist) || blacklist.length > most) {
    throw refuse(
      'blacklist',
      `The blacklist of one request must be an array of at most ${most} entries.`,
    );
  }
  if (overwrite !== undefined && typeof overwrite !== 'boolean') {
    throw refuse('overwrite', `overwrite must be true or false, and is ${written(overwrite)}.`);
  }
  const entries = blacklist.map((entry: unknown, index) =>
    kind === 'ids' ? toIdEntry(entry, index) : toTermEntry(entry, index),
  );
  return { blacklist: entries, ...(overwrite !== undefined && { overwrite }) };
}

function toIdEntry(entry: unknown, index: number): number {
  const id = isId(entry) ? Number(entry) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw refuse(`blacklist.${index}`, `An id must be an integer, and is ${written(entry)}.`);
}

function toTermEntry(entry: unknown, index: number): string {
  const path = `blacklist.${index}`;
  if (typeof entry === 'string' && entry.trim() !== '') return wellFormed(path, entry);
  throw refuse(path, `A term must be text, and is ${written(entry)}.`);
}

function written(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function refuse(path: string, message: string): IconCatalogError {
  return new IconCatalogError('CATALOG_BAD_REQUEST', {
    message: `${message} Nothing was sent.`,
    path,
  });
}
