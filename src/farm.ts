import type { JsPlugin } from '@farmfe/core';
import type { Options } from './options/options.ts';
import { createIconCatalog } from './plugin.ts';
import { createFarmPlugin } from './bundlers/farm/plugin.ts';
import { pluginApi } from './build/session-state.ts';
import { createSession } from './build/session.ts';

const { farm } = createIconCatalog((options) => {
  const plugin = createFarmPlugin(createSession(options, 'farm'));
  return { name: plugin.name, farm: { ...plugin, ...pluginApi(options) } };
});

/**
 * The Farm plugin.
 *
 * @example
 * // farm.config.ts
 * import { defineConfig } from '@farmfe/core';
 * import iconCatalog from 'unplugin-icon-catalog/farm';
 *
 * export default defineConfig({ plugins: [iconCatalog()] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): JsPlugin {
  return farm(options);
}
