import type { Plugin, PluginOption, ResolvedConfig, UserConfig } from 'vite';
import { loadEnv } from '../../options/file.ts';
import type { Options } from '../../options/options.ts';
import { createRollupHooks } from '../rollup/plugin.ts';
import type { EmitContext, LoadedCode, RollupHooks } from '../rollup/types.ts';
import { isIconSpecifier, toIconId } from '../../request/key.ts';
import { pluginApi } from '../../build/session-state.ts';
import { CREDITS_ID, type ImageSession } from '../../build/session-types.ts';
import { createSession, createTypeDeclarations } from '../../build/session.ts';
import type { Session } from '../../build/session-interface.ts';
import { printSummaries } from '../../build/finish-build.ts';
import { createDevServer } from './dev-server.ts';
import {
  devEnvironments,
  viteLog,
  withoutRolldownFrames,
  withoutUnresolved,
} from './environments.ts';
import { createDevRequests } from './dev-requests.ts';
import { createPlacedIcons } from '../../build/images.ts';
import { createStylePlugin } from '../rollup/styles.ts';
import { imageDialect, importIconsOfTemplates, PAGES, rewritePages } from './pages.ts';
import { createLibrariesPlugin } from './libraries.ts';
import type { DevToolsContext } from './picker.ts';
import {
  buildOptions,
  dialectOfBuilds,
  environmentOf,
  joinUnoCss,
  made,
  noteClient,
  uses,
} from './builds.ts';
import type { ViteBuilds, ViteProject } from './builds.ts';
import { createUpdates, leaveUnwatched } from './updates.ts';

const NAME = 'unplugin-icon-catalog';
const ICON = /^icon:\d/;

/**
 * The hooks of Rollup's family, plus what only Vite has: environments, workers, `.env` files, pages and a dev server.
 * Several plugins, as each has its own place in the order: modules before Vite's own, style sheets between its
 * preprocessors with PostCSS and what it makes of their outcome.
 *
 * @param session of a caller that has something to do once Vite is done
 */
export function createVitePlugin(
  options?: Options,
  session: Session = createSession(options, 'vite'),
  project: ViteProject = {},
): Plugin[] {
  const requests = createDevRequests();
  const updates = createUpdates(session, () => {
    builds.declarations?.forget();
    session.begin({ isDev: true });
  });
  const icons = createPlacedIcons();
  const builds: ViteBuilds = {
    session,
    project,
    requests,
    updates,
    icons,
    servers: [],
    loaded: new Set(),
  };
  const images = imagesOf(builds);
  const keyOf = (context: object): object => environmentOf(context) ?? session;
  const dialectOf = (context: EmitContext) =>
    imageDialect(context, { dev: builds.dev, build: buildOptions(builds, context) });
  const { hooks, chunks } = createRollupHooks(session, dialectOfBuilds(builds, keyOf), icons);
  const styles = createStylePlugin({
    name: `${NAME}:styles`,
    session: images,
    icons,
    keyOf,
    dialect: dialectOf,
    placeholder: () => builds.dev !== undefined,
    loadAgain: (id) => builds.dev?.loadAgain(id),
    made: (context, module, make) => made(builds, context, module, make),
  });
  return [
    { ...pluginApi(options), ...modulesPlugin(builds, hooks) },
    // After all other transforms but Vite's own analysis of imports, which a hook with `order` would come after.
    {
      name: `${NAME}:importers`,
      apply: 'serve',
      enforce: 'post',
      transform: { filter: hooks.transform.filter, handler: hooks.transform.handler },
    },
    rewritePages(builds, { images, keyOf, dialectOf }),
    { ...styles, configResolved: (resolved) => joinUnoCss(resolved, styles) },
    chunks,
    createLibrariesPlugin(options),
    updates.plugin,
    pickerPlugin(session, project),
  ];
}

