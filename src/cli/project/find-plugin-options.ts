import type { Options } from '../../options.ts';

/** Configurations nest plugins in lists of lists; deeper than this nobody looks. */
const DEEPEST = 6;

/**
 * Options of every plugin of ours in a bundler's configuration: one object, a list of them (webpack, Rollup), a
 * function or a promise of it.
 */
export async function findPluginOptions(config: unknown): Promise<Options[]> {
  const found: Options[] = [];
  for (const one of await listed(config)) {
    if (isObject(one)) await collect(one['plugins'], found, 0);
  }
  return found;
}

async function listed(config: unknown): Promise<unknown[]> {
  const settled: unknown = await config;
  if (typeof settled === 'function') {
    // What bundlers hand over to a configuration that is a function, as far as they agree.
    const made: unknown = await settled(
      { production: true, command: 'build', mode: 'production' },
      {
        mode: 'production',
      },
    );
    return listed(made);
  }
  return Array.isArray(settled) ? (await Promise.all(settled.map(listed))).flat() : [settled];
}

async function collect(plugins: unknown, found: Options[], depth: number): Promise<void> {
  const settled: unknown = await plugins;
  if (Array.isArray(settled) && depth < DEEPEST) {
    for (const plugin of settled) await collect(plugin, found, depth + 1);
    return;
  }
  if (!isObject(settled) || !isObject(settled['api'])) return;
  const { name, options } = settled['api'];
  if (name === 'unplugin-icon-catalog' && isObject(options)) found.push(options);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
