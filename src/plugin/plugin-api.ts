import type { Options } from '../options.ts';

/**
 * What a plugin object shows of itself besides its hooks, so that the command line finds the options of a project. They
 * may hold a secret and are not enumerable: bundlers print their configuration with all plugins in it.
 */
export interface PluginApi {
  api: { name: 'unplugin-icon-catalog'; readonly options: Options };
}

export function pluginApi(options: Options = {}): PluginApi {
  const api = { name: 'unplugin-icon-catalog', options } as const;
  return { api: Object.defineProperty(api, 'options', { enumerable: false }) };
}
