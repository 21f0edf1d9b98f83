import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Connect, ResolvedConfig, ViteDevServer } from 'vite';
import { withoutBundlerParameters } from '../../request/key.ts';
import { hostName, isUnboundName } from '../../untrusted.ts';
import { hostNames, invalidateModules, slashed } from './environments.ts';

/**
 * Who sent a request, as far as the browser's headers show.
 * - `project`: a page of this server, a page of a backend that `server.cors` lets read the answer, or no browser.
 * - `neighbour`: a link, or a page of a backend that embeds a file without CORS.
 * - `foreign`: a page of any other origin, such as another port of localhost.
 * - `rebound`: the host name is not configured. By DNS rebinding, a website's own domain leads to localhost, and its pages
 *   can then read the answers.
 */
export type Sender = 'project' | 'neighbour' | 'foreign' | 'rebound';

interface DevRequest {
  sender: Sender;
  /** Address of the module that asks, if it is one of this server. */
  referrer: string | undefined;
}

export interface DevRequests {
  /** Lets the hooks know which request they work for. Returns what has to run after Vite's own middlewares. */
  watch(server: ViteDevServer): () => void;
  /** The sender of the request that is being answered; `undefined`: the project itself or a script of it. */
  sender(): Sender | undefined;
  /** Answers 403, and says once why. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
  /** False if a browser asks for an address, as opposed to a module that imports something. */
  isImport(importer: string | undefined): importer is string;
  /** The project imports this module. */
  imported(id: string): void;
  /** True if the project imports this module. */
  isImported(id: string): Promise<boolean>;
  /**
   * @param module the id of the module that holds this icon
   * @throws Error if a page of another site asks for that module
   */
  checkSender(specifier: string, module: string | undefined): void;
}

/**
 * Any web page can send requests to a dev server. Only what the project itself asked for may cost a call or write a file:
 * an id that no module imports does not exist, and pages of other sites get no icon.
 */
export function createDevRequests(): DevRequests {
  const current = new AsyncLocalStorage<DevRequest>();
  const imported = new Set<string>();
  const warned = new Set<string>();
  /** Modules that were not loaded because of their sender. */
  const refused = new Set<string>();
  /** Senders of the requests that are being answered. */
  const open = new Map<ServerResponse, Sender>();
  let server: ViteDevServer | undefined;

  function warnOnce(kind: string, message: string): void {
    if (warned.has(kind)) return;
    warned.add(kind);
    server?.config.logger.warn(`[icon-catalog] ${message}`);
  }

  /**
   * After a restart nothing has resolved the imports of an optimised dependency, which browsers keep for a year without
   * asking again. The browser names the importer, and Vite finds out whether that imports the icon.
   */
  async function readImporter(): Promise<void> {
    const { referrer } = current.getStore() ?? {};
    if (server === undefined || referrer === undefined) return;
    await server.transformRequest(referrer).catch(() => undefined);
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    warnOnce(...refusalOf(current.getStore()?.sender, request));
    respond(response, 403, 'Icons are not served to pages of other sites.');
  }

  return {
    watch(watched) {
      server = watched;
      watched.middlewares.use((request, response, next) => {
        void senderOf(request.headers, watched.config.server).then((sender) => {
          if (!response.closed) open.set(response, sender);
          response.once('close', () => void open.delete(response));
          // Vite remembers that a server module failed, and would fail for the project's own pages as well.
          if (!isRefused(sender)) invalidateModules(watched, refused);
          const isKnown = !isIconAddress(request.url) || imported.has(idOf(request.url));
          // Once it is used, an `AsyncLocalStorage` makes every promise of the process slower: what the project may have
          // without a further look, which is all that most servers are asked for, gets along without.
          if (sender === 'project' && isKnown) return next();
          const referrer =
            sender === 'project' ? referrerOf(request.headers, watched.config.base) : undefined;
          if (isRefused(sender)) request.headers[SENDER_HEADER] = sender;
          const answer = isWithheld(request.url, sender) ? () => refuse(request, response) : next;
          current.run({ sender, referrer }, answer);
        }, next);
      });
      return () => {
        watched.middlewares.use((request, response, next) => {
          if (!isIconAddress(request.originalUrl ?? request.url)) return next();
          warnOnce('unknown', answeredUnknown(request));
          respond(response, 404, 'No module of this project imports that icon.');
        });
      };
    },
    sender: () => current.getStore()?.sender,
    refuse,
    isImport: (importer): importer is string =>
      // Vite gives requests the importer that a script of the root's page would have.
      importer !== undefined &&
      slashed(importer) !== slashed(join(server?.config.root ?? '', 'index.html')),
    imported: (id) => void imported.add(id),
    async isImported(id) {
      if (current.getStore() === undefined || imported.has(id)) return true;
      await readImporter();
      return imported.has(id);
    },
    checkSender(specifier, module) {
      const sender = current.getStore()?.sender ?? onlyRefused(open);
      if (!isRefused(sender)) return;
      if (module !== undefined) refused.add(module);
      throw notLoaded(specifier, sender);
    },
  };
}

