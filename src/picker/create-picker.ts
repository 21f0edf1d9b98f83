import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIconCatalogError, type IconCatalogError } from '../errors.ts';
import { parseRequest } from '../request/parse-request.ts';
import { renderSvg } from '../svg/render-svg.ts';
import type { FetchPort, Log } from '../types.ts';
import type * as api from './api.ts';
import { readBody } from './bodies.ts';
import { checkHost, type PickerAccess, readCall, respond } from './guard.ts';
import { describePolicy } from './icons.ts';
import {
  openPickerProject,
  type OpenPickerProject,
  type PickerProject,
  projectIcons,
} from './project.ts';
import {
  type AnswerPorts,
  listCollections,
  type OpenEditor,
  oneCollection,
  render,
  search,
  suggestTerms,
  toPickerIcons,
} from './questions.ts';
import { MOUNT, PickerRefusal, type PickerState } from './state.ts';
import { add, describeWriting, open, undo } from './write.ts';

export interface PickerPorts {
  /** The project as it is at the moment; the same object while nothing has changed. */
  project(): Promise<PickerProject>;
  access: PickerAccess;
  state: PickerState;
  log: Log;
  /** Used instead of sockets. */
  fetch?: FetchPort | undefined;
  now?: () => number;
  openEditor?: OpenEditor | undefined;
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
export function createPicker(ports: PickerPorts): Picker {
  const { state, access, log, now = Date.now, page = pageFolder() } = ports;
  let opened: { from: PickerProject; project: OpenPickerProject } | undefined;
  let previous: OpenPickerProject | undefined;

  async function openProject(): Promise<OpenPickerProject> {
    const from = await ports.project();
    if (opened?.from === from) return opened.project;
    // Questions of other tabs may still be on their way.
    void previous?.close().catch(() => undefined);
    previous = opened?.project;
    opened = { from, project: openPickerProject(from, { state, log, fetch: ports.fetch, now }) };
    return opened.project;
  }

  const { openEditor } = ports;
  const parts: Parts = { state, access, log, page, now, openEditor, openProject };

  return {
    async fetch(request) {
      try {
        return await answer(request, parts);
      } catch (error) {
        if (!isExpected(error))
          log.error(`The icon browser failed: ${error instanceof Error ? error.message : ''}`);
        return refusal(error, { now });
      }
    },
    async close() {
      await Promise.all([previous?.close(), opened?.project.close()]);
      opened = undefined;
      previous = undefined;
    },
  };
}

function isExpected(error: unknown): boolean {
  return error instanceof PickerRefusal || isIconCatalogError(error);
}

interface Parts extends Pick<PickerPorts, 'state' | 'access' | 'log' | 'openEditor'> {
  page: URL;
  now: () => number;
  openProject(): Promise<OpenPickerProject>;
}

async function answer(request: Request, parts: Parts): Promise<Response> {
  const { access, page } = parts;
  checkHost(request, access);
  const { pathname } = new URL(request.url);
  const start = pathname.indexOf(MOUNT);
  if (start === -1) throw notFound();
  const mount = pathname.slice(0, start + MOUNT.length);
  const path = pathname.slice(mount.length);
  if (path.startsWith('api/')) return call(path.slice(4), { request, mount, parts });
  if (request.method !== 'GET')
    throw new PickerRefusal(405, { code: 'METHOD', message: 'Only GET is answered here.' });
  if (path.startsWith('thumb/')) return picture(path.slice(6), parts);
  return file(path, page);
}

async function call(
  name: string,
  { request, mount, parts }: { request: Request; mount: string; parts: Parts },
): Promise<Response> {
  const { state, now, openProject, log, openEditor } = parts;
  const body = await readCall(request, state);
  const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handler === undefined) throw notFound();
  const before = state.calls;
  const project = await openProject();
  const left = (): number | undefined => {
    const usage = project.pipeline.connection.usage();
    return usage && Math.max(0, usage.limit - usage.usage);
  };
  try {
    const answered = await handler(body, { project, state, mount, log, openEditor });
    return json({ ...answered, costs: state.costs(state.calls - before, left()) });
  } catch (error) {
    if (!isExpected(error)) throw error;
    state.noteFailure(error);
    return refusal(error, { costs: state.costs(state.calls - before, left()), now });
  }
}

