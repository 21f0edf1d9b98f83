import type { Plugin } from 'vite';
import type { Options } from './options/options.ts';
import { createIconCatalogs } from './plugin.ts';
import { createVitePlugin } from './bundlers/vite/plugin.ts';

const { vite } = createIconCatalogs((options) =>
  createVitePlugin(options).map((plugin) => ({ name: plugin.name, vite: plugin })),
);

/**
 * The Vite plugin, for builds, dev server and SSR.
 *
 * @example
 * // vite.config.ts
 * import { defineConfig } from 'vite';
 * import iconCatalog from 'unplugin-icon-catalog/vite';
 *
 * export default defineConfig({ plugins: [iconCatalog()] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): Plugin[] {
  return vite(options);
}
