import { isIP } from 'node:net';
import { PickerRefusal, type PickerState } from './state.ts';

/** Whom the picker answers. */
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
  const address = `http://${host}`;
  if (host === '' || /[\s/?#@\\]/.test(host) || !URL.canParse(address))
    throw foreign('The Host of the request is malformed.');
  const name = new URL(address).hostname.replace(/^\[|\]$/g, '');
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
  const text = await readBody(request);
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
