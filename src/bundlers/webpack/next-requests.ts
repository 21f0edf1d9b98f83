import { subscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { env } from 'node:process';
import picomatch from 'picomatch';
import type { Compiler } from 'webpack';
import type { SessionHost } from '../../build/session-types.ts';
import { createLog } from '../../pipeline/build-state.ts';
import { hostName, isUnboundName } from '../../untrusted.ts';
import { isNext } from './read-icon.ts';

interface Requests {
  /** Patterns of hosts whose pages are the project's own, as `allowedDevOrigins` has them. */
  allowed: Set<string>;
  /** A file of the project has changed. */
  edited(): void;
  /** Settles once a page of the project asks, if another page was the last to ask. */
  mayCall(warn: (message: string) => void): Promise<void>;
}

let requests: Requests | undefined;

/**
 * The dev server of Next.js compiles a page of the project for any request, such as that of an image on a page of another
 * site. No plugin can prevent that, but what the icons of that page would cost waits until the project itself asks.
 *
 * @returns nothing for other compilers
 */
export function guardNextRequests({ options, hooks }: Compiler): Pick<SessionHost, 'mayCall'> {
  if (!isNext(options.output.publicPath) || options.mode !== 'development') return {};
  const seen = (requests ??= watchRequests());
  for (const host of allowedOrigins(options.module.rules)) seen.allowed.add(host);
  // The user who edits a file wants to see it, and an open page learns of that without a request.
  hooks.watchRun.tap('unplugin-icon-catalog', ({ modifiedFiles = new Set<string>() }) => {
    if ([...modifiedFiles].some((file) => SOURCE.test(file))) seen.edited();
  });
  // What is compiling reports its warnings at its end.
  const { warn } = createLog('warn');
  return { mayCall: () => seen.mayCall(warn) };
}

/** Compilers for servers and browsers share the process with the server, and so its requests. */
function watchRequests(): Requests {
  const allowed = new Set<string>();
  /** Requests of the project that are being answered. */
  const own = new Set<ServerResponse>();
  /** Why the last request was not the project's. It counts when it is over, too: compiling goes on. */
  let refusal: string | undefined;
  const waiting: (() => void)[] = [];

  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (COMPILES_NOTHING.test(request.url ?? '')) return;
    refusal = refusalOf(request, allowed);
    if (refusal !== undefined) return;
    own.add(response);
    response.once('close', () => void own.delete(response));
    for (const goOn of waiting.splice(0)) goOn();
  });

  return {
    allowed,
    edited() {
      refusal = undefined;
    },
    async mayCall(warn) {
      if (refusal === undefined || own.size > 0) return;
      if (waiting.length === 0) warn(refusal);
      await new Promise<void>((goOn) => void waiting.push(goOn));
    },
  };
}

/** What can import an icon. The lock is written after a page was opened, and is none of it. */
const SOURCE = /(?<!\.d)\.(?:[cm]?[jt]sx?|mdx?|css|s[ac]ss|less|styl)$/;

/** What an open page of the project loads whenever it likes, such as fonts of the overlay. */
const COMPILES_NOTHING = /\/__nextjs|\/_next\/static\/(?!chunks\/pages\/)/;

/** What the terminal says of a request that is not of the project. `undefined`: it is one of the project. */
function refusalOf(
  { headers, url = '/' }: IncomingMessage,
  allowed: ReadonlySet<string>,
): string | undefined {
  const path = url.split('?', 1)[0];
  const wait =
    'Next.js compiles what any page asks for, and its icons would cost calls of the catalog. They wait, and Next.js with them, until you open a page of this server yourself';
  const { host = '' } = headers;
  if (isRebound(headers, allowed))
    return `A page asked for ${path} of the host ${JSON.stringify(host)}, a name by which any website could reach this machine (DNS rebinding). ${wait}. If the name is yours, list it in \`allowedDevOrigins\` of next.config.`;
  if (isOwn(headers, allowed)) return undefined;
  const { origin, referer } = headers;
  const from = originOf(origin ?? referer) ?? 'another site';
  return `A page of ${from} asked for ${path}. ${wait}. If the other page is yours, too, list its host in \`allowedDevOrigins\` of next.config.`;
}

/** No single header tells: each of them is absent from some requests of some pages. Links may lead here from anywhere. */
function isOwn(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean {
  const { host, origin, referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site === 'same-origin' || site === 'none' || mode === 'navigate') return true;
  const from = origin ?? referer;
  if (site === undefined && from === undefined) return true;
  const page = originOf(from);
  if (page === undefined) return false;
  const { host: ownHost, hostname } = new URL(page);
  return (site === undefined && ownHost === host) || isAllowed(hostname, allowed);
}

/** Browsers send `Sec-Fetch-Site` to addresses with a certificate and to this machine's own names, and a site can get neither for its name. */
function isRebound(
  { host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  allowed: ReadonlySet<string>,
): boolean {
  if (host === undefined || site !== undefined) return false;
  const name = hostName(host);
  if (name === undefined) return true;
  // The name that Next.js has by its option `--hostname`.
  const isGiven = env['__NEXT_PRIVATE_ORIGIN']?.includes(`//${name}:`) === true;
  return !isUnboundName(name) && !isGiven && !isAllowed(name, allowed);
}

function isAllowed(name: string, allowed: ReadonlySet<string>): boolean {
  // A star stands for one label, as it does for one folder of a path.
  const asPath = (host: string): string => host.toLowerCase().replaceAll('.', '/');
  return [...allowed].some((pattern) => picomatch.isMatch(asPath(name), asPath(pattern)));
}

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Next.js gives its configuration to its loader, and to no plugin. */
function allowedOrigins(rules: unknown): string[] {
  if (Array.isArray(rules)) return rules.flatMap(allowedOrigins);
  if (typeof rules !== 'object' || rules === null) return [];
  const { oneOf, use, options, nextConfig } = rules as Record<string, unknown>;
  const { allowedDevOrigins } = (nextConfig ?? {}) as { allowedDevOrigins?: unknown };
  if (Array.isArray(allowedDevOrigins)) return allowedDevOrigins.map(String);
  return [oneOf, use, options].flatMap(allowedOrigins);
}
