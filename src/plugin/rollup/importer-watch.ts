import { importsDefaultsOnly } from './default-imports.ts';
import type { ImporterHook } from './rollup-types.ts';

export interface ImporterWatch {
  /** A hook of another plugin where ours has a transform already. */
  transform: ImporterHook;
  /** True where the importer was seen, after all transforms, to use default exports only. */
  usesDefaultsOnly(importer: string | undefined, build: object): boolean;
}

/**
 * Finds importers for which the value of an icon is enough. Records are twice as long as drawings and few importers
 * ask for them: what is not there need not be parsed.
 *
 * @param ports.keyOf tells builds apart that share one plugin instance, from a hook's context
 * @param ports.expect called before the first imports of icons are resolved
 */
export function createImporterWatch({
  keyOf,
  expect,
}: {
  keyOf: (context: object) => object;
  expect: () => Promise<void>;
}): ImporterWatch {
  // Never cleared: an importer that changes goes through its transforms again before its imports are resolved.
  const certainByBuild = new WeakMap<object, Map<string, boolean>>();
  return {
    transform: {
      order: 'post',
      filter: { code: /["'`]icon:/ },
      async handler(code, id) {
        // Bundlers from before hook filters show every module.
        if (!code.includes('icon:')) return null;
        const key = keyOf(this);
        const certain = certainByBuild.get(key) ?? new Map<string, boolean>();
        certainByBuild.set(key, certain.set(id, importsDefaultsOnly(code)));
        await expect();
        return null;
      },
    },
    usesDefaultsOnly: (importer, build) =>
      importer !== undefined && certainByBuild.get(build)?.get(importer) === true,
  };
}
