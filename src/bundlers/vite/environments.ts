import type {
  EnvironmentModuleNode,
  HotUpdateOptions,
  Logger,
  Plugin,
  ResolvedConfig,
  ViteDevServer,
} from 'vite';
import { isIconCatalogError } from '../../errors.ts';
import type { Log } from '../../types.ts';

type Whole = ViteDevServer['environments'][string];

/** What is used of an environment of a dev server. */
export interface DevEnvironment {
  name: string;
  moduleGraph: Pick<Whole['moduleGraph'], 'idToModuleMap' | 'getModuleById' | 'invalidateModule'>;
  hot: Pick<Whole['hot'], 'send'>;
  reloadModule(module: EnvironmentModuleNode): Promise<void>;
}

/** Components of Svelte, and the styles in them. */
const SVELTE = /\.svelte(?:\?|$)/;

/** All of a server. Vite 5, which VitePress 1 brings along, knows none, and has one module graph for both sides. */
export function devEnvironments(server: ViteDevServer): DevEnvironment[] {
  const { environments } = server as Partial<ViteDevServer>;
  return environments === undefined ? [onlyEnvironment(server)] : Object.values(environments);
}

/** Modules that are to be loaded again when they are needed; the set is empty afterwards. */
export function invalidateModules(server: ViteDevServer, ids: Set<string>): void {
  for (const { moduleGraph } of devEnvironments(server)) {
    for (const id of ids) {
      const module = moduleGraph.getModuleById(id);
      if (module) moduleGraph.invalidateModule(module);
    }
  }
  ids.clear();
}

/** That of the browser. */
export function clientEnvironment(server: ViteDevServer): DevEnvironment {
  const { environments } = server as Partial<ViteDevServer>;
  return environments?.client ?? onlyEnvironment(server);
}

/**
 * Hooks that hear of a changed file: that of Vite 6 and later, and that of Vite 5, which no later one calls then.
 *
 * @param affected ids of modules to rebuild, loaded or not; `undefined`: the change is not ours
 */
export function hotUpdateHooks(
  affected: (
    change: HotUpdateOptions,
    environment: DevEnvironment,
  ) => Promise<readonly string[] | undefined>,
): Pick<Plugin, 'hotUpdate' | 'handleHotUpdate'> {
  async function update(
    change: HotUpdateOptions,
    environment: DevEnvironment,
  ): Promise<EnvironmentModuleNode[] | undefined> {
    const ids = await affected(change, environment);
    if (ids === undefined) return undefined;
    const modules = [...new Set(ids)]
      .map((id) => environment.moduleGraph.getModuleById(id))
      .filter(isThere)
      .filter((module) => !isLeftOver(module, environment));
    // Svelte's plugin takes the file that has changed for a component as soon as one is in the list, and fails.
    for (const module of modules.filter(isOfSvelte)) await environment.reloadModule(module);
    return [...change.modules, ...modules.filter((module) => !isOfSvelte(module))];
  }
  return {
    hotUpdate(change) {
      return update(change, this.environment);
    },
    handleHotUpdate(change) {
      // Nodes of both generations have what is read here.
      return update(change as never, onlyEnvironment(change.server)) as Promise<never>;
    },
  };
}

function onlyEnvironment(server: ViteDevServer): DevEnvironment {
  return {
    name: 'client',
    moduleGraph: server.moduleGraph as never,
    hot: server.ws,
    reloadModule: (module) => server.reloadModule(module as never),
  };
}

function isThere(module: EnvironmentModuleNode | undefined): module is EnvironmentModuleNode {
  return module !== undefined;
}

/** Vite would load the page again for an icon that nothing imports any more: it is rebuilt once something does. */
function isLeftOver(module: EnvironmentModuleNode, { name, moduleGraph }: DevEnvironment): boolean {
  const { id, importers } = module;
  if (name !== 'client' || id?.startsWith('icon:') !== true || importers.size > 0) return false;
  moduleGraph.invalidateModule(module);
  return true;
}

function isOfSvelte({ id }: EnvironmentModuleNode): boolean {
  return id !== null && SVELTE.test(id);
}

/** VitePress has a logger of its own, at the level that the user asks for, and keeps Vite's at warnings. */
export function viteLog(config: Pick<ResolvedConfig, 'logger'>): Log {
  const { vitepress } = config as { vitepress?: { logger?: Logger } };
  const logger = vitepress?.logger ?? config.logger;
  const line = (message: string): string => `[icon-catalog] ${message}`;
  return {
    info: (message) => logger.info(line(message)),
    warn: (message) => logger.warn(line(message)),
    error: (message) => logger.error(line(message)),
  };
}

/** An icon that Vite did not resolve, possibly with the folder of a partial before it. */
const ICON = /^\s*(?:[^\s:]*\/)?icon:[^\n]* didn't resolve at build time/;

/** Vite warns of every `url()` without a file. Icons have none, and are resolved one step later. */
export function withoutUnresolved(logger: Logger): void {
  const warnOnce = logger.warnOnce.bind(logger);
  logger.warnOnce = (message, options) => {
    if (!ICON.test(message)) warnOnce(message, options);
  };
}

/** A path as Vite writes it. */
export function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Names that the user has given to this machine; `.example` stands for all below. */
export function hostNames({ allowedHosts, host, hmr, origin }: ResolvedConfig['server']): string[] {
  return [
    ...(Array.isArray(allowedHosts) ? allowedHosts : []),
    host,
    typeof hmr === 'object' ? hmr.host : undefined,
    origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : undefined,
  ].filter((name) => typeof name === 'string');
}

/**
 * Rolldown wraps what its plugins throw, and Vite prints the stack of the wrapper: seven frames of the two below a text
 * that says what to do. Rollup's errors, and those of other plugins, stay as they are.
 */
export function withoutRolldownFrames(thrown: unknown): unknown {
  const { errors } = thrown as { errors?: unknown };
  if (thrown instanceof Error && Array.isArray(errors) && errors.every(isIconCatalogError))
    thrown.stack = `${thrown.name}: ${thrown.message}`;
  return thrown;
}