function answeredUnknown({ method, url, originalUrl = url }: Connect.IncomingMessage): string {
  return `${method} ${originalUrl} is answered with 404, like every icon that no module of this project imports.`;
}

function notLoaded(specifier: string, sender: Sender | undefined): Error {
  const what = `[icon-catalog] \`${specifier}\` is not loaded`;
  return new Error(
    sender === 'rebound'
      ? `${what} for a host name that is not configured. List the name in \`server.allowedHosts\` instead of \`true\`.`
      : `${what}, as a page of another site asks for it. If the page is yours, allow its origin in \`server.cors\` and put \`crossorigin\` on the tag.`,
  );
}

/** What the terminal says of a refused request, once of each kind. */
function refusalOf(
  sender: Sender = 'foreign',
  { headers: { host = '', origin, referer }, url }: IncomingMessage,
): [kind: string, message: string] {
  if (sender === 'rebound')
    return [
      `rebound ${host}`,
      `Icons are not served to the host ${JSON.stringify(host)}: a website could use this domain to read them from localhost (DNS rebinding). If the domain is yours, list it in \`server.allowedHosts\` in place of \`true\`.`,
    ];
  const from = origin ?? (referer === undefined ? 'another site' : originOf(referer));
  return [
    `${sender} ${from}`,
    `A page of ${from} asked for an icon (${url}) and got none. If the page is yours, allow its origin in \`server.cors\` and load scripts with \`type="module"\` or \`crossorigin\`.`,
  ];
}

/** Nuxt renders pages in a process of its own, which learns by this header for whom it shall not. */
export const SENDER_HEADER = 'x-icon-catalog-sender';

/**
 * Pages may be rendered in another process (Nitro, workerd), which asks for modules without saying for which request: they
 * are for those that are being answered.
 */
function onlyRefused(open: ReadonlyMap<ServerResponse, Sender>): Sender | undefined {
  const senders = [...open.values()];
  return senders.every(isRefused) ? senders[0] : undefined;
}

function isRefused(sender: Sender | undefined): boolean {
  return sender === 'foreign' || sender === 'rebound';
}

