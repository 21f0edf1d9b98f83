import type { Plugin, ResolvedConfig } from 'vite';
import type { Options } from '../../options.ts';
import type { Log } from '../../types.ts';
import { createRollupHooks } from '../rollup/create-rollup-hooks.ts';
import type { DevDialect } from '../rollup/rollup-types.ts';
import { createSession } from '../session.ts';
import { createDeclarer, type Declarer } from './create-declarer.ts';
import { createDevServer } from './create-dev-server.ts';
import { refuseInPage, refuseInStyle, STYLE_FILTER } from './refuse-references.ts';

const NAME = 'unplugin-icon-catalog';

/** The hooks of Rollup's family, plus what only Vite has: environments, workers, `.env` files and a dev server. */
export function createVitePlugin(options?: Options): Plugin {
  const session = createSession(options, 'vite');
  let config: ResolvedConfig | undefined;
  let dev: DevDialect | undefined;
  let declarer: Declarer | undefined;

  const { transform, ...hooks } = createRollupHooks(session, {
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
    hasMaps: (context) =>
      (environmentOf(context)?.config.build ?? config?.build)?.sourcemap !== false,
    dev: () => dev,
    isNested: () => config?.isWorker === true,
  });

  return {
    name: NAME,
    // Before Vite's own plugins, which would take `?raw`, `?url` and `?inline` for themselves.
    enforce: 'pre',
    ...hooks,
    async closeBundle() {
      await declarer?.settle();
      await hooks.closeBundle();
    },
    // A plugin has one transform; where this one does not take part, importers get whole modules.
    config: () => ({
      build: { rollupOptions: { plugins: [{ name: `${NAME}:importers`, transform }] } },
    }),
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
      declarer = createDeclarer(session, viteLog(server.config.logger));
      dev = createDevServer(session, server, declarer.imported);
    },
  };
}

interface Environment {
  name: string;
  config: { consumer: 'client' | 'server'; build?: { sourcemap?: unknown } };
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
