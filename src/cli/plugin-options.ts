import type { Options } from '../options/options.ts';
import { isObject } from '../untrusted.ts';

/** Configurations nest objects and lists of plugins. This is the deepest level that is searched. */
const DEEPEST = 8;

/**
 * Options of every plugin of ours in what the configuration of a tool exports, wherever it stands there: one object, a list
 * of them (webpack, Rollup), a function or a promise of it.
 */
export async function findPluginOptions(config: unknown, mode = 'production'): Promise<Options[]> {
  const found: Options[] = [];
  const seen = new Set<object>();
  for (const one of await listConfigs(config, mode)) await collect(one, { found, seen }, 0);
  return found;
}

/** The configurations that a tool makes of what its file exports: an object, a list, a function or a promise of them. */
export async function listConfigs(config: unknown, mode: string): Promise<unknown[]> {
  const settled: unknown = await config;
  if (typeof settled === 'function') {
    // The arguments that bundlers pass to a configuration that is a function, as far as they agree.
    const made: unknown = await settled(
      { production: mode === 'production', command: 'build', mode },
      { mode },
    );
    return listConfigs(made, mode);
  }
  return Array.isArray(settled)
    ? (await Promise.all(settled.map((one) => listConfigs(one, mode)))).flat()
    : [settled];
}

interface Search {
  found: Options[];
  seen: Set<object>;
}

async function collect(value: unknown, search: Search, depth: number): Promise<void> {
  const settled: unknown = await value;
  if (typeof settled !== 'object' || settled === null || depth > DEEPEST) return;
  if (search.seen.has(settled)) return;
  search.seen.add(settled);
  const { api, iconCatalog } = settled as { api?: unknown; iconCatalog?: unknown };
  if (isObject(api) && api['name'] === 'unplugin-icon-catalog' && isObject(api['options']))
    return void search.found.push(api['options']);
  const [named, beside] = Array.isArray(settled) ? (settled as unknown[]) : [];
  // Nuxt names its module, with the options beside the name or under this key.
  for (const options of [named === 'unplugin-icon-catalog/nuxt' && beside, iconCatalog])
    if (isObject(options)) search.found.push(options);
  // Objects of a class are other plugins, and what they hold is their own.
  const isPlain = Array.isArray(settled) || Object.getPrototypeOf(settled) === Object.prototype;
  if (isPlain) for (const one of Object.values(settled)) await collect(one, search, depth + 1);
}

interface VitePlugin {
  name?: unknown;
  config?: unknown;
}

/** Plugins that set the root in a hook. What others do there takes seconds, and is of no use to a command. */
const SETS_ROOT: ReadonlySet<unknown> = new Set(['vite-plugin-ruby']);

/** The root of a configuration of Vite as its plugins leave it. */
export async function rootByPlugins(
  config: { root?: string; plugins?: unknown },
  mode: string,
): Promise<string | undefined> {
  let { root } = config;
  for (const plugin of (await settledList(config.plugins)) as VitePlugin[]) {
    const { name, config: handler } = plugin;
    if (!SETS_ROOT.has(name) || typeof handler !== 'function') continue;
    const more: unknown = await handler.call(plugin, config, { command: 'build', mode });
    if (isObject(more) && typeof more['root'] === 'string') root = more['root'];
  }
  return root;
}

async function settledList(value: unknown): Promise<unknown[]> {
  const settled: unknown = await value;
  if (!Array.isArray(settled)) return isObject(settled) ? [settled] : [];
  return (await Promise.all(settled.map(settledList))).flat();
}
