import type { Plugin, ResolvedConfig } from 'vite';
import type { Options } from '../../options.ts';
import type { Log } from '../../types.ts';
import { createRollupHooks, type DevDialect } from '../rollup/create-rollup-hooks.ts';
import { createSession } from '../session.ts';
import { createDevServer } from './create-dev-server.ts';
import { refuseInPage, refuseInStyle, STYLE_FILTER } from './refuse-references.ts';

/** The hooks of Rollup's family, plus what only Vite has: environments, workers, `.env` files and a dev server. */
export function createVitePlugin(options?: Options): Plugin {
  const session = createSession(options, 'vite');
  let config: ResolvedConfig | undefined;
  let dev: DevDialect | undefined;

  const hooks = createRollupHooks(session, {
    build(context) {
      const environment = environmentOf(context);
      const id = environment?.name ?? 'vite';
      const consumer = environment?.config.consumer ?? (config?.build.ssr ? 'server' : 'client');
      return {
        key: environment ?? session,
        id: id.toLowerCase().replace(/[^a-z0-9._-]/g, '-'),
        bundler: 'vite',
        consumer,
      };
    },
    // Vite's own mark for an emitted file: `base`, `renderBuiltUrl` and server builds are then right without more.
    fileUrl: (reference) => `"__VITE_ASSET__${reference}__"`,
    dev: () => dev,
    isNested: () => config?.isWorker === true,
  });

  return {
    name: 'unplugin-icon-catalog',
    // Before Vite's own plugins, which would take `?raw`, `?url` and `?inline` for themselves.
    enforce: 'pre',
    ...hooks,
    async configResolved(resolved) {
      config = resolved;
      const { loadEnv } = await import('vite');
      const { envDir, logger, mode, root } = resolved;
      const fromFiles = envDir === false ? {} : loadEnv(mode, envDir, 'ICON_CATALOG_');
      session.configure({ root, env: { ...process.env, ...fromFiles }, log: viteLog(logger) });
    },
    // Object hooks with filters: Vite asks nothing of us for other files.
    transform: {
      filter: STYLE_FILTER,
      handler: (code, id) => refuseInStyle(code, id),
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { filename }) => refuseInPage(html, filename),
    },
    configureServer(server) {
      dev = createDevServer(session, server);
    },
  };
}

interface Environment {
  name: string;
  config: { consumer: 'client' | 'server' };
}

function environmentOf(context: object): Environment | undefined {
  return 'environment' in context ? (context.environment as Environment) : undefined;
}

function viteLog(logger: ResolvedConfig['logger']): Log {
  const line = (message: string): string => `[icon-catalog] ${message}`;
  return {
    info: (message) => logger.info(line(message)),
    warn: (message) => logger.warn(line(message)),
    error: (message) => logger.error(line(message)),
  };
}
