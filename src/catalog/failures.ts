import { type ErrorCode, IconCatalogError } from '../errors.ts';
import { isObject, parseJson } from '../untrusted.ts';
import { type CatalogResponse, parseRetryAfter } from './retry.ts';
import { fieldsOf } from './decoders.ts';
import { MAX_RESPONSE_SIZE, TOO_LARGE, type WireResponse } from './wire.ts';

interface AttemptContext {
  /** `GET /v2/icon/1` */
  where: string;
  attempt: number;
  scrub: (text: string) => string;
}

export interface RefusalContext extends AttemptContext {
  /** The address of the catalog, as `parseBaseUrl` returns it. */
  base: string;
  /** What errors report about the answer. */
  reported: CatalogResponse;
  /** Milliseconds since 1970. */
  now: number;
  /** The usage that the last answer stated, in any form. */
  usage: unknown;
}

/** The service cannot do this at all, so a retry is pointless. */
const NOT_IMPLEMENTED = 501;

/** Statuses after which the same request may succeed. */
export function isRetriable(status: number): boolean {
  return status === 408 || status === 425 || (status >= 500 && status !== NOT_IMPLEMENTED);
}

const CODES: Partial<Record<number, ErrorCode>> = {
  401: 'CATALOG_UNAUTHORIZED',
  402: 'CATALOG_FORBIDDEN',
  403: 'CATALOG_FORBIDDEN',
  404: 'CATALOG_NOT_FOUND',
  410: 'CATALOG_NOT_FOUND',
  429: 'CATALOG_USAGE_LIMIT',
};

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  CATALOG_UNAUTHORIZED: 'refused the signature or the key',
  CATALOG_FORBIDDEN:
    'refused: the access level of the key does not cover it, or the signature is wrong',
  CATALOG_NOT_FOUND: 'has no such icon or page',
  CATALOG_USAGE_LIMIT:
    'reports that the usage limit of the key is reached; no further call is made',
  CATALOG_UNAVAILABLE: 'failed',
  CATALOG_BAD_REQUEST: 'refused the parameters',
  CATALOG_MALFORMED: 'answered with a status that the interface does not have',
};

/** Creates the error for an answer that is not a success. */
export function toRefusal(
  response: WireResponse,
  { where, base, attempt, scrub, reported, now, usage }: RefusalContext,
): IconCatalogError {
  const { status } = response;
  const code = codeOf(status);
  const said = readMessage(response, scrub);
  const wait = parseRetryAfter(response.header('retry-after'), now);
  const asked = wait === undefined ? undefined : Math.ceil(wait / 1000);
  const renewsAt =
    status === 429
      ? new Date(wait === undefined ? renewalOf(readUsage(response) ?? usage, now) : now + wait)
      : undefined;
  const until =
    asked !== undefined && (status === 429 || status === 503)
      ? ` It asks to wait ${duration(asked)}.`
      : '';
  return new IconCatalogError(code, {
    message: `The catalog ${status === NOT_IMPLEMENTED ? 'cannot do this' : REFUSALS[code]} (${where}, status ${status}${attemptsOf(attempt)}).${said && ` It said: "${said.replace(/\.$/, '')}".`}${until}`,
    ...(code === 'CATALOG_FORBIDDEN' && {
      remedy:
        'Choose a public-domain icon, or use a key with paid access. If every icon is refused, check ICON_CATALOG_KEY and ICON_CATALOG_SECRET.',
    }),
    ...(code === 'CATALOG_NOT_FOUND' &&
      (said === '' || new URL(base).pathname !== '/') && {
        remedy: `Check the id, or search the catalog for another icon. If nothing is found, check ICON_CATALOG_URL: paths such as /v2/icon are added to ${base}.`,
      }),
    ...(status === NOT_IMPLEMENTED && {
      remedy: 'Do what the catalog said, or ask for another form of the icon.',
    }),
    status,
    headers: reported.headers,
    requestId: reported.requestId,
    retryAfter: renewsAt === undefined ? asked : Math.ceil((renewsAt.getTime() - now) / 1000),
    renewsAt,
  });
}

const PERIODS = ['monthly', 'daily', 'hourly'] as const;

/**
 * The earliest time at which a reached limit is renewed: the end of the longest period whose limit the usage has
 * reached. If no limit is stated, it is the end of the hour, the shortest period of the interface. Periods are those of
 * UTC.
 */
function renewalOf(usage: unknown, now: number): number {
  const body = fieldsOf(usage);
  const reached = PERIODS.find((period) => {
    const own = fieldsOf(body[period]);
    const limit = own['limit'] ?? fieldsOf(body['limits'])[period];
    const made = own['usage'] ?? fieldsOf(body['usage'])[period];
    return typeof limit === 'number' && typeof made === 'number' && made >= limit;
  });
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (reached === 'monthly') return Date.UTC(year, month + 1);
  if (reached === 'daily') return Date.UTC(year, month, day + 1);
  return Date.UTC(year, month, day, date.getUTCHours() + 1);
}

function readUsage({ body }: WireResponse): unknown {
  return fieldsOf(parseJson(beginningOf(body)))['usage_limits'];
}

/** A refusal that is longer is a page. */
function beginningOf(body: Uint8Array): string {
  return Buffer.from(body.subarray(0, 4096)).toString();
}

