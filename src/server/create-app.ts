import { resolve } from 'node:path';
import { type EndpointName, endpointOf, ENDPOINTS, isIdSegment } from '../catalog/endpoints.ts';
import { IconCatalogError } from '../errors.ts';
import type { EmbeddedKey, EmbeddedOptions } from '../options/options.ts';
import { createAccounts, createAuthenticator } from './accounts.ts';
import { serveAsset } from './assets.ts';
import { type Call, type Catalog, createAssetAddresses, type Handler } from './call.ts';
import { V1_HANDLERS } from './handlers-v1.ts';
import { V2_HANDLERS } from './handlers-v2.ts';
import { badRequest, createQuery, HttpError, notFound } from './params.ts';
import { readIconifySets, readSvgFolder } from './read-sets.ts';
import { createLibrary, type Library } from './library.ts';
import { createIconSearch } from './search.ts';
import { countCall, openState } from './state.ts';

export type App = (request: Request) => Promise<Response>;

const HANDLERS: Record<string, Handler> = { ...V1_HANDLERS, ...V2_HANDLERS };
/** 20,000 terms of 200 bytes: the longest blacklist that makes sense. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the sets and creates the function that answers requests. It always answers: errors become
 * JSON.
 */
export async function createApp(
  options: EmbeddedOptions,
  keys: readonly EmbeddedKey[],
): Promise<App> {
  const [library, state] = await Promise.all([
    readLibrary(options),
    openState(
      options.stateDir,
      keys.map(({ key }) => key),
    ),
  ]);
  const catalog: Catalog = {
    library,
    search: createIconSearch(library),
    addresses: createAssetAddresses(),
    state,
  };
  const accounts = createAccounts(keys, state);
  const authenticate = createAuthenticator(accounts);
  const now = options.now ?? Date.now;

  const routes = createRoutes();

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    // The path as it was sent: variables are decoded once, when they are read. Published clients write a slash at its end.
    const path = url.pathname.replace(/(?<=[^/])\/$/, '');
    if (request.method === 'GET' && path.startsWith('/asset/'))
      return serveAsset(catalog, url, now());
    for (const route of routes) {
      const match = route.method === request.method ? route.pattern.exec(path) : null;
      if (match === null) continue;
      const time = now();
      const account = authenticate(request, time);
      countCall(account.usage, account.limits, time);
      await state.saveUsage(account.key, account.usage);
      const call: Call = {
        ...catalog,
        account,
        now: time,
        origin: url.origin,
        path: readPath(match.groups ?? {}),
        query: createQuery(route.name, url.searchParams),
        body: route.method === 'POST' ? await readBody(request) : undefined,
      };
      return answerCall(route.name, call);
    }
    throw notFound('This path');
  }

  return (request) => answer(request).catch((error: unknown) => toHttpError(error).toResponse());
}

async function answerCall(name: EndpointName, call: Call): Promise<Response> {
  const result = await HANDLERS[name]?.(call);
  const { path, response } = endpointOf(name);
  const { limits, usage } = call.account;
  const monthly = { limit: limits.monthly ?? 0, usage: usage.counts.monthly };
  // Answers hold temporary addresses and belong to one key.
  const headers = { 'cache-control': 'private, no-store' };
  return Response.json(
    path.startsWith('/v2/') && response !== 'usage'
      ? { ...result, usage_limits: { monthly } }
      : result,
    { headers },
  );
}

function readPath(values: Readonly<Record<string, string>>): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [segment, written] of Object.entries(values)) {
    const value = decoded(written);
    if (isIdSegment(segment) && !Number.isSafeInteger(Number(value))) throw notFound('This id');
    path[segment] = value;
  }
  return path;
}

/** A value that is not UTF-8 text stays as it was sent. */
function decoded(value: string): string {
  return value.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (/^(application\/x-www-form-urlencoded|multipart\/)/i.test(type))
    throw badRequest('The body must be JSON.');
  const bytes = await readAtMost(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not JSON.');
  }
}

async function readAtMost(request: Request, max: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    // The rest of the body is not read, so the connection cannot carry another request.
    if (size > max)
      throw new HttpError(413, `The body is larger than ${max} bytes.`, { connection: 'close' });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Our own faults are reported without their text, which could hold paths of the machine. */
function toHttpError(error: unknown): HttpError {
  return error instanceof HttpError
    ? error
    : new HttpError(500, 'The catalog failed to answer this call.');
}

interface Route {
  name: EndpointName;
  method: 'GET' | 'POST';
  /** Its groups are the variables of the path, as they were sent. */
  pattern: RegExp;
}

/**
 * Routes of the endpoint table, the more exact before the less: fixed paths before variables (`/v2/icon/autocomplete`
 * before `/v2/icon/{icon_id}`), integers before strings (an integer addresses by id, a string by slug or term).
 */
export function createRoutes(): Route[] {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  return names
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((name) => ({ name, method: endpointOf(name).method, pattern: patternOf(name) }));
}

const SEGMENT = /\{(\w+)\}/g;

function patternOf(name: EndpointName): RegExp {
  const pattern = endpointOf(name).path.replace(
    SEGMENT,
    (_, segment: string) => `(?<${segment}>${isIdSegment(segment) ? '[0-9]+' : '[^/]+'})`,
  );
  return new RegExp(`^${pattern}$`);
}

function rankOf(name: EndpointName): number {
  const segments = [...endpointOf(name).path.matchAll(SEGMENT)];
  return segments.reduce((rank, [, segment = '']) => rank + (isIdSegment(segment) ? 1 : 100), 0);
}

/**
 * Everything that the options name: icon sets by prefix, then folders in their order.
 * @throws OPTIONS_INVALID when nothing is found, or if a named set or folder does not exist
 */
export async function readLibrary({
  root = process.cwd(),
  sets,
  folders = [],
}: EmbeddedOptions): Promise<Library> {
  const base = resolve(root);
  const [installed, own] = await Promise.all([
    readIconifySets({ root: base, sets }),
    Promise.all(folders.map((folder) => readSvgFolder(folder, base))),
  ]);
  const library = createLibrary([...installed, ...own]);
  if (library.icons.length > 0) return library;
  throw new IconCatalogError('OPTIONS_INVALID', {
    message:
      'The embedded catalog has no icons: no icon set is installed and no folder holds SVG files.',
    remedy: 'Install a set, for example: npm i -D @iconify-json/tabler',
  });
}
