import { createRequire } from 'node:module';
import type bun from './bun.ts';
import type esbuild from './esbuild.ts';
import type farm from './farm.ts';
import type { Options } from './options/options.ts';
import type rolldown from './rolldown.ts';
import type rollup from './rollup.ts';
import type rspack from './rspack.ts';
import type vite from './vite.ts';
import type webpack from './webpack.ts';

export { createIcons, type IconModule, type Icons, type IconsHost } from './icons.ts';
export { parseSpecifier, type ParseSpecifierOptions } from './request/parse-request.ts';
export {
  ERROR_CODES,
  IconCatalogError,
  isIconCatalogError,
  type ErrorCode,
  type IconCatalogErrorOptions,
} from './errors.ts';
export {
  renderAttribution,
  type AttributionFormat,
  type RenderAttributionOptions,
} from './attribution/render/render-attribution.ts';
export type { PageParts, PageTemplate } from './attribution/render/render-attribution.ts';
export type {
  AttributionOptions,
  CatalogCredentials,
  CatalogTerms,
  EmbeddedFolder,
  EmbeddedKey,
  EmbeddedOptions,
  LicenseAssertion,
  LicenseOptions,
  Options,
  SvgOptions,
} from './options/options.ts';
export type { ComponentIcon, ComponentNode, ComponentWriter, Framework } from './component.ts';
export type {
  Change,
  ChangeKind,
  CollectionReference,
  Creator,
  Credit,
  CreditLicense,
  FetchPort,
  Filetype,
  IconForm,
  IconInfo,
  IconRecord,
  IconRequest,
  IconStyle,
  IconUsage,
  LicenseStatus,
  Log,
  Manifest,
  ManifestBuild,
  ManifestIcon,
  SharedStorage,
  SvgLimits,
  UsageKind,
  PageLanguage,
  PageWords,
} from './types.ts';
export {
  IconCatalogResolver,
  type IconCatalogResolverObject,
  type IconCatalogResolverOptions,
} from './integrations/icon-catalog-resolver.ts';

/**
 * Returns the options as they are. An editor knows their names and types inside the call, in `icon-catalog.config.*`.
 *
 * @example
 * // icon-catalog.config.ts
 * import { defineConfig } from 'unplugin-icon-catalog';
 *
 * export default defineConfig({ aliases: { house: 123 }, defaults: { size: '1.25em' } });
 */
export function defineConfig(options: Options): Options {
  return options;
}

/** The plugins of all bundlers, each with the entry's own types: `iconCatalog.vite()` is that of `/vite`. */
export interface IconCatalog {
  vite: typeof vite;
  rollup: typeof rollup;
  rolldown: typeof rolldown;
  webpack: typeof webpack;
  rspack: typeof rspack;
  esbuild: typeof esbuild;
  farm: typeof farm;
  bun: typeof bun;
}

/**
 * The unplugin.
 *
 * @example
 * // vite.config.ts
 * import { defineConfig } from 'vite';
 * import iconCatalog from 'unplugin-icon-catalog';
 *
 * export default defineConfig({ plugins: [iconCatalog.vite()] });
 */
const iconCatalog: IconCatalog = {
  vite: (options) => entry('vite')(options),
  rollup: (options) => entry('rollup')(options),
  rolldown: (options) => entry('rolldown')(options),
  webpack: (options) => entry('webpack')(options),
  rspack: (options) => entry('rspack')(options),
  esbuild: (options) => entry('esbuild')(options),
  farm: (options) => entry('farm')(options),
  // It is a plugin itself.
  get bun() {
    return entry('bun');
  },
};
export default iconCatalog;

/**
 * An entry is loaded when a plugin is made: `createIcons` needs no bundler's code. A plugin is made at once, so the
 * entry is loaded with `require`, which all supported versions of Node have for modules without a top-level `await`.
 */
function entry<Name extends keyof IconCatalog>(name: Name): IconCatalog[Name] {
  // Bundling leaves this file in the entries' folder.
  const loaded = createRequire(import.meta.url)(`./${name}.js`) as { default: IconCatalog[Name] };
  return loaded.default;
}
