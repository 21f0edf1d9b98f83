import type { Options } from '../../options.ts';
import { createSession } from '../session.ts';
import { createRollupHooks } from './create-rollup-hooks.ts';
import type { RollupHooks } from './rollup-types.ts';

/** Rollup and Rolldown: one build a plugin instance, no dev server. */
export function createRollupPlugin(
  options: Options | undefined,
  bundler: 'rollup' | 'rolldown',
): RollupHooks & { name: string } {
  const session = createSession(options, bundler);
  const hooks = createRollupHooks(session, {
    build: () => ({ key: session, id: bundler, bundler, consumer: 'client' }),
    fileUrl: (reference) => `import.meta.ROLLUP_FILE_URL_${reference}`,
    // Output options are not known when modules are loaded.
    hasMaps: () => true,
    dev: () => undefined,
    isNested: () => false,
  });
  return { name: 'unplugin-icon-catalog', ...hooks };
}
