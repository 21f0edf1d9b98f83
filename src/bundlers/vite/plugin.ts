import { join, resolve } from 'node:path';
import type { Plugin, PluginOption, ResolvedConfig, UserConfig, ViteDevServer } from 'vite';
import { slug } from '../../attribution/plain-text.ts';
import { loadEnv } from '../../options/load-env.ts';
import type { Options } from '../../options/options.ts';
import { createRollupHooks } from '../rollup/hooks.ts';
import type { DevDialect, LoadedCode, RunningBuild } from '../rollup/types.ts';
import { isIconSpecifier } from '../../request/key.ts';
import { pluginApi } from '../../build/session-config.ts';
import { CREDITS_ID, type ImageSession, type PublishedSite } from '../../build/session-types.ts';
import type { Part } from '../../build/outdated.ts';
import { createSession } from '../../build/session.ts';
import type { BundlerSession } from '../../build/session-interface.ts';
import { createTypeDeclarations, type TypeDeclarations } from '../../build/declarer.ts';
import { createDevServer, type DevFiles } from './dev-server.ts';
import { devEnvironments, viteLog, withoutUnresolved } from './environments.ts';
import { createDevRequests } from './dev-requests.ts';
import { createPlacedIcons } from '../../build/placed-images.ts';
import { createStylePlugin } from '../rollup/styles.ts';
import type { EmitContext } from '../rollup/types.ts';
import { imageDialect, rewritePages, type ViteBuild } from './pages.ts';
import { createLibrariesPlugin } from './libraries.ts';
import { createPickerPlugin } from './picker.ts';
import { createUpdates, leaveUnwatched } from './updates.ts';
import { importIconsOfTemplates } from './vue-templates.ts';

const NAME = 'unplugin-icon-catalog';
const ICON = /^icon:\d/;

/**
 * The hooks of Rollup's family, plus what only Vite has: environments, workers, `.env` files, pages and a dev server.
 * Two plugins, as they have their turns apart: modules before Vite's own, style sheets between its preprocessors with
 * PostCSS and what it makes of their outcome.
 *
 * @param session of whoever has something to do once Vite is done
 * @param project.root folder of the lock file, where it is not the root that Vite has
 * @param project.files of all dev servers of one site, where it has several
 * @param project.site the folder of the site's one list, absolute, where an integration knows it
 * @param project.base the public path of that folder, if Vite's `base` is that of its scripts alone
 * @param project.startsBroken a dev server starts although the file of options cannot be read; each import says why
 */
