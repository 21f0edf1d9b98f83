import { isOwnValue, toValueId } from '../../corridor/value-id.ts';
import { isIconSpecifier } from '../../request/specifier.ts';
import type { LargeSession } from '../large-session.ts';
import { CREDITS_ID } from '../session-types.ts';
import { createImporterWatch } from './importer-watch.ts';
import type { RollupDialect, RollupHooks } from './rollup-types.ts';

export interface ImportResolver {
  /**
   * The id of an icon's module, or of its value where that is enough.
   * @throws IconCatalogError as `Session.resolve`
   */
  resolve(context: object, source: string, importer: string | undefined): string;
  /** True where the imports of a module that the bundler has kept lead elsewhere by now. */
  transform: RollupHooks['transform'];
  shouldTransformCachedModule: RollupHooks['shouldTransformCachedModule'];
}

export function createImportResolver(
  session: LargeSession,
  dialect: Pick<RollupDialect, 'dev' | 'key'>,
): ImportResolver {
  const importers = createImporterWatch({
    keyOf: dialect.key,
    expect: () => session.expect(),
  });

  function resolve(context: object, source: string, importer: string | undefined): string {
    const usesDefaults =
      !dialect.dev() && importers.usesDefaultsOnly(importer, dialect.key(context));
    const usual = usesDefaults ? session.usualValueId(source, importer) : undefined;
    if (usual !== undefined) return usual;
    if (isOwnValue(source, importer)) return source;
    const icon = session.resolve(source, importer);
    const isEnough = usesDefaults && icon !== CREDITS_ID && session.hasShapes(icon);
    return isEnough ? toValueId(icon) : icon;
  }

  return {
    transform: importers.transform,
    resolve,
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