/** No single header tells: each of them is absent from some requests of some pages. */
async function senderOf(
  headers: IncomingHttpHeaders,
  server: ResolvedConfig['server'],
): Promise<Sender> {
  const { host, origin, referer, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (isRebound(headers, server)) return 'rebound';
  if (site === 'same-origin' || site === 'none') return 'project';
  if (origin !== undefined) {
    if (site === undefined && URL.canParse(origin) && new URL(origin).host === host)
      return 'project';
    return hasBackend(server) && (await isReadable(origin, server)) ? 'project' : 'foreign';
  }
  if (site === undefined) return 'project';
  if (mode === 'navigate') return 'neighbour';
  if (!hasBackend(server)) return 'foreign';
  if (site === 'same-site') return 'neighbour';
  return referer !== undefined && (await isReadable(originOf(referer), server))
    ? 'neighbour'
    : 'foreign';
}

/** Vite's default for `server.cors`: every page of this machine may read the answers. */
const DEFAULT_ORIGINS = String.raw`/^https?:\/\/(?:(?:[^:]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/`;

/**
 * True if the configuration says that another server renders pages of this project. Vite's default does not say so: it
 * allows all programs of this machine, and some of them show pages of other people.
 */
function hasBackend({ cors, headers, origin }: ResolvedConfig['server']): boolean {
  if (origin !== undefined || allowedByHeader(headers) !== undefined) return true;
  if (typeof cors !== 'object') return cors;
  return [cors.origin].flat().some((one) => one !== undefined && String(one) !== DEFAULT_ORIGINS);
}

/**
 * Browsers send `Sec-Fetch-Site` to addresses with a certificate and to this machine's own names, and a site can get
 * neither for its name. Vite does not look at host names if `allowedHosts` is `true`.
 */
function isRebound(
  { host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  server: ResolvedConfig['server'],
): boolean {
  const { allowedHosts, https } = server;
  if (host === undefined || https !== undefined) return false;
  if (site !== undefined && !Array.isArray(allowedHosts)) return false;
  if (OWN_HOST.test(host)) return false;
  const name = hostName(host);
  if (name === undefined) return true;
  if (isUnboundName(name)) return false;
  return !hostNames(server).some(
    (one) => one === name || (one.startsWith('.') && `.${name}`.endsWith(one)),
  );
}

/** What dev servers are mostly asked by, hundreds of times a page: no address need be parsed. */
const OWN_HOST = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/** True if Vite lets pages of this origin read its answers. */
async function isReadable(
  origin: string,
  { cors, headers }: ResolvedConfig['server'],
): Promise<boolean> {
  const always = allowedByHeader(headers);
  if (always !== undefined) return always === '*' || always === origin;
  if (typeof cors !== 'object') return cors;
  const { origin: given } = cors;
  if (typeof given !== 'function') return isAmong(origin, given);
  return new Promise((resolve) =>
    given(origin, (error: Error | null, found) => resolve(!error && isAmong(origin, found))),
  );
}

function allowedByHeader(headers: ResolvedConfig['server']['headers']): unknown {
  return Object.entries(headers ?? {}).find(
    ([name]) => name.toLowerCase() === 'access-control-allow-origin',
  )?.[1];
}

type Origins = boolean | string | RegExp | readonly (string | RegExp)[] | undefined;

function isAmong(origin: string, allowed: Origins): boolean {
  if (allowed === undefined || allowed === '*') return true;
  if (typeof allowed === 'boolean') return allowed;
  if (typeof allowed === 'string') return allowed === origin;
  return allowed instanceof RegExp
    ? new RegExp(allowed).test(origin)
    : allowed.some((one) => isAmong(origin, one));
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'null';
}

/** The address of the module that asks, as Vite's own middlewares would hand it on. */
function referrerOf({ host, referer }: IncomingHttpHeaders, base: string): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { host: from, pathname, search } = new URL(referer);
  if (from !== host) return undefined;
  const path = pathname.startsWith(base) ? pathname.slice(base.length - 1) : pathname;
  return decoded(path + search)
    ?.replace(/^\/@id\//, '')
    .replace('__x00__', '\0');
}

/** Icons, and the islands of Nuxt, which it renders without a word to plugins of its server. */
function isWithheld(url: string | undefined, sender: Sender): boolean {
  if (isRefused(sender) && pathOf(url)?.includes('/__nuxt_island/') === true) return true;
  return sender !== 'project' && isIconAddress(url);
}

function isIconAddress(url: string | undefined): boolean {
  return pathOf(url)?.includes('/@id/icon:') === true;
}

/** The id of an icon's module, of the address that Vite gives it. */
function idOf(url = ''): string {
  return withoutBundlerParameters((decoded(url) ?? '').replace(/^.*?\/@id\//, ''));
}

/** Without the query. `undefined` for what is no address, such as `/50%.png`. */
export function pathOf(url = '/'): string | undefined {
  return decoded(url.split('?', 1)[0] ?? '');
}

function decoded(address: string): string | undefined {
  try {
    return decodeURI(address);
  } catch {
    return undefined;
  }
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(text);
}
