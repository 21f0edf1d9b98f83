import {
  createUnplugin,
  type UnpluginFactory,
  type UnpluginInstance,
  type UnpluginOptions,
} from 'unplugin';
import type { Options } from './options/options.ts';

/**
 * The unplugin of one bundler, over the part that is written for this bundler. unplugin gives the shell: one factory, a
 * name, and the bundler's own plugin object. An entry passes one part only, so that it loads no other bundler's code.
 *
 * Each part hands its hooks on as they are (`vite`, `farm`, `esbuild.setup` …). What unplugin's generic
 * `resolveId` and `load` would cost:
 * - Vite, Rollup and Rolldown: a generic `resolveId` has no type for `moduleSideEffects`, without which unused icons
 *   are shipped, `emitFile` has none for the reference that `?url` needs, and filters are checked a second time.
 * - webpack and Rspack have no part here: their entries make the plugin themselves. Docusaurus reads its configuration
 *   with jiti 1, which has no `import.meta.dirname` and so cannot load unplugin. The generic hooks would also make each
 *   icon a virtual file and test every module by one more rule, while the scheme `icon:` is a hook that sees icons only.
 * - esbuild: the generic hooks take every path of a build to JavaScript, and an answer cannot say that a module has no
 *   side effects. The filter `^icon:` is checked in native code.
 * - Bun has no part here: unplugin's plugin for Bun cannot be made in Node, where the command line reads a project's
 *   configuration.
 * - Farm: the generic `resolve` asks JavaScript about every import and marks each module as one with side effects.
 */
export function createIconCatalog(
  part: (options: Options | undefined) => UnpluginOptions,
): UnpluginInstance<Options | undefined, false> {
  return createUnplugin(part satisfies UnpluginFactory<Options | undefined, false>);
}

/** The same where one entry of a bundler's list of plugins stands for several. */
export function createIconCatalogs(
  parts: (options: Options | undefined) => UnpluginOptions[],
): UnpluginInstance<Options | undefined, true> {
  return createUnplugin(parts satisfies UnpluginFactory<Options | undefined, true>);
}
