import type { Options } from '../options/options.ts';
import { isObject } from '../untrusted.ts';

/** Configurations nest plugins in lists of lists. This is the deepest level that is searched. */
const DEEPEST = 6;

/**
 * Options of every plugin of ours in a bundler's configuration: one object, a list of them (webpack, Rollup), a
 * function or a promise of it.
 */
export async function findPluginOptions(config: unknown, mode = 'production'): Promise<Options[]> {
  const found: Options[] = [];
  for (const one of await listed(config, mode))
    if (isObject(one)) found.push(...(await optionsIn(one['plugins'])));
  return found;
}

/** Of every plugin of ours in a list of plugins. */
export async function optionsIn(plugins: unknown): Promise<Options[]> {
  const found: Options[] = [];
  await collect(plugins, found, 0);
  return found;
}

async function listed(config: unknown, mode: string): Promise<unknown[]> {
  const settled: unknown = await config;
  if (typeof settled === 'function') {
    // The arguments that bundlers pass to a configuration that is a function, as far as they agree.
    const made: unknown = await settled(
      { production: mode === 'production', command: 'build', mode },
      { mode },
    );
    return listed(made, mode);
  }
  return Array.isArray(settled)
    ? (await Promise.all(settled.map((one) => listed(one, mode)))).flat()
    : [settled];
}

async function collect(plugins: unknown, found: Options[], depth: number): Promise<void> {
  const settled: unknown = await plugins;
  const inner: unknown[] = Array.isArray(settled) && depth < DEEPEST ? settled : [];
  for (const plugin of inner) await collect(plugin, found, depth + 1);
  if (!isObject(settled) || !isObject(settled['api'])) return;
  const { name, options } = settled['api'];
  if (name === 'unplugin-icon-catalog' && isObject(options)) found.push(options);
}
