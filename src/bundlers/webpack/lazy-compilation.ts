import { randomUUID } from 'node:crypto';
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createServer as createSecure,
  type ServerOptions as SecureServerOptions,
} from 'node:https';
import type { Compiler } from 'webpack';

const NAME = 'unplugin-icon-catalog';

/** The addresses of webpack's server begin like this; the path of a module follows. */
const WEBPACK_PREFIX = '/lazy-compilation-using-';

interface LazyOptions {
  /** Of Rspack: where its middleware listens. */
  prefix?: string;
  /** Of webpack: options of its server, or a server of the user's own. */
  backend?: unknown;
}

interface Backend {
  protocol?: 'http' | 'https';
  server?: SecureServerOptions | (() => unknown);
}

/**
 * Lazy compilation builds each module whose path is requested, and fetches the icons that this module imports, whichever
 * page has sent the request. Its addresses get a random part, which only the bundle of the project holds. A prefix, a
 * backend or a server of the user's own stays as it is.
 */
export function guardLazyCompilation(compiler: Compiler, bundler: 'webpack' | 'rspack'): void {
  const { options } = compiler;
  const secret = randomUUID();
  // webpack and Rspack 1 have the option among the experiments.
  for (const place of [options, options.experiments] as {
    lazyCompilation?: LazyOptions | boolean;
  }[]) {
    const { lazyCompilation: given } = place;
    if (given === undefined || given === false) continue;
    const lazy: LazyOptions = given === true ? {} : { ...given };
    if (bundler === 'rspack') lazy.prefix ??= `/_rspack/lazy/${secret}`;
    else if (typeof lazy.backend !== 'function') guardBackend(compiler, lazy, `${secret}/`);
    place.lazyCompilation = lazy;
  }
}

function guardBackend(compiler: Compiler, lazy: LazyOptions, secret: string): void {
  const backend: Backend = { ...(lazy.backend as Backend | undefined) };
  const { server = {} } = backend;
  if (typeof server === 'function') return;
  const isSecure = backend.protocol === 'https' || 'key' in server || 'pfx' in server;
  lazy.backend = {
    ...backend,
    protocol: backend.protocol ?? (isSecure ? 'https' : 'http'),
    server: () => guarded(isSecure ? createSecure(server) : createPlain(server), secret),
  };
  compiler.hooks.normalModuleFactory.tap(NAME, ({ hooks }) =>
    hooks.beforeResolve.tap(NAME, (data) => {
      // The client takes the address of the server from its own query.
      if (data.request.endsWith(encodeURIComponent(WEBPACK_PREFIX)))
        data.request += encodeURIComponent(secret);
    }),
  );
}

/** The server, whose listeners get the requests that know the secret, and get them without it. */
function guarded(server: ReturnType<typeof createPlain>, secret: string): typeof server {
  const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean;
  return Object.assign(server, {
    emit(event: string, ...given: unknown[]): boolean {
      if (event !== 'request') return emit(event, ...given);
      const [request, response] = given as [IncomingMessage, ServerResponse];
      const known = WEBPACK_PREFIX + secret;
      if (request.url?.startsWith(known) !== true) {
        response.writeHead(403).end();
        return true;
      }
      request.url = WEBPACK_PREFIX + request.url.slice(known.length);
      return emit(event, request, response);
    },
  });
}
