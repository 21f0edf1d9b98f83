import { addToEleventy, type EleventyConfig } from './integrations/eleventy.ts';
import type { Options } from './options/options.ts';

/**
 * The Eleventy plugin: shortcode and filter `icon`, `iconUrl` for an address, `icon:` in finished pages, credits.
 *
 * @example
 * import iconCatalog from 'unplugin-icon-catalog/eleventy';
 *
 * export default function (eleventyConfig) {
 *   eleventyConfig.addPlugin(iconCatalog, { aliases: { star: 123 } });
 * }
 *
 * @param options without them, those of `icon-catalog.config.*` in the project's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(eleventyConfig: EleventyConfig, options?: Options): void {
  addToEleventy(eleventyConfig, options);
}

// Eleventy's own name for this, by which commands find the plugin in a configuration.
Object.defineProperty(iconCatalog, 'eleventyPackage', { value: 'unplugin-icon-catalog' });

export type { EleventyConfig } from './integrations/eleventy.ts';
export type { Options } from './options/options.ts';
