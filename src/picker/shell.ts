import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Picker, PickerPorts } from './create-picker.ts';
import { createPickerState, MOUNT, type PickerState } from './state.ts';

export { MOUNT } from './state.ts';

/** One state a project and process: a dev server may start again within its process, and the page stays open. */
const states = new Map<string, PickerState>();

export function pickerState(root: string, budget?: number): PickerState {
  const state = states.get(root) ?? createPickerState({ budget });
  states.set(root, state);
  return state;
}

/** True on machines that build and test: there is no picker, whatever the options say. */
export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return !['', 'false', '0'].includes(env['CI'] ?? '');
}

/** The address that opens the picker. The page removes the token from its address. */
export function pickerAddress(
  origin: string,
  base: string,
  { token }: Pick<PickerState, 'token'>,
): string {
  return `${origin.replace(/\/$/, '')}${base.replace(/\/$/, '')}${MOUNT}#t=${token}`;
}

export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/**
 * The picker as a middleware of Node's servers. Nothing of it is loaded before the first request below its folder.
 * @param base public path of the server: requests may have it, or have lost it on their way
 */
export function createPickerHandler(
  ports: PickerPorts,
  base = '/',
): { handle: NodeHandler; close(): Promise<void> } {
  let opened: Promise<Picker> | undefined;
  const open = (): Promise<Picker> =>
    (opened ??= import('./create-picker.ts').then(({ createPicker }) => createPicker(ports)));
  const mounts = [...new Set([MOUNT, `${base.replace(/\/$/, '')}${MOUNT}`])];

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
      if (mounts.some((mount) => path === mount.slice(0, -1))) {
        response.writeHead(301, { location: `${path}/` }).end();
        return;
      }
      if (!mounts.some((mount) => path.startsWith(mount))) {
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