/**
 * The icon browser of a dev server, also in a dock of Vite DevTools if the project has them. None in tests, on CI machines,
 * and in servers that only serve a build. Builds do not load it.
 */
function pickerPlugin(
  session: Session,
  { framework, base }: ViteProject,
): Plugin & { devtools: { setup(context: DevToolsContext): Promise<void> } } {
  return {
    name: `${NAME}:picker`,
    apply: 'serve',
    async configureServer(server) {
      const { servePicker } = await import('./picker.ts');
      servePicker(server, session, framework);
    },
    devtools: {
      async setup(context) {
        const { addDock } = await import('./picker.ts');
        addDock(context, session, base?.());
      },
    },
  };
}

/** Images for the senders that may have them. */
function imagesOf({ session, requests }: ViteBuilds): ImageSession {
  return {
    async image(specifier, about) {
      requests.checkSender(specifier, about?.importer);
      return session.image(specifier, about);
    },
    async drawing(specifier, about) {
      requests.checkSender(specifier, about?.importer);
      return session.drawing(specifier, about);
    },
  };
}

/** Everything but style sheets and updates. */
function modulesPlugin(builds: ViteBuilds, hooks: RollupHooks): Plugin {
  const { session, project, requests, icons, loaded } = builds;
  const { transform, load, resolveId, ...others } = hooks;
  const { files = new Map() } = project;
  return {
    name: NAME,
    // Before Vite's own plugins, which would take `?raw`, `?url` and `?inline` for themselves.
    enforce: 'pre',
    ...others,
    resolveId: {
      ...resolveId,
      handler(source, importer, options?: object) {
        if (builds.dev === undefined) return resolveId.handler.call(this, source, importer);
        const from = requests.isImport(importer) ? importer : undefined;
        const resolveIcon = () => resolveId.handler.call(this, source, from);
        return resolveInDev(builds, source, { importer: from, options, resolveIcon });
      },
    },
    load: {
      ...load,
      handler(id) {
        const make = () => load.handler.call(this, id);
        const isOurs = builds.dev !== undefined && isIconSpecifier(id);
        return isOurs ? loadInDev(builds, this, id, async () => make()) : make();
      },
    },
    async closeBundle() {
      const environment: object | undefined = environmentOf(this);
      builds.servers = builds.servers.filter(
        ({ server }) => !devEnvironments(server).some((one) => one === environment),
      );
      if (builds.dev !== undefined) builds.dev = builds.servers.at(-1)?.dialect ?? builds.dev;
      await builds.declarations?.settle();
      await hooks.closeBundle();
    },
    // A plugin has one transform; where this one does not take part, importers get whole modules.
    config: ({ worker }) => ({
      build: { rollupOptions: { plugins: [{ name: `${NAME}:importers`, transform }] } },
      // Vite bundles workers with a list of plugins of their own, and merges both lists.
      worker: { plugins: () => [forWorkers(builds, worker)] },
    }),
    configResolved: (resolved) => configure(builds, resolved),
    buildApp: {
      order: 'pre',
      async handler(builder) {
        const { build } = builder;
        builder.build = async (environment) =>
          build.call(builder, environment).catch((error: unknown) => {
            throw withoutRolldownFrames(error);
          });
      },
    },
    configureServer(server) {
      const afterVite = requests.watch(server);
      builds.declarations = createTypeDeclarations(session);
      // Aliases are declared before anything imports them.
      builds.declarations.forget();
      builds.dev = createDevServer(session, server, {
        requests,
        imported: builds.declarations.imported,
        placed: () => icons.all(),
        loaded,
        files,
      });
      builds.servers.push({ server, dialect: builds.dev });
      return afterVite;
    },
    // A process that serves what it has built may never end by itself.
    configurePreviewServer: printSummaries,
  };
}

