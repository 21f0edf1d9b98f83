import type { Options } from './options.ts';

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
} from './attribution/render-attribution.ts';
export type { PageParts, PageTemplate } from './attribution/fill-template.ts';
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
} from './options.ts';
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
