import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getIconData, iconToHTML, iconToSVG } from '@iconify/utils';
import type { IconifyJSON } from '@iconify/types';
import type {
  AddAnswer,
  AddRequest,
  CollectionAnswer,
  CollectionRequest,
  CollectionsAnswer,
  Costs,
  OpenRequest,
  PickerError,
  PickerIcon,
  ProjectAnswer,
  SearchAnswer,
  SearchRequest,
  UndoAnswer,
} from '../../src/picker/api.ts';

/** A handler of the icon browser that can be in any state, over icons of an installed set. It signs and writes nothing. */

const PAGE = fileURLToPath(new URL('../../dist/picker', import.meta.url));
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

const tabler = createRequire(import.meta.url)('@iconify-json/tabler/icons.json') as IconifyJSON;
const names = Object.keys(tabler.icons);

export const TOKEN = 'token-of-this-process';

/** A record of the catalog, as the handler would give it. */
export function fakeIcon(name: string, change: Partial<PickerIcon> = {}): PickerIcon {
  const isSolid = name.endsWith('-filled');
  const at = names.indexOf(name);
  return {
    id: `tabler/${name}`,
    name: `tabler/${name}`,
    term: name.replaceAll('-', ' '),
    creator: { name: 'Tabler contributors', url: 'https://tabler.example/' },
    collections: [
      { id: '1', name: 'Tabler' },
      {
        id: String(2 + (at % 4)),
        name: ['Outlines', 'Basics', 'Interface', 'Signs'][at % 4] ?? '',
      },
    ],
    tags: name.split('-'),
    styles: [isSolid ? 'solid' : 'line'],
    ...(!isSolid && { lineWeight: 10 + (at % 3) * 5 }),
    license: {
      description: 'MIT',
      label: 'MIT License',
      url: 'https://spdx.example/MIT',
      asks: 'Keep the copyright line and the text of the licence.',
      requiresCredit: true,
      verdict: 'allowed',
    },
    credit: `“${name.replaceAll('-', ' ')}” by Tabler contributors, MIT License`,
    url: `https://tabler.example/${name}`,
    thumb: `thumb/${name}-200-k.png`,
    aliases: [],
    pinned: false,
    uses: [],
    local: false,
    ...change,
  };
}

const NONE: Costs = { calls: 0, session: 0, budget: 40, left: 4812 };

/** What a test can set. */
export interface FakeState {
  /** All icons of the catalog. */
  icons: PickerIcon[];
  project: Omit<ProjectAnswer, 'costs'>;
  costs: Costs;
  /** Hits of one page. */
  pageSize: number;
  /** Answers of these endpoints, instead of their own: an error, or a wait. */
  failures: Map<string, { status: number; error: PickerError['error'] }>;
  /** Resolves before an answer is given. */
  hold?: Promise<void>;
  token: string;
  /** Suggestions if nothing was found. */
  suggestions: string[];
  add?: Partial<AddAnswer>;
}

export interface FakePicker {
  state: FakeState;
  /** Name and body of every call of the handler. */
  calls: { name: string; body: Record<string, unknown> }[];
  /** Requests that would have been signed calls of the catalog. */
  signed(): number;
  reset(): void;
  /** With the token. */
  url: string;
  /** The address and `search`, with the token. */
  at(search: string): string;
  close(): Promise<void>;
  /** Breaks every connection and answers none until `resume`. */
  pause(): void;
  resume(): void;
}

const USED = ['home', 'calendar', 'user', 'settings', 'bell'];

