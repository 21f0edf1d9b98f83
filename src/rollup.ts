import type { Plugin } from 'rollup';
import type { Options } from './options/options.ts';
import { createIconCatalogs } from './plugin.ts';
import { createRollupPlugin } from './bundlers/rollup/plugin.ts';

const { rollup } = createIconCatalogs((options) =>
  createRollupPlugin(options, 'rollup').map((plugin) => ({ name: plugin.name, rollup: plugin })),
);

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
  return rollup(options);
}
