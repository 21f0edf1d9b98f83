import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { copyError, IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Environment } from '../types.ts';
import { addressOf, createFetchWire, createHttpWire, proxyOf, type WireResponse } from './wire.ts';
import type { Call } from './arguments.ts';
import {
  type CatalogResponse,
  type RequestEvent,
  type Gate,
  DeadlineError,
  parseRetryAfter,
  Retriable,
  untilAborted,
  withDeadline,
  withRetries,
} from './retry.ts';
import type { CatalogClientOptions } from './client-types.ts';
import { describeFailure, isRetriable, tellResponse, toRefusal } from './failures.ts';
import { createSigner, type Signer, skewOf } from './signer.ts';

export interface TransportOptions extends Pick<
  CatalogClientOptions,
  'key' | 'secret' | 'fetch' | 'nonce'
> {
  /** As `parseBaseUrl` returns it. */
  base: string;
  concurrency: number;
  /** Milliseconds before the second attempt. */
  backoff: number;
  now: () => number;
  env: Environment;
  gate: Gate;
  hooks: Pick<CatalogClientOptions, 'onRequest' | 'onResponse' | 'onRetry'>;
  /** The usage that the last answer stated. */
  usage: () => unknown;
  /** See `SessionHooks`. */
  onSkew?: ((milliseconds: number) => void) | undefined;
}

export interface SendOptions {
  /** Milliseconds of one attempt. */
  timeout: number;
  retries: number;
  signal?: AbortSignal | undefined;
}

export interface Reply {
  response: WireResponse;
  reported: Reported;
}

/** What may be reported of an answer, which few callers ask for. */
type Reported = () => CatalogResponse;

export interface Transport {
  /** Resolves with an answer of status 200–299. @throws IconCatalogError, or the reason of the signal */
  send(call: Call, options: SendOptions): Promise<Reply>;
  close(): Promise<void>;
}

interface Exchange extends SendOptions {
  call: Call;
  url: URL;
  where: string;
  attempt: number;
}

/** Signs, sends, retries. Credentials stay in the closure of the signer. */
export function createTransport(options: TransportOptions): Transport {
  const { base, key, secret, concurrency, now, gate, hooks, backoff } = options;
  const signer = createSigner({ key, secret, now, nonce: options.nonce });
  const limit = pLimit(concurrency);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const sockets = createSockets(options, { signer, closing: closing.signal });
  async function send(call: Call, sending: SendOptions): Promise<Reply> {
    const { signal, retries } = sending;
    signal?.throwIfAborted();
    const stopped = gate.signal();
    const sent = withRetries((number) => limit(() => attempt(call, number, sending)), {
      retries,
      backoff,
      random: Math.random,
      signal: signal === undefined ? stopped : AbortSignal.any([stopped, signal]),
      onRetry: hooks.onRetry && ((event) => hooks.onRetry?.({ ...eventOf(call), ...event })),
    });
    return signal === undefined ? sent : untilAborted(sent, signal);
  }

  /** One attempt: one signed call, and one more for each redirect and for a clock that was wrong. */
  async function attempt(call: Call, number: number, sending: SendOptions): Promise<Reply> {
    const where = `${call.method} ${call.path.split('?')[0]}`;
    let url = addressOf(base, call);
    let resignedBy: number | undefined;
    for (let hops = 0; ;) {
      sending.signal?.throwIfAborted();
      gate.enter(where);
      const sent = await sockets.exchange({ ...sending, call, url, where, attempt: number });
      const { response, signed, reported } = sent;
      if (response.status >= 200 && response.status < 300) {
        if (resignedBy !== undefined) options.onSkew?.(resignedBy);
        gate.answered(call.path);
        return { response, reported };
      }
      const skew = skewOf(response, signed.time);
      if (skew !== undefined && resignedBy === undefined) {
        resignedBy = signed.time + skew - now();
        signer.setOffset(resignedBy);
        continue;
      }
      // If the correction did not help, the clock was not the reason.
      if (resignedBy !== undefined && skew === undefined && response.status === 401)
        signer.setOffset(0);
      const to = redirectOf(response, { from: url, method: call.method, hops, where });
      if (to === undefined) {
        const { scrub } = signed;
        const context = { where, base, attempt: number, scrub, reported: reported(), now: now() };
        const error = toRefusal(response, { ...context, usage: options.usage() });
        throw judge(error, { call, response, gate, now });
      }
      url = to;
      hops += 1;
    }
  }

  return {
    send,
    async close() {
      const closed = new IconCatalogError('CATALOG_UNAVAILABLE', {
        message: 'The client of the catalog was closed.',
        remedy: 'Create a new one.',
      });
      closing.abort(closed);
      gate.close(closed);
      await sockets.close();
    },
  };
}

