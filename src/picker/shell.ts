import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { findOptionsFile } from '../options/file.ts';
import type { Environment, ResolvedOptions } from '../options/resolve-options.ts';
import type { Picker, PickerPorts } from './create-picker.ts';
import type { PickerProject } from './project.ts';
import type { OpenEditor } from './questions.ts';
import { createPickerState, MOUNT, type PickerState } from './state.ts';

export { MOUNT } from './state.ts';

/**
 * One state a project and process: a dev server may start again within its process, and the page stays open. Nuxt loads
 * this package again when it starts again, so no module can hold them.
 */
const STATES = Symbol.for('unplugin-icon-catalog.picker-states');

export function pickerState(root: string, budget?: number): PickerState {
  const shared = globalThis as { [STATES]?: Map<string, PickerState> };
  const states = (shared[STATES] ??= new Map());
  const state = states.get(root) ?? createPickerState({ budget });
  states.set(root, state);
  return state;
}

/** The sign of the icon browser in toolbars, as markup. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f5c45"/><path d="M8 8h7v7H8zM17 17h7v7h-7z" fill="#fff"/><circle cx="20.5" cy="11.5" r="3.5" fill="#8ee0bd"/><path d="M8 24l3.500-7 3.500 7z" fill="#8ee0bd"/></svg>';

/** True on machines that build and test: there is no picker, whatever the options say. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', 'false', '0'].includes(env['CI'] ?? '');
}

/** True if a server that listens on this address can be reached from other machines. */
export function isOpenTo(address: string): boolean {
  return !/^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(address);
}

/** The address that opens the picker. The page removes the token from its address. */
export function pickerAddress(
  origin: string,
  base: string,
  { token }: Pick<PickerState, 'token'>,
): string {
  return `${origin.replace(/\/$/, '')}${base.replace(/\/$/, '')}${MOUNT}#t=${token}`;
}

/**
 * The project of a dev server, from the session of its plugin; the same object while the options are the same.
 *
 * @param configOf the file in which the plugin is called, for a project without a file of its own
 */
export function projectOfSession(
  session: { config: { files: readonly string[] }; resolvedOptions(): ResolvedOptions },
  env: Environment,
  configOf: () => string | undefined,
): () => Promise<PickerProject> {
  let known: { resolved: ResolvedOptions; project: Promise<PickerProject> } | undefined;
  async function open(resolved: ResolvedOptions): Promise<PickerProject> {
    const own = session.config.files.length > 0 ? await findOptionsFile(resolved.root) : undefined;
    return { resolved, env, config: own?.path ?? configOf() };
  }
  return async () => {
    const resolved = session.resolvedOptions();
    // Requests that arrive together get one project: opening another closes the catalog of the one before.
    if (known?.resolved !== resolved) known = { resolved, project: open(resolved) };
    return known.project;
  };
}

/** Opens places in the user's editor. What finds the editor is loaded when the first one is opened. */
export function editorOf(root: string, env: Environment): OpenEditor {
  return async (place) => {
    const { createEditorOpener } = await import('./open-editor.ts');
    return createEditorOpener(root, env)(place);
  };
}

export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/**
 * The picker as a middleware of Node's servers, below any base: frameworks have one of their own, and some remove it on the
 * way. Nothing of it is loaded before the first request below its folder.
 */
export function createPickerHandler(ports: PickerPorts): {
  handle: NodeHandler;
  close(): Promise<void>;
} {
  let opened: Promise<Picker> | undefined;
  const open = (): Promise<Picker> =>
    (opened ??= import('./create-picker.ts').then(({ createPicker }) => createPicker(ports)));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const picker = await open();
    const asked = toRequest(request);
    const answered = asked && (await picker.fetch(asked));
    // Dev servers let pages of other ports read their answers.
    for (const name of response.getHeaderNames())
      if (name.startsWith('access-control-')) response.removeHeader(name);
    response.statusCode = answered?.status ?? 403;
    for (const [name, value] of answered?.headers ?? []) response.setHeader(name, value);
    response.end(answered && Buffer.from(await answered.arrayBuffer()));
  }

  return {
    handle(request, response, next) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '';
      if (path.endsWith(MOUNT.slice(0, -1))) {
        response.writeHead(301, { location: `.${MOUNT}` }).end();
        return;
      }
      if (!path.includes(MOUNT)) {
        if (next === undefined) response.writeHead(404).end();
        else next();
        return;
      }
      // The page that asked went away, or the answer cannot be sent.
      answer(request, response).catch(() => response.destroy());
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** `undefined`: it cannot be a request, as its host is malformed. */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const { headers: given, method = 'GET', url = '/' } = incoming;
  const authority = given[':authority'];
  const host = given.host ?? (typeof authority === 'string' ? authority : '');
  const scheme = (incoming.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(given)) {
      if (!name.startsWith(':'))
        for (const each of [value ?? []].flat()) headers.append(name, each);
    }
    headers.set('host', host);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? { body: incoming as unknown as BodyInit, duplex: 'half' as const } : {};
    return new Request(`${scheme}://${host}${url}`, { method, headers, ...body });
  } catch {
    return undefined;
  }
}
