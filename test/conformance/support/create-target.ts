import { createCatalogClient } from '../../../src/client.ts';
import type { FetchPort } from '../../../src/types.ts';
import { freshNonce, sign, toHeader, toQuery } from './sign.ts';
import { WORD, type Answer, type Credentials, type Subjects, type Target } from './target.ts';

/** The parts of a target that any service has, over an address, a key and a way to send. */
export function createTarget({
  name,
  baseUrl,
  credentials,
  send,
  fetch,
  now = Date.now,
  mayWrite,
}: {
  name: string;
  baseUrl: string;
  credentials: Credentials;
  /** Sends what was signed by hand. */
  send: FetchPort;
  /** Given to the public client; without it the client opens its own sockets. */
  fetch?: FetchPort | undefined;
  now?: () => number;
  mayWrite: boolean;
}): Target {
  const clientOf = (own: Credentials) =>
    createCatalogClient({ baseUrl, ...own, fetch, now, retries: 0 });
  const client = clientOf(credentials);
  let subjects: Promise<Subjects> | undefined;
  let v1: Promise<boolean> | undefined;

  const target: Target = {
    name,
    baseUrl,
    client,
    clientOf,
    mayWrite,
    async ask(path, options = {}) {
      const { method = 'GET', body, transport = 'header', changes } = options;
      const url = `${baseUrl}${path}`;
      const parameters = sign({
        method,
        url,
        ...(options.credentials ?? credentials),
        nonce: options.nonce ?? freshNonce(),
        timestamp: options.timestamp ?? Math.floor(now() / 1000),
        changes,
      });
      const separator = path.includes('?') ? '&' : '?';
      const address = transport === 'query' ? `${url}${separator}${toQuery(parameters)}` : url;
      const request = new Request(address, {
        method,
        headers: {
          ...(transport === 'header' && { authorization: toHeader(parameters) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return readAnswer(await send(request));
    },
    fetchAsset: (address) => send(new Request(address)),
    subjects() {
      subjects ??= findSubjects(target);
      return subjects;
    },
    hasV1() {
      v1 ??= target.ask('/oauth/usage').then(({ status }) => status === 200);
      return v1;
    },
    close: () => Promise.resolve(),
  };
  return target;
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Tests of JSON answers fail on `undefined`.
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

async function findSubjects({ client }: Target): Promise<Subjects> {
  const [found, line, free, { collections }] = await Promise.all([
    client.icons({ query: WORD, limit: 20, include_svg: 1 }),
    client.icons({ query: WORD, styles: 'line', line_weight: '1-60', limit: 20, include_svg: 1 }),
    client.icons({ limit_to_public_domain: 1, limit: 20, include_svg: 1 }),
    client.collections({ limit: 20 }),
  ]);
  const weighed = line.icons.find(({ styles }) => styles!.some((style) => style.line_weight));
  const [publicDomain] = free.icons;
  const large = collections.find(({ icon_count }) => icon_count! > 50) ?? collections[0];
  if (!weighed || !publicDomain || !large) {
    throw new Error('The catalog has no line icon, no public-domain icon or no collection.');
  }
  return {
    icons: [...found.icons, ...line.icons, ...free.icons],
    publicDomain,
    line: weighed,
    collectionId: large.id,
  };
}
