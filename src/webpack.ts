import { fileURLToPath } from 'node:url';
import type { WebpackPluginInstance } from 'webpack';
import type { Options } from './options/options.ts';
import { pluginApi } from './build/session-state.ts';
import { createSession } from './build/session.ts';
import { createWebpackPlugin } from './bundlers/webpack/plugin.ts';

export type { Options } from './options/options.ts';

/**
 * `icon:` imports for webpack 5.
 *
 * @example
 * ```js
 * // webpack.config.js
 * import iconCatalog from 'unplugin-icon-catalog/webpack'
 *
 * export default {
 *   plugins: [iconCatalog()],
 * }
 * ```
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID, when webpack applies the plugin
 */
export default function iconCatalog(options?: Options): WebpackPluginInstance {
  const plugin = createWebpackPlugin({
    createSession: (bundler) => createSession(options, bundler),
    // Written in the entry, which bundling leaves where it is: the paths hold in `src` and in `dist`.
    loader: fileURLToPath(new URL('./bundlers/webpack/icon-loader.cjs', import.meta.url)),
    styleLoader: fileURLToPath(new URL('./bundlers/webpack/style-loader.cjs', import.meta.url)),
  });
  return { ...plugin, ...pluginApi(options) };
}
