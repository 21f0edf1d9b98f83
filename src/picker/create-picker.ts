import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIconCatalogError, type IconCatalogError } from '../errors.ts';
import { type Answers, type AnswersInput, createAnswers, isExpected, notFound } from './answers.ts';
import type * as api from './api.ts';
import { checkHost, type PickerAccess, readCall, respond } from './guard.ts';
import { MOUNT, PickerRefusal } from './state.ts';

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
    const bytes = await thumbnails.get(id, state.addressOf(id));
    if (bytes !== undefined) return respond(new Uint8Array(bytes), { type: 'image/png', cache });
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
