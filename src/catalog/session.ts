import { env as processEnvironment } from 'node:process';
import { copyError, IconCatalogError } from '../errors.ts';
import type { Environment } from '../types.ts';
import { parseBaseUrl, type WireResponse } from './wire.ts';
import { type Call, type CallArguments, isId, prepareCall } from './arguments.ts';
import { type CatalogResponse, createGate } from './retry.ts';
import type { CatalogClient, CatalogClientOptions } from './client-types.ts';
import {
  type Answer,
  type Answered,
  AnswerPromise,
  type CallEndpoint,
  createMethods,
} from './client.ts';
import { type EndpointName, ENDPOINTS, type Endpoints } from './endpoints.ts';
import type { CallOptions } from './queries.ts';
import type { Usage } from './records.ts';
import { fieldsOf } from './decoders.ts';
import { checkIdentity, decode } from './schema.ts';
import { createTransport, type SendOptions } from './transport.ts';

export interface SessionHooks {
  /**
   * True for builds and commands, in which one failure stands for all calls that follow: a refused key, a catalog that
   * does not answer and a usage limit end them. @default false
   */
  isBuild?: boolean | undefined;
  /** Maximum of signed calls of one build; attempts, redirects and corrections of the clock count. */
  budget?: number | undefined;
  /** Called for every signed call, before it is sent. */
  onCall?: (() => void) | undefined;
  /** Called with the usage that an answer states. */
  onUsage?: ((monthly: { limit: number; usage: number }) => void) | undefined;
  /**
   * Called when a call was refused for its time and accepted with the time of the catalog, which costs a call.
   * @param milliseconds by which the catalog's clock is ahead of this machine's
   */
  onSkew?: ((milliseconds: number) => void) | undefined;
  /** The environment variables that name proxies. @default process.env */
  env?: Environment | undefined;
  /** Milliseconds before the second attempt. @default 250 */
  backoff?: number | undefined;
}

export interface CatalogSession {
  readonly client: CatalogClient;
  /** What the methods of the client are made of. */
  readonly call: CallEndpoint;
  /** Signs and sends any call below the base address; resolves with the JSON of the answer. */
  send(call: Call): Promise<unknown>;
  /** Signed calls since the last `resetBuild`. */
  calls(): number;
  /** True if an earlier failure keeps further calls from being sent. */
  isStopped(): boolean;
  /** A new build begins: its budget is full, and calls that the last build stopped are tried again. */
  resetBuild(): void;
  /** Ends open calls and sockets; later calls reject. */
  close(): Promise<void>;
}

/**
 * Makes a client of the catalog service. It loads and opens nothing before its first call.
 *
 * @throws IconCatalogError OPTIONS_INVALID
 * @example
 * const client = createCatalogClient({
 *   baseUrl: 'https://catalog.example',
 *   key: 'client-key',
 *   secret: 'its secret',
 *   onRetry: ({ path, attempt, delay }) => console.warn(`${path}: attempt ${attempt} failed, next in ${delay} ms`),
 * });
 */
export function createCatalogClient(options: CatalogClientOptions): CatalogClient {
  return createCatalogSession(options).client;
}

/** A client with the additions that a build needs. */
export function createCatalogSession(
  options: CatalogClientOptions,
  hooks: SessionHooks = {},
): CatalogSession {
  const { fetch, nonce, now = Date.now, concurrency = 8, timeout = 15_000, retries = 2 } = options;
  for (const name of ['key', 'secret'] as const) {
    if (typeof options[name] !== 'string' || options[name] === '') throw invalid(name, 'text');
  }
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw invalid('concurrency', 'an integer, 1 or more');
  checkSending({ timeout, retries });

  const { budget, onCall, onUsage, isBuild = false } = hooks;
  const gate = createGate({ budget, onCall, concurrency, isBuild, now });
  const base = parseBaseUrl(options.baseUrl);
  /** In any form, to find the time at which a limit is renewed. */
  let usage: unknown;
  /** Whether any answer of this catalog followed the interface. */
  let isProven = false;
  const transport = createTransport({
    base,
    key: options.key,
    secret: options.secret,
    fetch,
    nonce,
    now,
    concurrency,
    env: hooks.env ?? processEnvironment,
    backoff: hooks.backoff ?? 250,
    gate,
    hooks: options,
    usage: () => usage,
    onSkew: hooks.onSkew,
  });

  async function send<Data>(
    call: Call,
    options: CallOptions,
    read: (body: unknown) => Data,
  ): Promise<Answered<Data>> {
    const sending = {
      timeout: options.timeout ?? timeout,
      retries: options.retries ?? retries,
      signal: options.signal,
    };
    checkSending(sending);
    const { response, reported } = await transport.send(call, sending);
    try {
      const where = `${call.method} ${base}${call.path.split('?')[0]}`;
      const data = read(readJson(response, where));
      isProven = true;
      return { data, response: reported };
    } catch (error) {
      throw aboutAnswer(error, reported(), isProven);
    }
  }

  function note<Data extends object>(answered: Answered<Data>): Answered<Data> {
    const { usage_limits = answered.data } = answered.data as { usage_limits?: object };
    usage = usage_limits;
    reportUsage(usage_limits, onUsage);
    return answered;
  }

  const call: CallEndpoint = (name, args, options = {}) =>
    new AnswerPromise(ask(name, args, (call, read) => send(call, options, read)).then(note));
  return {
    client: { ...createMethods(call), reset: gate.reopen, close: transport.close },
    call,
    send: async (call) => (await send(call, {}, (body) => body)).data,
    calls: gate.calls,
    isStopped: gate.isStopped,
    resetBuild: gate.reset,
    close: transport.close,
  };
}

