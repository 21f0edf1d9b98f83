import { addToNuxt, type NuxtModule } from './integrations/nuxt.ts';

/**
 * The Nuxt module: `icon:` imports as components of Vue, or in any other form that they ask for.
 *
 * @example
 * // nuxt.config.ts
 * export default defineNuxtConfig({
 *   modules: [['unplugin-icon-catalog/nuxt', { aliases: { star: 123 } }]],
 * });
 *
 * @throws IconCatalogError OPTIONS_INVALID
 */
const iconCatalog: NuxtModule = Object.assign(addToNuxt, {
  getMeta: async () => ({ name: 'unplugin-icon-catalog', configKey: 'iconCatalog' }),
});
export default iconCatalog;

export type { NuxtInstance, NuxtModule } from './integrations/nuxt.ts';
export type { Options } from './options/options.ts';