function createState(): FakeState {
  const icons = names.map((name) => fakeIcon(name));
  const project = USED.map((name, at) =>
    fakeIcon(name, {
      aliases: at < 3 ? [name] : [],
      pinned: true,
      local: true,
      uses:
        at < 4 ? [{ use: at, file: `src/components/${name}.tsx`, line: 3 + at, column: 8 }] : [],
    }),
  );
  return {
    icons,
    project: {
      name: 'acme-shop',
      catalog: 'icons.example',
      isFree: false,
      configured: true,
      mode: 'online',
      framework: 'react',
      defaults: {},
      icons: project,
      policy: 'Every licence that the catalog declares is allowed.',
      write: { possible: true, file: 'icon-catalog.config.ts', hash: 'a1' },
    },
    costs: { ...NONE },
    pageSize: 120,
    failures: new Map(),
    token: TOKEN,
    suggestions: ['calendar', 'clock', 'date'],
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
}

function overlay(state: FakeState, icon: PickerIcon): PickerIcon {
  return state.project.icons.find(({ id }) => id === icon.id) ?? icon;
}

/** Signed calls of an answer, counted as the handler would. */
function spend(state: FakeState, calls: number): Costs {
  state.costs = {
    ...state.costs,
    session: state.costs.session + calls,
    ...(state.costs.left !== undefined && { left: state.costs.left - calls }),
  };
  return { ...state.costs, calls };
}

function search(state: FakeState, kept: Set<string>, request: SearchRequest): SearchAnswer {
  const { query, remote, nextPage = '0', styles = [], fresh = false } = request;
  const key = JSON.stringify([query, styles, request.lineWeight, request.publicDomain, nextPage]);
  const isKept = kept.has(key) && !fresh;
  const from = isKept ? 'kept' : remote ? 'catalog' : 'local';
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const pool = from === 'local' ? state.project.icons : state.icons;
  const found = pool.filter(
    ({ term, styles: own, license }) =>
      words.every((word) => term.toLowerCase().includes(word)) &&
      (styles.length === 0 || styles.some((style) => own.includes(style))) &&
      (request.publicDomain !== true || license.description === 'public-domain'),
  );
  const start = Number(nextPage);
  const icons = found.slice(start, start + state.pageSize).map((icon) => overlay(state, icon));
  if (from === 'catalog') kept.add(key);
  const hasMore = from !== 'local' && start + state.pageSize < found.length;
  return {
    icons,
    total: found.length,
    ...(hasMore && { nextPage: String(start + state.pageSize) }),
    from,
    ...(isKept && { askedAt: new Date().toISOString() }),
    ...(found.length === 0 && from !== 'local' && { suggestions: state.suggestions }),
    costs: spend(state, from === 'catalog' ? 1 : 0),
  };
}

function add(state: FakeState, { items }: AddRequest): AddAnswer {
  const { write } = state.project;
  if (!write.possible) {
    const lines = items.map(({ id, alias }) => `  '${alias}': '${id}',`).join('\n');
    const copy = { lines, reason: write.reason };
    return { added: [], diff: '', copy, write, costs: spend(state, 0) };
  }
  const before = state.project.icons;
  for (const { id, alias, replaces } of items) {
    const known = before.find((icon) => icon.id === id);
    const icon = known ?? state.icons.find((each) => each.id === id);
    if (icon === undefined) continue;
    const others = icon.aliases.filter((name) => name !== replaces);
    const aliases = alias === undefined ? others : [...others, alias];
    const changed = { ...icon, aliases, pinned: true, local: true };
    state.project.icons = [...state.project.icons.filter((each) => each.id !== id), changed];
  }
  state.project.write = { ...write, hash: `${write.hash}+` };
  const lines = items.map(({ id, alias }) => `+    '${alias}': '${id}',`).join('\n');
  return {
    added: items.map(({ id, alias }) => ({
      id,
      ...(alias !== undefined && { alias }),
      importLine: `import ${alias} from 'icon:${alias}';`,
    })),
    diff: `--- icon-catalog.config.ts\n+++ icon-catalog.config.ts\n@@ -3,4 +3,5 @@\n   aliases: {\n     home: 'tabler/home',\n${lines}\n   },`,
    undo: String(items.length),
    write: state.project.write,
    costs: spend(state, items.filter(({ id }) => before.every((icon) => icon.id !== id)).length),
    ...state.add,
  };
}

function collections(remote: boolean): CollectionsAnswer['collections'] {
  const names = ['Tabler', 'Outlines', 'Basics', 'Interface', 'Signs'];
  return (remote ? names : names.slice(0, 2)).map((name, at) => ({
    id: String(at + 1),
    name,
    description: 'Icons of one hand, drawn on the same grid.',
    iconCount: 1200 + at,
    creator: 'Tabler contributors',
    license: 'MIT License',
  }));
}

export async function startFakePicker(): Promise<FakePicker> {
  let state = createState();
  let calls: FakePicker['calls'] = [];
  let kept = new Set<string>();
  let isPaused = false;
  let restore: ProjectAnswer['icons'] = [];

  const answer = (name: string, body: Record<string, unknown>): unknown => {
    if (name === 'project') return { ...state.project, costs: spend(state, 0) };
    if (name === 'search') return search(state, kept, body as unknown as SearchRequest);
    if (name === 'suggest') return { suggestions: state.suggestions, costs: spend(state, 1) };
    if (name === 'collections') {
      const remote = body['remote'] === true;
      return { collections: collections(remote), costs: spend(state, remote ? 1 : 0) };
    }
    if (name === 'collection') {
      const { id, remote } = body as unknown as CollectionRequest;
      const icons = (remote ? state.icons : state.project.icons).filter((icon) =>
        icon.collections.some((each) => each.id === id),
      );
      const collection = collections(true).find((each) => each.id === id) ?? { id, name: id };
      const from = remote ? 'catalog' : 'local';
      return {
        collection,
        icons,
        from,
        costs: spend(state, remote ? 1 : 0),
      } satisfies CollectionAnswer;
    }
    if (name === 'icon')
      return { icon: state.icons.find(({ id }) => id === body['id']), costs: spend(state, 0) };
    if (name === 'add') {
      restore = state.project.icons;
      return add(state, body as unknown as AddRequest);
    }
    if (name === 'undo') {
      state.project.icons = restore;
      const { write } = state.project;
      return {
        restored: ['icon-catalog.config.ts'],
        write,
        costs: spend(state, 0),
      } satisfies UndoAnswer;
    }
    if (name === 'open') return { opened: (body as unknown as OpenRequest).use };
    if (name === 'budget') {
      state.costs = { ...state.costs, budget: state.costs.budget * 2 };
      return { costs: spend(state, 0) };
    }
    return {
      svg: '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>',
      costs: spend(state, 0),
    };
  };

  const serveApi = async (
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const body = await readBody(request);
    calls.push({ name, body });
    await state.hold;
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.headers.authorization !== `Bearer ${state.token}`) {
      send(401, { error: { code: 'UNAUTHORIZED', message: 'The token is wrong.' } });
      return;
    }
    const isCall = body['remote'] === true || name === 'add' || name === 'suggest';
    const failure = state.failures.get(isCall ? `${name}!` : name) ?? state.failures.get(name);
    if (failure === undefined) send(200, answer(name, body));
    else send(failure.status, { error: failure.error, costs: spend(state, 0) });
  };

  const serveFile = (path: string, response: ServerResponse): void => {
    const thumb = /^thumb\/(.+)-\d+-k\.png$/.exec(path)?.[1];
    const data = thumb === undefined ? null : getIconData(tabler, thumb);
    const headers = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' };
    if (data !== null) {
      const { body, attributes } = iconToSVG(data, { width: 200, height: 200 });
      response.writeHead(200, { ...headers, 'content-type': 'image/svg+xml' });
      response.end(iconToHTML(body, attributes));
      return;
    }
    const isPage = path === '' || /^assets\/[\w-]+\.[\w-]+\.?\w*$/.test(path);
    if (!isPage) {
      response.writeHead(404, headers).end();
      return;
    }
    const name = path === '' ? 'index.html' : path;
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(200, { ...headers, 'content-type': type });
    response.end(readFileSync(join(PAGE, name)));
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const path = pathname.replace('/__icon-catalog/', '');
    if (isPaused) request.socket.destroy();
    else if (request.method === 'POST') void serveApi(path.replace('api/', ''), request, response);
    else serveFile(path, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/__icon-catalog/`;
  return {
    get state() {
      return state;
    },
    get calls() {
      return calls;
    },
    signed: () => state.costs.session,
    reset() {
      state = createState();
      calls = [];
      kept = new Set();
      isPaused = false;
    },
    url: `${base}#t=${TOKEN}`,
    at: (search) => `${base}${search}#t=${TOKEN}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
    pause() {
      isPaused = true;
      server.closeAllConnections();
    },
    resume() {
      isPaused = false;
    },
  };
}