async function picture(name: string, { state, openProject }: Parts): Promise<Response> {
  const [, base = '', id = '', signature = '', extension] =
    /^((\d{1,16})-200)-([0-9a-f]{32})\.(png|svg)$/.exec(name) ?? [];
  if (base === '' || !state.isSigned(base, signature)) throw notFound();
  const project = await openProject();
  const cache = 'private, max-age=3600';
  if (extension === 'svg') {
    const svg = await drawing(id, project).catch(() => undefined);
    if (svg !== undefined) return respond(svg, { type: 'image/svg+xml', cache });
  } else {
    const bytes = await project.thumbnails.get(id, state.addressOf(id));
    if (bytes !== undefined) return respond(new Uint8Array(bytes), { type: 'image/png', cache });
  }
  throw new PickerRefusal(404, {
    code: 'EXPIRED',
    message: 'This picture is not here any more.',
  });
}

/** The sanitised drawing of an icon of this machine. */
async function drawing(
  id: string,
  { isFree, pipeline, local, resolved }: OpenPickerProject,
): Promise<string | undefined> {
  const request = parseRequest(`icon:${id}?as=svg`, { ...resolved, framework: undefined });
  const source = await (isFree ? pipeline : local).source({ ...request, color: 'currentColor' });
  if (source.kind !== 'svg') return undefined;
  const { master } = source;
  const shape = { id: Number(id), size: '200', title: null, class: null, isFile: true };
  return renderSvg(master, { ...shape, color: '000000' });
}

const HANDLERS: Record<string, (body: unknown, ports: AnswerPorts) => Promise<object>> = {
  search: (body, ports) => search(readBody('search', body), ports),
  suggest: (body, ports) => suggestTerms(readBody('suggest', body), ports),
  collections: (body, ports) => listCollections(readBody('collections', body), ports),
  collection: (body, ports) => oneCollection(readBody('collection', body), ports),
  render: (body, ports) => render(readBody('render', body), ports),
  project: describeProject,
  add: (body, ports) => add(readBody('add', body), ports),
  undo: (body, ports) => undo(readBody('undo', body), ports),
  open: (body, ports) => open(readBody('open', body), ports),
  budget: (_, { state }) => Promise.resolve(state.allowMore()),
};

async function describeProject(
  body: unknown,
  ports: AnswerPorts,
): Promise<Omit<api.ProjectAnswer, 'costs'>> {
  const { project, state } = ports;
  if (readBody('project', body).opened === true) {
    state.resume();
    project.pipeline.connection.resetBuild();
  }
  const { records, context } = await projectIcons(project, await project.context());
  const { resolved, name } = project;
  const { framework, defaults, mode, catalog } = resolved;
  const size = Number(defaults.size);
  return {
    name,
    catalog: catalog.kind === 'remote' ? new URL(catalog.baseUrl).host : catalog.kind,
    configured: catalog.kind !== 'none',
    mode,
    framework: typeof framework === 'string' ? framework : null,
    defaults: {
      ...(defaults.color !== undefined && { color: defaults.color }),
      ...(Number.isFinite(size) && { size }),
    },
    icons: await toPickerIcons(records, { context }, ports),
    policy: describePolicy(resolved),
    write: await describeWriting(project),
  };
}

function json(body: object, status = 200): Response {
  return respond(JSON.stringify(body), { status, type: 'application/json; charset=utf-8' });
}

function notFound(): PickerRefusal {
  return new PickerRefusal(404, { code: 'NOT_FOUND', message: 'There is nothing here.' });
}

function refusal(
  error: unknown,
  { costs, now }: { costs?: api.Costs; now: () => number },
): Response {
  const more = costs && { costs };
  if (error instanceof PickerRefusal) return json({ error: error.body, ...more }, error.status);
  if (isIconCatalogError(error))
    return json({ error: describeError(error, now), ...more }, statusOf(error));
  const message = 'The icon browser failed. The terminal says more.';
  return json({ error: { code: 'FAILED', message }, ...more }, 500);
}

function describeError(
  { code, reason, remedy, headers, renewsAt }: IconCatalogError,
  now: () => number,
): api.PickerError['error'] {
  const there = headers?.['date'];
  return {
    code,
    message: reason,
    remedy,
    ...(code === 'CATALOG_UNAUTHORIZED' && {
      clock: { here: new Date(now()).toUTCString(), ...(there !== undefined && { there }) },
    }),
    ...(renewsAt && { renewsAt: renewsAt.toISOString() }),
  };
}

/** 401 and 403 are about this server's own page; what the catalog refuses has other numbers. */
function statusOf({ code }: IconCatalogError): number {
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
