import type { Options } from '../../options/options.ts';
import { pluginApi, type PluginApi } from '../../build/session-config.ts';
import { createSession } from '../../build/session.ts';
import { createPlacedIcons } from '../../build/placed-images.ts';
import { createStyleFiles, createStylePlugin, type StylePlugin } from './styles.ts';
import { createRollupHooks } from './hooks.ts';
import type { RollupHooks } from './types.ts';

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