const REQUEST_IDS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'cf-ray',
];
/** Header names that are harmless. Everything else, cookies and addresses above all, is left out. */
const TOLD =
  /^(?:age|cache-control|content-(?:language|length|type)|date|etag|last-modified|retry-after|server|(?:x-)?rate-?limit[\w-]{0,40})$/;

/** What may be reported of an answer. */
export function tellResponse(
  response: WireResponse,
  scrub: (text: string) => string,
): CatalogResponse {
  const read = (name: string): string => scrub(response.header(name) ?? '').slice(0, 500);
  const names = response.headerNames();
  const ids = REQUEST_IDS.filter((name) => names.includes(name));
  const reported = names.filter((name) => TOLD.test(name)).concat(ids);
  const headers = Object.fromEntries(reported.map((name) => [name, read(name)]));
  const [first] = ids;
  return { status: response.status, headers, requestId: first && read(first) };
}

/** Seconds in the unit that a reader would use. */
function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.ceil(seconds / 3600)} hours`;
  return `${Math.ceil(seconds / 86_400)} days`;
}

function codeOf(status: number): ErrorCode {
  if (isRetriable(status) || status === NOT_IMPLEMENTED) return 'CATALOG_UNAVAILABLE';
  if (status < 400) return 'CATALOG_MALFORMED';
  return CODES[status] ?? 'CATALOG_BAD_REQUEST';
}

const LONGEST = 200;

/** The service's own words, from a JSON body or a short plain text; never a page. */
function readMessage({ body }: WireResponse, scrub: (text: string) => string): string {
  const text = beginningOf(body).trim();
  const said = fromJson(text) ?? (/^[<{[]/.test(text) ? '' : text);
  const line = scrub(said)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function fromJson(text: string): string | undefined {
  const body = parseJson(text);
  if (typeof body === 'string') return body;
  if (!isObject(body)) return undefined;
  const values = ['message', 'error_description', 'error', 'detail'].map((name) => body[name]);
  return values.find((value) => typeof value === 'string') ?? '';
}

export interface FailureContext extends AttemptContext {
  /** `http://host:port` of the catalog. */
  origin: string;
  /** Milliseconds of one attempt. */
  timeout: number;
  timedOut: boolean;
  /** True if the environment names a proxy. */
  proxied: boolean;
}

export interface Failure {
  error: IconCatalogError;
  /** False if another attempt would end the same way. */
  retry: boolean;
}

/** What happened, by the error codes of Node.js. */
const NETWORK_FAILURES: Partial<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset before the answer was complete',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https on this port',
  EPROTO: 'it does not speak https on this port',
  EPIPE: 'the connection was reset before the answer was complete',
  ENOTFOUND: 'the host name is unknown (DNS)',
  EAI_AGAIN: 'the host name could not be looked up (DNS)',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'no connection was made in time',
};

/** Creates the error for an exchange without an answer. Its cause is a copy: originals hold sockets and headers. */
export function describeFailure(thrown: unknown, context: FailureContext): Failure {
  const { where, origin, timeout, timedOut, proxied, attempt, scrub } = context;
  const code = scrub(networkCodeOf(thrown));
  const cause = safeCopy(thrown, scrub);
  if (code === TOO_LARGE) {
    const message = `The answer to ${where} is larger than ${MAX_RESPONSE_SIZE} bytes.`;
    return { error: new IconCatalogError('CATALOG_MALFORMED', { message, cause }), retry: false };
  }
  const plain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO';
  const untrusted = /CERT|^ERR_TLS|^UNABLE_TO|^DEPTH_ZERO/.test(code);
  const what = timedOut
    ? `no complete answer came within ${timeout} ms`
    : (proxyRefusal(thrown) ?? NETWORK_FAILURES[code] ?? unnamed(code, untrusted));
  const via = proxied ? ' (the environment names a proxy)' : '';
  const message = `The catalog at ${origin} did not answer ${where}: ${what}${attemptsOf(attempt)}${via}.`;
  return {
    error: new IconCatalogError('CATALOG_UNAVAILABLE', {
      message,
      // OpenSSL's own words for it are of no help to users.
      ...(plain
        ? { remedy: 'Check ICON_CATALOG_URL: write http:// if the port has no TLS.' }
        : { cause }),
    }),
    retry: !untrusted && !plain,
  };
}

function unnamed(code: string, untrusted: boolean): string {
  if (untrusted) return `its TLS certificate is not trusted (${code})`;
  return code === '' ? 'the network failed' : `the network failed (${code})`;
}

/** hpagent reports only as text that a proxy refuses a tunnel, or does not answer. */
function proxyRefusal(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const status = /^Bad response: (\d{3})$/.exec(thrown.message)?.[1];
  if (status !== undefined) return `the proxy refused with status ${status}`;
  if (thrown.message === 'Proxy timeout') return 'the proxy did not answer in time';
  return proxyRefusal(thrown.cause, depth + 1);
}

function attemptsOf(attempt: number): string {
  return attempt > 1 ? `, in ${attempt} attempts` : '';
}

function networkCodeOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return networkCodeOf(thrown.cause, depth + 1);
}

function safeCopy(thrown: unknown, scrub: (text: string) => string, depth = 0): Error | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const cause = safeCopy(thrown.cause, scrub, depth + 1);
  const copy = new Error(scrub(thrown.message), cause && { cause });
  copy.name = scrub(thrown.name);
  delete copy.stack;
  return Object.assign(copy, { code: scrub(networkCodeOf(thrown)) });
}
