import { setMaxListeners } from 'node:events';
import pLimit from 'p-limit';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { FetchPort } from '../types.ts';
import { addressOf } from './address.ts';
import type { Call } from './arguments.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import { describeFailure } from './failures.ts';
import { createFetchWire } from './fetch-wire.ts';
import type { Gate } from './gate.ts';
import { redirectOf } from './redirect.ts';
import { isRetriable, toRefusal } from './refusals.ts';
import { parseRetryAfter, Retriable, withRetries } from './retry.ts';
import { createSigner } from './signer.ts';
import { namesProxy, type Environment } from './environment.ts';
import type { Wire, WireResponse } from './wire.ts';

export interface TransportOptions {
  /** As `parseBaseUrl` gives it. */
  base: string;
  key: string;
  secret: string;
  fetch?: FetchPort | undefined;
  concurrency: number;
  /** Milliseconds of one attempt. */
  timeout: number;
  retries: number;
  /** Milliseconds before the second attempt. */
  backoff: number;
  now: () => number;
  nonce?: (() => string) | undefined;
  random: () => number;
  env: Environment;
  gate: Gate;
  /** See `SessionHooks`. */
  onSkew?: ((milliseconds: number) => void) | undefined;
}

export interface Transport {
  /** Resolves with an answer of status 200–299. @throws IconCatalogError */
  send(call: Call): Promise<WireResponse>;
  close(): Promise<void>;
}

/** A difference of clocks that explains a refused signature. Milliseconds. */
const SKEW = 10_000;

/** Signs, sends, retries. Credentials stay in the closure of the signer. */
export function createTransport(options: TransportOptions): Transport {
  const { base, key, secret, fetch, concurrency, timeout, now, env, gate } = options;
  const { origin } = new URL(base);
  const signer = createSigner({ key, secret, now, nonce: options.nonce });
  const limit = pLimit(concurrency);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  let wire: Promise<Wire> | undefined;

  function openWire(): Promise<Wire> {
    wire ??= fetch
      ? Promise.resolve(createFetchWire(fetch))
      : import('./undici-wire.ts').then((door) =>
          door.createUndiciWire({ concurrency, timeout, env }),
        );
    return wire;
  }

  async function send(call: Call): Promise<WireResponse> {
    const { retries, backoff, random } = options;
    return withRetries((number) => limit(() => attempt(call, number)), {
      retries,
      backoff,
      random,
      signal: gate.signal(),
    });
  }

  /** One attempt: one signed call, and one more for each redirect and for a clock that was wrong. */
  async function attempt(call: Call, number: number): Promise<WireResponse> {
    const where = `${call.method} ${call.path.split('?')[0]}`;
    let url = addressOf(base, call);
    let resignedBy: number | undefined;
    for (let hops = 0; ;) {
      gate.enter(where);
      const { response, signed } = await exchange(call, { url, where, number });
      if (response.status >= 200 && response.status < 300) {
        if (resignedBy !== undefined) options.onSkew?.(resignedBy);
        return response;
      }
      const skew = skewOf(response, signed.time);
      if (skew !== undefined && resignedBy === undefined) {
        resignedBy = signed.time + skew - now();
        signer.setOffset(resignedBy);
        continue;
      }
      // A correction that did not help was none.
      if (resignedBy !== undefined && skew === undefined && response.status === 401)
        signer.setOffset(0);
      const to = redirectOf(response, { from: url, method: call.method, hops, where });
      if (to === undefined) throw refusalOf(response, { where, number, scrub: signed.scrub });
      url = to;
      hops += 1;
    }
  }

  async function exchange(
    call: Call,
    { url, where, number }: { url: URL; where: string; number: number },
  ) {
    const signed = signer.sign(call.method, url);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: signed.authorization,
      'user-agent': 'unplugin-icon-catalog',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    try {
      const door = await openWire();
      const response = await withDeadline(
        (signal) => door.send({ method: call.method, url, headers, body, signal }),
        { milliseconds: timeout, outer: closing.signal },
      );
      return { response, signed };
    } catch (thrown) {
      if (isIconCatalogError(thrown)) throw thrown;
      const timedOut = thrown instanceof DeadlineError;
      const { scrub } = signed;
      const proxied = fetch === undefined && namesProxy(env);
      const { error, retry } = describeFailure(thrown, {
        where,
        origin,
        timeout,
        timedOut,
        proxied,
        attempt: number,
        scrub,
      });
      throw retry ? new Retriable(error) : error;
    }
  }

  function refusalOf(
    response: WireResponse,
    { where, number, scrub }: { where: string; number: number; scrub: (text: string) => string },
  ): Error {
    const error = toRefusal(response, { where, base, attempt: number, scrub });
    if (error.code === 'CATALOG_USAGE_LIMIT') gate.stop(notSent(error));
    if (!isRetriable(response.status)) return error;
    return new Retriable(error, parseRetryAfter(response.header('retry-after'), now()));
  }

  return {
    send,
    async close() {
      const closed = new IconCatalogError('CATALOG_UNAVAILABLE', {
        message: 'The client of the catalog was closed.',
        remedy: 'Make a new one.',
      });
      closing.abort(closed);
      gate.stop(closed);
      await (await wire)?.close();
    },
  };
}

function notSent({ code, reason, remedy, status }: IconCatalogError): IconCatalogError {
  const message = `Not sent, because of an earlier answer. ${reason}`;
  return new IconCatalogError(code, { message, remedy, status });
}

/** Milliseconds that the service's clock is ahead of a signed time; `undefined` where clocks do not explain the refusal. */
function skewOf({ status, header }: WireResponse, signedTime: number): number | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const skew = Date.parse(header('date') ?? '') - signedTime;
  return Math.abs(skew) > SKEW ? skew : undefined;
}
