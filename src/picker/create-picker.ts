import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type IconCatalogError, isIconCatalogError } from '../errors.ts';
import { hostName } from '../untrusted.ts';
import { type Answers, type AnswersInput, createAnswers, isExpected, notFound } from './answers.ts';
import type * as api from './api.ts';
import { MOUNT, PickerRefusal, type PickerState } from './state.ts';

export interface PickerPorts extends AnswersInput {
  access: PickerAccess;
  /** Folder of the built page. @default `picker` of this package */
  page?: URL;
}

export interface Picker {
  /** Answers one request below `MOUNT`, whatever stands before that. It never rejects. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The icon browser of a project: its page, and what the page asks. Only for dev servers and `icon-catalog browse`. A GET
 * neither makes a signed call nor writes anything.
 */
export function createPicker({ access, page = pageFolder(), ...ports }: PickerPorts): Picker {
  const { state, log } = ports;
  const answers = createAnswers(ports);
  const parts: Parts = { state, access, page, answers };

  return {
    async fetch(request) {
      try {
        return await answer(request, parts);
      } catch (error) {
        if (!isExpected(error))
          log.error(`The icon browser failed: ${error instanceof Error ? error.message : ''}`);
        return refusal(error, answers);
      }
    },
    close: answers.close,
  };
}

interface Parts extends Pick<PickerPorts, 'state' | 'access'> {
  page: URL;
  answers: Answers;
}

async function answer(request: Request, parts: Parts): Promise<Response> {
  const { access, page } = parts;
  checkHost(request, access);
  const { pathname } = new URL(request.url);
  const start = pathname.indexOf(MOUNT);
  if (start === -1) throw notFound();
  const path = pathname.slice(start + MOUNT.length);
  if (path.startsWith('api/')) return call(path.slice(4), request, parts);
  if (request.method !== 'GET')
    throw new PickerRefusal(405, { code: 'METHOD', message: 'Only GET is answered here.' });
  if (path.startsWith('thumb/')) return picture(path.slice(6), parts);
  return file(path, page);
}

async function call(name: string, request: Request, { state, answers }: Parts): Promise<Response> {
  const body = await readCall(request, state);
  const answered = await answers.ask(name, body);
  if ('body' in answered) return json(answered.body);
  return refusal(answered.error, answers, answered.costs);
}

async function picture(name: string, { state, answers }: Parts): Promise<Response> {
  const [, base = '', id = '', signature = '', extension] =
    /^((\d{1,16})-200)-([0-9a-f]{32})\.(png|svg)$/.exec(name) ?? [];
  if (base === '' || !state.isSigned(base, signature)) throw notFound();
  const cache = 'private, max-age=3600';
  if (extension === 'svg') {
    const svg = await answers.drawing(id).catch(() => undefined);
    if (svg !== undefined) return respond(svg, { type: 'image/svg+xml', cache });
  } else {
    const { thumbnails } = await answers.project();
    const found = await thumbnails.get(id, state.addressOf(id));
    if (found !== undefined) {
      return 'png' in found
        ? respond(new Uint8Array(found.png), { type: 'image/png', cache })
        : respond(found.svg, { type: 'image/svg+xml', cache });
    }
  }
  throw new PickerRefusal(404, {
    code: 'EXPIRED',
    message: 'This picture is not here any more.',
  });
}

function json(body: object, status = 200): Response {
  return respond(JSON.stringify(body), { status, type: 'application/json; charset=utf-8' });
}

function refusal(error: unknown, { explain }: Answers, costs?: api.Costs): Response {
  const more = costs && { costs };
  if (isExpected(error)) return json({ error: explain(error), ...more }, statusOf(error));
  const message = 'The icon browser failed. The terminal says more.';
  return json({ error: { code: 'FAILED', message }, ...more }, 500);
}

/** 401 and 403 are about this server's own page; what the catalog refuses has other numbers. */
function statusOf(error: PickerRefusal | IconCatalogError): number {
  if (!isIconCatalogError(error)) return error.status;
  const { code } = error;
  if (code === 'CATALOG_USAGE_LIMIT') return 429;
  if (code === 'CATALOG_NOT_FOUND') return 404;
  if (code.startsWith('LICENSE_') || code === 'CATALOG_FORBIDDEN') return 422;
  return code.startsWith('CATALOG_') && code !== 'CATALOG_BAD_REQUEST' ? 502 : 400;
}

/** Beside this file once the package is built, and in its build while it is developed. */
function pageFolder(): URL {
  const built = new URL('./', import.meta.url);
  return existsSync(new URL('index.html', built))
    ? built
    : new URL('../../dist/picker/', import.meta.url);
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
};

/** A file of the page: the same for everybody, without a token and without data of the project. */
async function file(path: string, folder: URL): Promise<Response> {
  const name = path === '' ? 'index.html' : path;
  const [, extension = ''] = /^(?:index|assets\/[\w-]+(?:\.[\w-]+)*)\.(\w+)$/.exec(name) ?? [];
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  const bytes = type && (await readFile(new URL(name, folder)).catch(() => undefined));
  if (type === undefined || !bytes) throw notFound();
  const cache = name === 'index.html' ? 'no-cache' : 'private, max-age=31536000, immutable';
  return respond(new Uint8Array(bytes), { type, cache });
}

export interface PickerAccess {
  /** Names of this machine that the user has configured, besides those of the loopback: `.example` stands for all below. */
  hosts: readonly string[];
  /** The user lets other machines reach the server. Requests to any IP address are answered then. */
  isOpen: boolean;
}

/** Bytes of the largest body that a page sends. */
const LARGEST_BODY = 256 * 1024;

const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** An answer with the headers that every answer has. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | null,
  { status = 200, type, cache = 'no-store' }: { status?: number; type: string; cache?: string },
): Response {
  return new Response(body, {
    status,
    headers: { ...SECURITY, 'content-type': type, 'cache-control': cache },
  });
}

