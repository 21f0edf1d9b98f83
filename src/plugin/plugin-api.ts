import type { Options } from '../options.ts';

/** What a plugin object shows of itself besides its hooks, so that the command line finds the options of a project. */
export interface PluginApi {
  api: { name: 'unplugin-icon-catalog'; options: Options };
}

export function pluginApi(options: Options = {}): PluginApi {
  return { api: { name: 'unplugin-icon-catalog', options } };
}
