/** The embedded catalog: `unplugin-icon-catalog/server`. */
export { createCatalogServer } from './server/create-catalog-server.ts';
export type { CatalogServer } from './server/create-catalog-server.ts';
export type { ListenOptions, Listening } from './server/listen.ts';
export { embeddedIconId } from './server/ids.ts';
export { EMBEDDED_SITE_URL } from './server/ids.ts';
export type { EmbeddedFolder, EmbeddedKey, EmbeddedOptions } from './options/options.ts';
