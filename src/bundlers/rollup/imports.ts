import { importsDefaultsOnly, warningsOfAddresses } from '../../build/importers.ts';
import type { Session } from '../../build/session-interface.ts';
import { isDefaultId, isIconSpecifier, isOwnValue, toDefaultId } from '../../request/key.ts';
import type { LoadedCode, OutputPlace, RollupDialect, RollupHooks } from './types.ts';
import { dirname, resolve } from 'node:path';

export interface ImportResolver {
  /** The id of an icon's module, or of its value where that is enough. Fails as `Session.resolve` does. */
  resolve(context: object, source: string, importer: string | undefined): string;
  /**
   * Finds importers for which the value of an icon is enough: a hook of another plugin if ours has a transform already.
   * Records are twice as long as drawings, and few importers ask for them: what is not there need not be parsed.
   */
  transform: RollupHooks['transform'];
  /** True if the imports of a module that the bundler has kept now lead elsewhere. */
  shouldTransformCachedModule: RollupHooks['shouldTransformCachedModule'];
}

export function createImportResolver(
  session: Session,
  dialect: Pick<RollupDialect, 'dev' | 'key' | 'isOnRequest'>,
): ImportResolver {
  // Never cleared: an importer that changes goes through its transforms again before its imports are resolved.
  const certainOf = mapByBuild<boolean>(dialect);
  const said = new Set<string>();

  function resolve(context: object, source: string, importer: string | undefined): string {
    const usesDefaults = certainOf(context).get(importer ?? '') === true;
    const usual = usesDefaults ? session.usualDefaultId(source, importer) : undefined;
    if (usual !== undefined) return usual;
    if (isOwnValue(source, importer)) return source;
    // A dev server is asked for modules by their ids: by browsers, by scripts, and by Astro for files to watch.
    if (dialect.dev() !== undefined && isDefaultId(source)) return source;
    const icon = session.resolve(source, importer);
    const isEnough = usesDefaults && session.isSplittable(icon);
    const id = isEnough ? toDefaultId(icon) : icon;
    // A dev server takes what stands behind a dot of the path for the type of a file.
    return dialect.dev() !== undefined && id.includes('.') ? icon : id;
  }

  return {
    resolve,
    transform: {
      order: 'post',
      filter: { code: /["'`]icon:/ },
      async handler(code, id) {
        // Bundlers from before hook filters show every module.
        if (!code.includes('icon:')) return null;
        certainOf(this).set(id, importsDefaultsOnly(code));
        for (const warning of warningsOfAddresses(code, id, dialect.isOnRequest?.(this) === true)) {
          // A site has builds for browsers and for its server.
          if (!said.has(warning)) this.warn(warning);
          said.add(warning);
        }
        // The first imports of icons are about to be resolved.
        await session.expect();
        return null;
      },
    },
    shouldTransformCachedModule({ id: importer, resolvedSources: sources = {} }) {
      // Options that the plugin was given stay as they are.
      if (session.config.files.length === 0) return null;
      const isOutdated = Object.entries(sources).some(([source, before]) => {
        if (before === null || !isIconSpecifier(source)) return false;
        try {
          return resolve(this, source, importer) !== before.id;
        } catch {
          return true;
        }
      });
      return isOutdated ? true : null;
    },
  };
}

/** A map for each build, from a hook's context. */
export function mapByBuild<Value>({
  key,
}: Pick<RollupDialect, 'key'>): (context: object) => Map<string, Value> {
  const maps = new WeakMap<object, Map<string, Value>>();
  return (context) => {
    const map = maps.get(key(context)) ?? new Map<string, Value>();
    maps.set(key(context), map);
    return map;
  };
}

export function withoutMap(code: string): LoadedCode {
  return { code, moduleSideEffects: false, moduleType: 'js' };
}

/** Keeps generated code out of source maps. */
export function withoutMappings(code: string): LoadedCode {
  return { ...withoutMap(code), map: { mappings: '' } };
}

export function placeOf({ dir, file, format }: OutputPlace): string {
  return [dir, file, format].join('\n');
}

/** Absolute. */
export function folderOf({ dir, file }: OutputPlace): string | undefined {
  const folder = dir ?? (file === undefined ? undefined : dirname(file));
  return folder === undefined ? undefined : resolve(folder);
}
