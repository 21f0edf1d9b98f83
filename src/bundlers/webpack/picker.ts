import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Compiler } from 'webpack';
import type { BundlerSession } from '../../build/session-interface.ts';
import {
  createPickerHandler,
  editorOf,
  isCi,
  isOpenTo,
  pickerAddress,
  pickerState,
  projectOfSession,
} from '../../picker/shell.ts';
import type { Log } from '../../types.ts';

/** What is used of the options of webpack-dev-server, and of that of Rspack. */
interface DevServerOptions {
  host?: string;
  allowedHosts?: unknown;
  server?: string | { type?: string };
  setupMiddlewares?: (middlewares: unknown[], server: unknown) => unknown[];
  onListening?: (server: { server?: { address(): AddressInfo | string | null } }) => void;
}

/** The icon browser in the dev server, whose command reads these options once plugins are applied. */
export function addPicker(
  compiler: Compiler,
  { session, log }: { session: Pick<BundlerSession, 'config' | 'resolvedOptions'>; log: Log },
): void {
  const { picker = true } = session.config.options;
  const options = compiler.options as { devServer?: DevServerOptions | false };
  const given = options.devServer ?? (process.env['WEBPACK_SERVE'] ? {} : false);
  if (given === false || picker === false || isCi(process.env)) return;
  const { host } = given;
  const isOpen = host !== undefined && isOpenTo(host);
  const state = pickerState(compiler.context, picker === true ? undefined : picker.budget);
  const { handle, close } = createPickerHandler({
    project: projectOfSession(session, process.env, () => configOf(compiler)),
    access: { hosts: namesOf(given), isOpen },
    state,
    log,
    openEditor: editorOf(compiler.context, process.env),
  });
  compiler.hooks.shutdown.tapPromise('unplugin-icon-catalog', close);
  options.devServer = {
    ...given,
    setupMiddlewares(middlewares, server) {
      const all = given.setupMiddlewares?.(middlewares, server) ?? middlewares;
      all.unshift({ name: 'unplugin-icon-catalog', middleware: handle });
      return all;
    },
    onListening(server) {
      given.onListening?.(server);
      const address = server.server?.address();
      if (typeof address !== 'object' || address === null) return;
      const { type } = typeof given.server === 'object' ? given.server : { type: given.server };
      const scheme = type === undefined || type === 'http' ? 'http' : 'https';
      log.info(`Icons: ${pickerAddress(`${scheme}://localhost:${address.port}`, '/', state)}`);
      if (isOpen)
        log.warn('Everyone who reaches this server and knows that address can add icons.');
    },
  };
}

function namesOf({ host, allowedHosts }: DevServerOptions): string[] {
  const names: unknown[] = Array.isArray(allowedHosts) ? allowedHosts : [allowedHosts];
  return [host, ...names].filter(
    (name) => typeof name === 'string' && !['all', 'auto'].includes(name),
  ) as string[];
}

/** The configuration where the commands of both bundlers look for it. */
function configOf({ context }: Compiler): string | undefined {
  const names = ['webpack', 'rspack'].flatMap((bundler) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((type) => `${bundler}.config.${type}`),
  );
  return names.map((name) => join(context, name)).find((path) => existsSync(path));
}
