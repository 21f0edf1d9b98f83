import type { Options } from './options/options.ts';
import type { BunBuilder, BunPlugin } from './bundlers/bun/modules.ts';
import { createBunPlugin } from './bundlers/bun/plugin.ts';
import { createSession } from './build/session.ts';

/**
 * The plugin for `Bun.build`. Preloaded with `Bun.plugin(iconCatalog())` it serves `bun run` as well.
 *
 * @example
 * import iconCatalog from 'unplugin-icon-catalog/bun';
 *
 * await Bun.build({ entrypoints: ['src/main.ts'], outdir: 'dist', plugins: [iconCatalog()] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
function iconCatalog(options?: Options): BunPlugin {
  // This session is for the check alone: wrong options are an error where they are written.
  createSession(options, 'bun');
  return createBunPlugin(() => createSession(options, 'bun'));
}

/** The function is a plugin without options itself: Bun takes what a module of `[serve.static] plugins` exports for one. */
const plugin: typeof iconCatalog & Pick<BunPlugin, 'setup'> = Object.assign(iconCatalog, {
  setup: (build: BunBuilder) => iconCatalog().setup(build),
});

export default plugin;
