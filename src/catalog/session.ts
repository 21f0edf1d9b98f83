import { env as processEnvironment } from 'node:process';
import { IconCatalogError } from '../errors.ts';
import { parseBaseUrl } from './address.ts';
import { prepareCall, type Call, type CallArguments } from './arguments.ts';
import { createClient, type Answer } from './client.ts';
import type { CatalogClient, CatalogClientOptions } from './client-types.ts';
import { ENDPOINTS, type EndpointName, type Endpoints } from './endpoints.ts';
import { createGate } from './gate.ts';
import { readJson } from './read-json.ts';
import type { Usage, UsagePeriod } from './records.ts';
import { decode } from './schema.ts';
import { createTransport } from './transport.ts';
import type { Environment } from './environment.ts';

export interface SessionHooks {
  /** Most signed calls of one build; attempts, redirects and corrections of the clock count, as the service meters them. */
  budget?: number | undefined;
  /** Called for every signed call, before it is sent. */
  onCall?: (() => void) | undefined;
  /** Called with the usage that an answer states. */
  onUsage?: ((monthly: UsagePeriod) => void) | undefined;
  /**
   * Called when a call was refused for its time and accepted with the catalog's, which costs a call.
   * @param milliseconds that the catalog's clock is ahead of this machine's
   */
  onSkew?: ((milliseconds: number) => void) | undefined;
  /** Where proxies are named. @default process.env */
  env?: Environment | undefined;
  /** Milliseconds before the second attempt. @default 250 */
  backoff?: number | undefined;
  /** Jitter, 0 to 1. @default Math.random */
  random?: (() => number) | undefined;
}

export interface CatalogSession {
  readonly client: CatalogClient;
  /** Signs and sends any call below the base address; resolves with the JSON of the answer. */
  send(call: Call): Promise<unknown>;
  /** Signed calls since the last `resetBuild`. */
  calls(): number;
  /** A new build begins: its budget is whole, and a usage limit that stopped the last one is asked anew. */
  resetBuild(): void;
  /** Ends open calls and sockets; later calls reject. */
  close(): Promise<void>;
}

/** @throws IconCatalogError OPTIONS_INVALID */
export function createCatalogClient(options: CatalogClientOptions): CatalogClient {
  return createCatalogSession(options).client;
}

/** A client with what a build needs around it. Nothing is loaded or opened before the first call. */
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
  if (!Number.isInteger(retries) || retries < 0) throw invalid('retries', 'an integer, 0 or more');
  if (!(timeout > 0 && timeout < 2 ** 31))
    throw invalid('timeout', 'a positive number of milliseconds');

  const {
    budget,
    onCall,
    onUsage,
    onSkew,
    env = processEnvironment,
    backoff = 250,
    random = Math.random,
  } = hooks;
  const gate = createGate({ budget, onCall });
  const { key, secret } = options;
  const base = parseBaseUrl(options.baseUrl);
  const transport = createTransport({
    base,
    key,
    secret,
    fetch,
    nonce,
    now,
    concurrency,
    timeout,
    retries,
    env,
    backoff,
    random,
    gate,
    onSkew,
  });

  async function send(call: Call): Promise<unknown> {
    return readJson(await transport.send(call), `${call.method} ${base}${call.path.split('?')[0]}`);
  }

  async function call<Name extends EndpointName>(
    name: Name,
    args: CallArguments,
  ): Promise<Answer<Name>> {
    const prepared = prepareCall(name, args);
    const icon = args.segments?.['icon_id'];
    try {
      const body = await send(prepared);
      const decoder: Endpoints[Name]['response'] = ENDPOINTS[name].response;
      const decoded: Answer<Name> = decode(decoder, body, `${prepared.method} ${prepared.path}`);
      reportUsage(decoded, onUsage);
      return decoded;
    } catch (error) {
      throw typeof icon === 'number' || typeof icon === 'string' ? aboutIcon(error, icon) : error;
    }
  }

  return {
    client: createClient(call),
    send,
    calls: gate.calls,
    resetBuild: gate.reset,
    close: transport.close,
  };
}

function reportUsage(decoded: object, onUsage: SessionHooks['onUsage']): void {
  const { usage_limits = decoded } = decoded as { usage_limits?: object };
  const { monthly } = usage_limits as Partial<Usage>;
  if (monthly !== undefined && monthly.limit >= 0 && monthly.usage >= 0) onUsage?.(monthly);
}

/** The transport knows addresses, the caller icons. */
function aboutIcon(error: unknown, icon: number | string): unknown {
  if (!(error instanceof IconCatalogError) || error.icon !== undefined) return error;
  const { code, reason, remedy, status, path, cause } = error;
  return new IconCatalogError(code, { message: reason, remedy, icon, status, path, cause });
}

function invalid(path: string, allowed: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `\`${path}\` must be ${allowed}.`,
    path,
  });
}