/** Calls an endpoint of the table, checks the answer, and adds the icon to errors. */
async function ask<Name extends EndpointName>(
  name: Name,
  args: CallArguments,
  send: <Data>(call: Call, read: (body: unknown) => Data) => Promise<Answered<Data>>,
): Promise<Answered<Answer<Name>>> {
  const prepared = prepareCall(name, args);
  const { icon_id: icon, collection_id: collection, id = collection } = args.segments ?? {};
  const asked = icon ?? id;
  try {
    return await send(prepared, (body): Answer<Name> => {
      const where = `${prepared.method} ${prepared.path}`;
      const decoder: Endpoints[Name]['response'] = ENDPOINTS[name].response;
      const decoded: Answer<Name> = decode(decoder, body, where);
      if (isId(asked)) checkIdentity(decoded, String(asked), where);
      return decoded;
    });
  } catch (error) {
    throw isId(icon) ? aboutIcon(error, icon) : error;
  }
}

function checkSending({ timeout, retries, signal }: SendOptions): void {
  if (!Number.isInteger(retries) || retries < 0) throw invalid('retries', 'an integer, 0 or more');
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw invalid('timeout', 'a positive number of milliseconds');
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid('signal', 'an AbortSignal');
}

function reportUsage(stated: object, onUsage: SessionHooks['onUsage']): void {
  const { limit, usage } = fieldsOf((stated as Partial<Usage>).monthly);
  if (typeof limit === 'number' && typeof usage === 'number' && limit >= 0 && usage >= 0)
    onUsage?.({ limit, usage });
}

/** A catalog whose other answers were right has the right address. */
function aboutAnswer(
  error: unknown,
  { status, headers, requestId }: CatalogResponse,
  isProven: boolean,
): unknown {
  if (!(error instanceof IconCatalogError)) return error;
  const remedy =
    'Other answers of this catalog were right, so its address is right. Try again later, or report this answer to the catalog, with its request id if it has one.';
  return copyError(error, {
    status,
    headers,
    requestId,
    ...(isProven && error.code === 'CATALOG_MALFORMED' && { remedy }),
  });
}

/** The transport knows addresses, and its caller knows icons. */
function aboutIcon(error: unknown, icon: number | string): unknown {
  if (!(error instanceof IconCatalogError) || error.icon !== undefined) return error;
  return copyError(error, { icon });
}

function invalid(path: string, allowed: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `\`${path}\` must be ${allowed}.`,
    path,
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** @throws IconCatalogError CATALOG_MALFORMED for web pages, other media types and broken JSON; never with the text */
function readJson({ status, header, body }: WireResponse, where: string): unknown {
  const type = (header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = header('content-encoding') ?? 'identity';
  // If a service states no media type, its answer is accepted if it parses.
  const expected =
    ['', 'application/json', 'text/json', 'text/plain'].includes(type) || type.endsWith('+json');
  if (!expected) {
    const what =
      type === 'text/html' ? 'a web page' : `a body of type ${JSON.stringify(type.slice(0, 60))}`;
    throw malformed(`${where} was answered with ${what} instead of JSON.`, status);
  }
  try {
    return JSON.parse(UTF8.decode(body)) as unknown;
  } catch {
    // The parser's own message quotes the body.
    const why = body.length === 0 ? 'is empty' : 'is broken or cut off';
    const packed =
      encoding === 'identity'
        ? ''
        : ` It has the encoding ${JSON.stringify(encoding.slice(0, 20))}, which was not requested.`;
    throw malformed(
      `The JSON that answers ${where} ${why}, after ${body.length} bytes.${packed}`,
      status,
    );
  }
}

function malformed(message: string, status: number): IconCatalogError {
  return new IconCatalogError('CATALOG_MALFORMED', { message, status });
}