/** Equal options share one catalog access, so the credits of the build list the worker's icons. */
async function forWorkers(
  { session, project }: ViteBuilds,
  worker: UserConfig['worker'],
): Promise<Plugin[]> {
  if (await hasOurs(worker?.plugins?.())) return [];
  const inForce = session.config.options;
  return createVitePlugin(inForce, createSession(inForce, 'vite'), project);
}

/** Vite looks for packages that a project imports before it serves anything; its types do not show the mark. */
function isScan(options: object | undefined): boolean {
  return options !== undefined && 'scan' in options && options.scan === true;
}

type Resolved = ReturnType<RollupHooks['resolveId']['handler']>;

function resolveInDev(
  { requests }: ViteBuilds,
  source: string,
  {
    importer,
    options,
    resolveIcon,
  }: {
    importer: string | undefined;
    options: object | undefined;
    resolveIcon: () => Resolved;
  },
): Resolved {
  const isAddress = importer === undefined && requests.sender() !== undefined;
  try {
    const resolved = resolveIcon();
    if (resolved !== null && !isAddress) requests.imported(resolved.id);
    return resolved;
  } catch (error) {
    if (isAddress) return null;
    // The importer reports it once it is served. Here Vite would give up its search for packages to bundle.
    if (isScan(options)) return { id: source, moduleSideEffects: false };
    throw error;
  }
}

async function loadInDev(
  builds: ViteBuilds,
  context: EmitContext,
  id: string,
  make: () => Promise<LoadedCode | string | null>,
): Promise<LoadedCode | string | null> {
  const { requests, loaded } = builds;
  // Vite then answers as if this plugin were not there.
  if (!(await requests.isImported(id))) return null;
  requests.checkSender(id, id);
  if (id === CREDITS_ID) return make();
  const code = await made(builds, context, id, async () => ({
    outcome: await make(),
    parts: [`module ${toIconId(id)}`],
  }));
  if (ICON.test(id)) loaded.add(id);
  return code;
}

async function configure(builds: ViteBuilds, resolved: ResolvedConfig): Promise<void> {
  const { session, project } = builds;
  builds.config = resolved;
  // Before Vue's plugin, which takes its options here.
  importIconsOfTemplates(resolved);
  // SvelteKit has no pages of Vite's, and warns about each plugin that would change them.
  if (uses(resolved, 'vite-plugin-sveltekit'))
    for (const plugin of resolved.plugins)
      if (plugin.name === PAGES) delete plugin.transformIndexHtml;
  if (resolved.command === 'build') {
    // Astro asks a dev server for its content before it builds with the same plugins.
    builds.dev = undefined;
    builds.declarations = undefined;
    noteClient(resolved);
  }
  const { envDir, logger, mode } = resolved;
  // The root of Ladle is a folder of its own package: the project is where it runs.
  const isOfTool = /[\\/]node_modules[\\/]/.test(resolved.root);
  const { root: given = isOfTool ? process.cwd() : resolved.root } = project;
  const root = session.configure({ root: given, log: viteLog(resolved) });
  // Vite's root in Nuxt 4 is `app/`, beside which the files of variables lie. Quasar reads them in Vite's place.
  const isInstead = envDir === false && uses(resolved, 'vite:quasar');
  const folder = envDir === resolved.root || isInstead ? root : envDir;
  const env = folder === false ? process.env : await loadEnv(process.env, { mode, folder });
  session.configure({ env });
  await session.config.refresh().catch((error: unknown) => {
    if (project.startsBroken !== true) throw error;
    viteLog(resolved).error(error instanceof Error ? error.message : String(error));
  });
  if (resolved.command === 'serve') leaveUnwatched(resolved, session.resolvedOptions().cacheDir);
  withoutUnresolved(logger);
}

/** True if the user has added this plugin to a list of plugins. */
async function hasOurs(plugins: PluginOption): Promise<boolean> {
  const option = await plugins;
  if (Array.isArray(option)) return (await Promise.all(option.map(hasOurs))).includes(true);
  return typeof option === 'object' && option?.name === NAME;
}