/**
 * Any web page can send requests to localhost, and by DNS rebinding a website's own domain leads there. So the Host must be
 * one of ours, whatever the dev server allows.
 * @throws PickerRefusal 403
 */
export function checkHost(request: Request, { hosts, isOpen }: PickerAccess): void {
  const host = request.headers.get('host') ?? '';
  const name = /^$|[\s/?#@\\]/.test(host) ? undefined : hostName(host);
  if (name === undefined) throw foreign('The Host of the request is malformed.');
  const isLoopback =
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'));
  if (isLoopback || (isOpen && isIP(name) !== 0)) return;
  const isNamed = hosts.some(
    (own) => own === name || (own.startsWith('.') && `.${name}`.endsWith(own)),
  );
  if (isNamed) return;
  throw foreign(
    `The icon browser does not answer to the host ${JSON.stringify(name)}: a website could use this domain to read from localhost (DNS rebinding).`,
    'Open the address that the terminal shows. If the domain is yours, list it in `server.allowedHosts` (Vite) or start `icon-catalog browse --host` with it.',
  );
}

/**
 * Whatever signs calls, writes or reads the project: a POST with JSON from the page itself, which knows the token.
 * @returns the body
 * @throws PickerRefusal 401, 403, 405, 413, 415
 */
export async function readCall(request: Request, state: PickerState): Promise<unknown> {
  if (request.method !== 'POST')
    throw new PickerRefusal(405, { code: 'METHOD', message: 'Only POST is answered here.' });
  checkOrigin(request);
  const [, token = ''] = /^Bearer ([\w-]+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!state.isToken(token)) {
    throw new PickerRefusal(401, {
      code: 'UNAUTHORIZED',
      message: 'The token of this address is missing or of an earlier process.',
      remedy: 'Open the address that the terminal shows.',
    });
  }
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new PickerRefusal(415, { code: 'TYPE', message: 'The body must be JSON.' });
  const text = await readBody(request).catch((error: unknown) => {
    if (error instanceof PickerRefusal) throw error;
    // The page that asked went away.
    throw new PickerRefusal(400, { code: 'BODY', message: 'The body ended early.' });
  });
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new PickerRefusal(400, { code: 'BODY', message: 'The body is not valid JSON.' });
  }
}

/** Other ports of this machine are other origins too. */
function checkOrigin({ url, headers }: Request): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if (origin === null ? site === 'same-origin' : origin === new URL(url).origin) {
    if (site === null || site === 'same-origin') return;
  }
  throw foreign('The request comes from a page of another origin.');
}

async function readBody({ body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY)
      throw new PickerRefusal(413, { code: 'TOO_LARGE', message: 'The body is too large.' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function foreign(message: string, remedy?: string): PickerRefusal {
  return new PickerRefusal(403, {
    code: 'FOREIGN',
    message,
    ...(remedy !== undefined && { remedy }),
  });
}
