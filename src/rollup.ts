import type { Plugin } from 'rollup';
import type { Options } from './options.ts';
import { createRollupPlugin } from './plugin/rollup/create-rollup-plugin.ts';

/**
 * The Rollup plugin.
 *
 * @example
 * // rollup.config.js
 * import iconCatalog from 'unplugin-icon-catalog/rollup';
 *
 * export default { input: 'src/main.js', output: { dir: 'dist' }, plugins: [iconCatalog()] };
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): Plugin[] {
  return createRollupPlugin(options, 'rollup') satisfies Plugin[];
}