export function createVitePlugin(
  options?: Options,
  session: BundlerSession = createSession(options, 'vite'),
  project: {
    root?: string;
    files?: DevFiles;
    site?: () => string | undefined;
    base?: () => string | undefined;
    startsBroken?: boolean;
  } = {},
): Plugin[] {
  let config: ResolvedConfig | undefined;
  let dev: DevDialect | undefined;
  /** Servers that run, the last one last: Astro has one of a moment beside the one that browsers ask. */
  let servers: { server: ViteDevServer; dialect: DevDialect }[] = [];
  const { files = new Map() } = project;
  let declarations: TypeDeclarations | undefined;
  const requests = createDevRequests();
  /** Icons that a dev server has made. */
  const loaded = new Set<string>();

  const icons = createPlacedIcons();

  const key = (context: object): object => environmentOf(context) ?? session;
  const build = (context: object): RunningBuild => {
    const environment = environmentOf(context);
    const id = environment?.name ?? 'vite';
    const consumer = environment?.config.consumer ?? (config?.build.ssr ? 'server' : 'client');
    return {
      id: slug(id),
      bundler: 'vite',
      consumer,
      // With a builder Vite builds every environment that is configured.
      expected: config?.builder === undefined ? [] : Object.keys(config.environments).map(slug),
      site: project.site?.() ?? siteFolder(),
    };
  };

  function outputFolder(of: EnvironmentConfig | undefined): string | undefined {
    const outDir = (of?.build ?? config?.build)?.outDir;
    return config === undefined || outDir === undefined ? undefined : resolve(config.root, outDir);
  }

  /** What browsers get, where the configuration says that several outputs are one site. */
  function siteFolder(): string | undefined {
    if (config === undefined) return undefined;
    if (config.plugins.some(({ name }) => name.startsWith('vite-plugin-sveltekit')))
      return join(outputFolder(undefined) ?? '', '../client');
    if (config.builder === undefined) return undefined;
    const environments = Object.values(config.environments);
    return outputFolder(environments.find(({ consumer }) => consumer === 'client'));
  }

  const isLibrary = (context: object): boolean =>
    Boolean((environmentOf(context)?.config.build ?? config?.build)?.lib);

  function published(context: object): PublishedSite {
    const isClient = build(context).consumer === 'client' && !isLibrary(context);
    const own = isClient ? outputFolder(environmentOf(context)?.config) : undefined;
    return {
      folder: project.site?.() ?? siteFolder() ?? own,
      base: project.base?.() ?? config?.base,
    };
  }

  const { transform, ...hooks } = createRollupHooks(
    session,
    {
      key,
      build,
      // Vite's own mark for an emitted file: `base`, `renderBuiltUrl` and server builds are then right without more.
      fileUrl: (reference) => `"__VITE_ASSET__${reference}__"`,
      publicPath: () => config?.base,
      lateUrl: (reference) => `__VITE_ASSET__${reference}__`,
      // A dev server makes a map of its own, as long as the module, for each module without one.
      hasMaps: (context) =>
        dev !== undefined ||
        (environmentOf(context)?.config.build ?? config?.build)?.sourcemap !== false,
      dev: () => dev,
      isNested: () => config?.isWorker === true,
      isLibrary,
      site: published,
      folder: (context) => outputFolder(environmentOf(context)?.config),
    },
    icons,
  );

  const dialectOf = (context: EmitContext) =>
    imageDialect(context, { dev, build: environmentOf(context)?.config.build ?? config?.build });
  const updates = createUpdates(session, () => {
    declarations?.forget();
    session.begin({ isDev: true });
  });
  const images: ImageSession = {
    async image(specifier, about) {
      requests.checkSender(specifier, about?.importer);
      return session.image(specifier, about);
    },
    async drawing(specifier, about) {
      requests.checkSender(specifier, about?.importer);
      return session.drawing(specifier, about);
    },
  };
  const pages = rewritePages({
    session: images,
    icons,
    made: (file, make) => made({}, file, { make, partsOf: ({ parts }) => parts }),
    keyOf: key,
    dialectOf,
    isDev: () => dev !== undefined,
  });

  const made = <Made>(
    context: object,
    module: string,
    { make, partsOf }: { make: () => Promise<Made>; partsOf(made: Made): readonly Part[] },
  ): Promise<Made> => {
    const side = environmentOf(context)?.name ?? '';
    return dev === undefined ? make() : updates.made(module, make, { side, partsOf });
  };

  /** Equal options share one catalog access, so the credits of the build list the worker's icons. */
  async function forWorkers(worker: UserConfig['worker']): Promise<Plugin[]> {
    if (await hasOurs(worker?.plugins?.())) return [];
    const inForce = session.config.options;
    return createVitePlugin(inForce, createSession(inForce, 'vite'), project);
  }

  const { load, resolveId } = hooks;

  function resolveInDev(context: object, source: string, importer: string | undefined) {
    const isAddress = importer === undefined && requests.sender() !== undefined;
    try {
      const resolved = resolveId.handler.call(context, source, importer);
      if (resolved !== null && !isAddress) requests.imported(resolved.id);
      return resolved;
    } catch (error) {
      if (isAddress) return null;
      throw error;
    }
  }

  async function loadInDev(context: EmitContext, id: string): Promise<LoadedCode | string | null> {
    // Vite then answers as if this plugin were not there.
    if (!(await requests.isImported(id))) return null;
    requests.checkSender(id, id);
    const make = async (): Promise<LoadedCode | string | null> => load.handler.call(context, id);
    if (id === CREDITS_ID) return make();
    const code = await made(context, id, { make, partsOf: () => [`module ${id}`] });
    if (ICON.test(id)) loaded.add(id);
    return code;
  }

  const modules: Plugin = {
    name: NAME,
    ...pluginApi(options),
    // Before Vite's own plugins, which would take `?raw`, `?url` and `?inline` for themselves.
    enforce: 'pre',
    ...hooks,
    resolveId: {
      ...resolveId,
      handler(source, importer) {
        if (dev === undefined) return resolveId.handler.call(this, source, importer);
        return resolveInDev(this, source, requests.isImport(importer) ? importer : undefined);
      },
    },
    load: {
      ...load,
      handler(id) {
        const isOurs = dev !== undefined && isIconSpecifier(id);
        return isOurs ? loadInDev(this, id) : load.handler.call(this, id);
      },
    },
    async closeBundle() {
      const environment: object | undefined = environmentOf(this);
      servers = servers.filter(
        ({ server }) => !devEnvironments(server).some((one) => one === environment),
      );
      if (dev !== undefined) dev = servers.at(-1)?.dialect ?? dev;
      await declarations?.settle();
      await hooks.closeBundle();
    },
    // A plugin has one transform; where this one does not take part, importers get whole modules.
    config: ({ worker }) => ({
      build: { rollupOptions: { plugins: [{ name: `${NAME}:importers`, transform }] } },
      // Vite bundles workers with a list of plugins of their own, and merges both lists.
      worker: { plugins: () => [forWorkers(worker)] },
    }),
    async configResolved(resolved) {
      config = resolved;
      // Before Vue's plugin, which takes its options here.
      importIconsOfTemplates(resolved);
      if (resolved.command === 'build') {
        // Astro asks a dev server for its content before it builds with the same plugins.
        dev = undefined;
        declarations = undefined;
      }
      const { envDir, logger, mode } = resolved;
      const { root = resolved.root } = project;
      const env =
        envDir === false ? process.env : await loadEnv(process.env, { mode, folder: envDir });
      session.configure({ root, env, log: viteLog(resolved) });
      await session.config.refresh().catch((error: unknown) => {
        if (project.startsBroken !== true) throw error;
        viteLog(resolved).error(error instanceof Error ? error.message : String(error));
      });
      if (resolved.command === 'serve')
        leaveUnwatched(resolved, session.resolvedOptions().cacheDir);
      withoutUnresolved(logger);
    },
    async buildStart() {
      pages.begin(this);
      await hooks.buildStart.call(this);
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { filename }) => pages.rewrite(html, filename),
    },
    configureServer(server) {
      const afterVite = requests.watch(server);
      declarations = createTypeDeclarations(session);
      dev = createDevServer(session, server, {
        requests,
        imported: declarations.imported,
        placed: () => icons.all(),
        loaded,
        files,
      });
      servers.push({ server, dialect: dev });
      return afterVite;
    },
  };
  const styles = createStylePlugin({
    name: `${NAME}:styles`,
    session: images,
    icons,
    keyOf: key,
    dialect: dialectOf,
    placeholder: () => dev !== undefined,
    loadAgain: (id) => dev?.loadAgain(id),
    made: (context, module, make) => made(context, module, { make, partsOf: ({ parts }) => parts }),
  });
  return [
    modules,
    styles,
    createLibrariesPlugin(options),
    updates.plugin,
    createPickerPlugin(session),
  ];
}

/** True if the user has added this plugin to a list of plugins. */
async function hasOurs(plugins: PluginOption): Promise<boolean> {
  const option = await plugins;
  if (Array.isArray(option)) return (await Promise.all(option.map(hasOurs))).includes(true);
  return typeof option === 'object' && option?.name === NAME;
}

interface EnvironmentConfig {
  consumer: 'client' | 'server';
  build?: ViteBuild & { outDir?: string };
}

interface Environment {
  name: string;
  config: EnvironmentConfig;
}

function environmentOf(context: object): Environment | undefined {
  return 'environment' in context ? (context.environment as Environment) : undefined;
}