interface Exchanged extends Reply {
  signed: ReturnType<Signer['sign']>;
}

/** Signs one call, sends it and waits for the whole answer, whatever its status is. */
function createSockets(
  { base, fetch, concurrency, now, env, gate, hooks }: TransportOptions,
  { signer, closing }: { signer: Signer; closing: AbortSignal },
): { exchange(sending: Exchange): Promise<Exchanged>; close(): Promise<void> } {
  const { origin } = new URL(base);
  const wire = fetch ? createFetchWire(fetch) : createHttpWire({ concurrency, env });

  async function exchange({
    call,
    url,
    where,
    attempt,
    timeout,
    signal,
  }: Exchange): Promise<Exchanged> {
    const signed = signer.sign(call.method, url);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: signed.authorization,
      'user-agent': 'unplugin-icon-catalog',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    hooks.onRequest?.({ ...eventOf(call), attempt });
    const start = now();
    let response: WireResponse;
    try {
      response = await withDeadline(
        (ending) => wire.send({ method: call.method, url, headers, body, signal: ending }),
        {
          milliseconds: timeout,
          outer: signal === undefined ? closing : AbortSignal.any([closing, signal]),
        },
      );
    } catch (thrown) {
      if (signal?.aborted === true && !closing.aborted) throw signal.reason;
      if (isIconCatalogError(thrown)) throw thrown;
      const { error, retry } = describeFailure(thrown, {
        where,
        origin,
        timeout,
        timedOut: thrown instanceof DeadlineError,
        proxied: fetch === undefined && proxyOf(url, env) !== '',
        attempt,
        scrub: signed.scrub,
      });
      gate.failed(call.path, error);
      throw retry ? new Retriable(error) : error;
    }
    const reported: Reported = () => tellResponse(response, signed.scrub);
    const duration = Math.max(0, now() - start);
    hooks.onResponse?.({ ...eventOf(call), attempt, ...reported(), duration });
    return { response, signed, reported };
  }

  return { exchange, close: wire.close };
}

/** What a refusal means for further attempts and for the calls that follow. */
function judge(
  error: IconCatalogError,
  {
    call,
    response,
    gate,
    now,
  }: { call: Call; response: WireResponse; gate: Gate; now: () => number },
): Error {
  if (isRetriable(response.status)) {
    gate.failed(call.path, error);
    return new Retriable(error, parseRetryAfter(response.header('retry-after'), now()));
  }
  gate.answered(call.path);
  if (error.code === 'CATALOG_USAGE_LIMIT') gate.limit(notSent(error), error.renewsAt);
  else if (isAboutKey(error.status, call)) gate.refuse(notSent(error));
  return error;
}

function eventOf({ method, path, query }: Call): Omit<RequestEvent, 'attempt'> {
  return { method, path: path.split('?')[0] ?? '', query: Object.fromEntries(query) };
}

/** A key may be refused a single file for its access level; any other refusal concerns the key itself. */
function isAboutKey(status: number | undefined, { path }: Call): boolean {
  return status === 401 || (status === 403 && !path.endsWith('/download'));
}

function notSent(error: IconCatalogError): IconCatalogError {
  return copyError(error, { message: `Not sent, because of an earlier answer. ${error.reason}` });
}

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The target of a redirect, or `undefined`. A signature is made for one origin and is never sent to another.
 * @throws IconCatalogError CATALOG_UNAVAILABLE for another origin, a loop, or a write that would become a read
 */
function redirectOf(
  { status, header }: WireResponse,
  { from, method, hops, where }: { from: URL; method: string; hops: number; where: string },
): URL | undefined {
  const location = header('location');
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  const refuse = (why: string, remedy?: string): IconCatalogError =>
    new IconCatalogError('CATALOG_UNAVAILABLE', {
      message: `The catalog redirected ${where} (status ${status}): ${why}.`,
      ...(remedy !== undefined && { remedy }),
      status,
    });
  if (!URL.canParse(location, from)) throw refuse('the new address is not an address');
  const to = new URL(location, from);
  if (to.origin !== from.origin) {
    throw refuse(
      `the new address is on another origin, ${to.protocol}//${to.host}, where no signed request is sent`,
      'If that is where the catalog lives now, set ICON_CATALOG_URL (or `catalog.baseUrl`) to its address.',
    );
  }
  if (method !== 'GET' && status < 307) throw refuse('a write must not become a read');
  if (hops >= MOST_REDIRECTS) throw refuse(`more than ${MOST_REDIRECTS} redirects`);
  to.username = '';
  to.password = '';
  to.hash = '';
  return to;
}
