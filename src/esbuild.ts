import type { Plugin } from 'esbuild';
import type { Options } from './options/options.ts';
import { createIconCatalog } from './plugin.ts';
import { createEsbuildPlugin } from './bundlers/esbuild/plugin.ts';
import { createSession } from './build/session.ts';

const { esbuild } = createIconCatalog((options) => {
  // This session is for the check alone: wrong options are an error where they are written.
  createSession(options, 'esbuild');
  const { name, setup } = createEsbuildPlugin(() => createSession(options, 'esbuild'));
  return { name, esbuild: { setup } };
});

/**
 * The esbuild plugin. Needs `bundle: true`.
 *
 * @example
 * import { build } from 'esbuild';
 * import iconCatalog from 'unplugin-icon-catalog/esbuild';
 *
 * await build({ entryPoints: ['src/main.js'], bundle: true, outdir: 'dist', plugins: [iconCatalog()] });
 *
 * @param options without them, those of `icon-catalog.config.*` in the bundler's root hold
 * @throws IconCatalogError OPTIONS_INVALID
 */
export default function iconCatalog(options?: Options): Plugin {
  return esbuild(options);
}
