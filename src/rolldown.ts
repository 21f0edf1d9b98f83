import type { Plugin } from 'rolldown';
import type { Options } from './options/options.ts';
import { createIconCatalogs } from './plugin.ts';
import { createRollupPlugin } from './bundlers/rollup/plugin.ts';

const { rolldown } = createIconCatalogs((options) =>
  createRollupPlugin(options, 'rolldown').map((plugin) => ({
    name: plugin.name,
    rolldown: plugin,
  })),
);

/**
 * The Rolldown plugin.
 *
 * @example
 * // rolldown.config.js
 * import { defineConfig } from 'rolldown';
 * import iconCatalog from 'unplugin-icon-catalog/rolldown';
 *
 * export default defineConfig({ input: 'src/main.js', plugins: [iconCatalog()] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): Plugin[] {
  return rolldown(options);
}
