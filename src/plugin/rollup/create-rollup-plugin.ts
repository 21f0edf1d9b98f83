import type { Options } from '../../options.ts';
import { pluginApi, type PluginApi } from '../plugin-api.ts';
import { createSession } from '../session.ts';
import { createPlacedIcons } from '../placed-icons.ts';
import { createStyleFiles } from './style-files.ts';
import { createStylePlugin, type StylePlugin } from './style-plugin.ts';
import { createRollupHooks } from './create-rollup-hooks.ts';
import type { RollupHooks } from './rollup-types.ts';

/** Rollup and Rolldown: one build a plugin instance, no dev server. */
export function createRollupPlugin(
  options: Options | undefined,
  bundler: 'rollup' | 'rolldown',
): [RollupHooks & PluginApi & { name: string }, StylePlugin] {
  const session = createSession(options, bundler);
  const icons = createPlacedIcons();
  const styleFiles = createStyleFiles();
  const hooks = createRollupHooks(
    session,
    {
      key: () => session,
      build: () => ({ id: bundler, bundler, consumer: 'client' }),
      fileUrl: (reference) => `import.meta.ROLLUP_FILE_URL_${reference}`,
      // Output options are not known when modules are loaded.
      hasMaps: () => true,
      dev: () => undefined,
      isNested: () => false,
      styleFiles,
    },
    icons,
  );
  const styles = createStylePlugin({
    name: 'unplugin-icon-catalog:styles',
    session,
    icons,
    keyOf: () => session,
    dialect: (_, importer) => styleFiles.dialect(importer),
    placeholder: () => false,
    // Before plugins that bundle CSS, wherever they stand in the list.
    order: 'pre',
  });
  const modules = { name: 'unplugin-icon-catalog', ...pluginApi(options), ...hooks };
  return [modules, styles];
}
