import { IconCatalogError } from '../errors.ts';
import { MAX_RESPONSE_SIZE, TOO_LARGE } from './wire.ts';

export interface FailureContext {
  /** `GET /v2/icon/1` */
  where: string;
  /** `http://host:port` of the catalog. */
  origin: string;
  /** Milliseconds of one attempt. */
  timeout: number;
  timedOut: boolean;
  /** True when the environment names a proxy. */
  proxied: boolean;
  attempt: number;
  scrub: (text: string) => string;
}

export interface Failure {
  error: IconCatalogError;
  /** False where another attempt would end the same. */
  retry: boolean;
}

/** What happened, by the codes of Node and undici. */
const WHAT: Partial<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset before the answer was complete',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https on this port',
  EPROTO: 'it does not speak https on this port',
  EPIPE: 'the connection was reset before the answer was complete',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  ENOTFOUND: 'the host name is unknown (DNS)',
  EAI_AGAIN: 'the host name could not be looked up (DNS)',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'no connection came about in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_BODY_TIMEOUT: 'no complete answer came in time',
};

/** Tells an exchange without an answer. The cause is a copy: originals hold sockets, requests and headers. */
export function describeFailure(thrown: unknown, context: FailureContext): Failure {
  const { where, origin, timeout, timedOut, proxied, attempt, scrub } = context;
  const code = scrub(codeOf(thrown));
  const cause = safeCopy(thrown, scrub);
  if (code === TOO_LARGE) {
    const message = `The answer to ${where} is larger than ${MAX_RESPONSE_SIZE} bytes.`;
    return { error: new IconCatalogError('CATALOG_MALFORMED', { message, cause }), retry: false };
  }
  const plain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO';
  const untrusted = /CERT|^ERR_TLS|^UNABLE_TO|^DEPTH_ZERO/.test(code);
  const what = timedOut
    ? `no complete answer came within ${timeout} ms`
    : (proxyRefusal(thrown) ?? WHAT[code] ?? unnamed(code, untrusted));
  const via = proxied ? ' (the environment names a proxy)' : '';
  const message = `The catalog at ${origin} did not answer ${where}: ${what}${attemptsOf(attempt)}${via}.`;
  return {
    error: new IconCatalogError('CATALOG_UNAVAILABLE', {
      message,
      // OpenSSL's own words for it help nobody.
      ...(plain
        ? { remedy: 'Check ICON_CATALOG_URL: write http:// where the port has no TLS.' }
        : { cause }),
    }),
    retry: !untrusted && !plain,
  };
}

function unnamed(code: string, untrusted: boolean): string {
  if (untrusted) return `its TLS certificate is not trusted (${code})`;
  return code === '' ? 'the network failed' : `the network failed (${code})`;
}

/** undici tells the status of a proxy that refuses a tunnel in words only. */
function proxyRefusal(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const status = /^Proxy response \((\d{3})\)/.exec(thrown.message)?.[1];
  if (status !== undefined) return `the proxy refused with status ${status}`;
  return proxyRefusal(thrown.cause, depth + 1);
}

export function attemptsOf(attempt: number): string {
  return attempt > 1 ? `, in ${attempt} attempts` : '';
}

function codeOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error) || depth > 4) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return codeOf(thrown.cause, depth + 1);
}

function safeCopy(thrown: unknown, scrub: (text: string) => string, depth = 0): Error | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const cause = safeCopy(thrown.cause, scrub, depth + 1);
  const copy = new Error(scrub(thrown.message), cause && { cause });
  copy.name = scrub(thrown.name);
  delete copy.stack;
  return Object.assign(copy, { code: scrub(codeOf(thrown)) });
}
