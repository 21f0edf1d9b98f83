import { fileURLToPath } from 'node:url';
import type { RspackPluginInstance } from '@rspack/core';
import type { Options } from './options.ts';
import { pluginApi } from './plugin/plugin-api.ts';
import { createSession } from './plugin/session.ts';
import { createRspackPlugin } from './plugin/webpack/rspack-plugin.ts';

export type { Options } from './options.ts';

/**
 * `icon:` imports for Rspack.
 *
 * @example
 * ```js
 * // rspack.config.js
 * import iconCatalog from 'unplugin-icon-catalog/rspack'
 *
 * export default {
 *   plugins: [iconCatalog()],
 * }
 * ```
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID, when Rspack applies the plugin
 */
export default function iconCatalog(options?: Options): RspackPluginInstance {
  const plugin = createRspackPlugin({
    createSession: () => createSession(options, 'rspack'),
    // Written in the entry, which bundling leaves where it is: the paths hold in `src` and in `dist`.
    loader: fileURLToPath(new URL('./plugin/webpack/icon-loader.cjs', import.meta.url)),
    styleLoader: fileURLToPath(new URL('./plugin/webpack/style-loader.cjs', import.meta.url)),
  });
  return { ...plugin, ...pluginApi(options) };
}
