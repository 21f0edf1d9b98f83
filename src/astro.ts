import { type AstroIntegration, createAstroIntegration } from './integrations/astro.ts';
import type { Options } from './options/options.ts';

/**
 * The Astro integration: `icon:` imports as components of Astro, or in any other form that they ask for.
 *
 * @example
 * // astro.config.mjs
 * import { defineConfig } from 'astro/config';
 * import iconCatalog from 'unplugin-icon-catalog/astro';
 *
 * export default defineConfig({ integrations: [iconCatalog({ aliases: { star: 123 } })] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the project's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): AstroIntegration {
  return createAstroIntegration(options);
}

export type { AstroIntegration } from './integrations/astro.ts';
export type { Options } from './options/options.ts';
