import type { OnResolveArgs, PluginBuild } from 'esbuild';
import { IconCatalogError } from '../../errors.ts';
import { CREDITS_ID, type Session } from '../session-types.ts';
import { FILE_NAMESPACE, ICON_NAMESPACE, SPRITE_PATH } from './found-usages.ts';
import { toFailure } from './to-failure.ts';

const IN_STYLE_SHEETS = new Set<OnResolveArgs['kind']>([
  'url-token',
  'import-rule',
  'composes-from',
]);

/**
 * Resolves and loads `icon:` imports. Both the build and the look ahead (see `scoutGraph`) need it.
 *
 * @param options.credits code of `icon:credits`
 * @param options.sprite content of the sprite file; `undefined` where nobody will look at it
 */
export function addIconHooks(
  build: PluginBuild,
  {
    session,
    root,
    credits,
    sprite,
  }: {
    session: Session;
    root: string;
    credits: () => Promise<string>;
    sprite: () => Promise<string | undefined>;
  },
): void {
  build.onResolve({ filter: /^icon:/ }, ({ path, importer, kind }) => {
    const from = importer === '' ? undefined : importer;
    try {
      if (IN_STYLE_SHEETS.has(kind)) throw styleSheetError(path, from);
      const id = session.resolve(path, from);
      return {
        path: id.slice(`${ICON_NAMESPACE}:`.length),
        namespace: ICON_NAMESPACE,
        sideEffects: false,
      };
    } catch (error) {
      return toFailure(error);
    }
  });

  build.onLoad({ filter: /./, namespace: ICON_NAMESPACE }, async ({ path }) => {
    const id = `${ICON_NAMESPACE}:${path}`;
    try {
      if (id === CREDITS_ID) return { contents: await credits(), loader: 'js' };
      const module = await session.load(id);
      if (module.kind === 'code') return { contents: module.code, loader: 'js', resolveDir: root };
      const isSymbol = module.symbol !== undefined;
      const file = isSymbol ? SPRITE_PATH : `${path}/${module.fileName}`;
      const address = JSON.stringify(`${FILE_NAMESPACE}:${file}`);
      const contents = `import address from ${address};\n${module.code('address')}`;
      const source = isSymbol ? await sprite() : module.source;
      return { contents, loader: 'js', resolveDir: root, pluginData: source ?? module.source };
    } catch (error) {
      return toFailure(error);
    }
  });

  // The file goes through esbuild's own loader, so that `assetNames` and `publicPath` hold for it.
  build.onResolve({ filter: /^icon-file:/, namespace: ICON_NAMESPACE }, ({ path, pluginData }) => ({
    path: path.slice(`${FILE_NAMESPACE}:`.length),
    namespace: FILE_NAMESPACE,
    sideEffects: false,
    pluginData: pluginData as unknown,
  }));
  build.onLoad({ filter: /./, namespace: FILE_NAMESPACE }, ({ pluginData }) => ({
    contents: pluginData as string | Uint8Array,
    loader: 'file',
  }));
}

function styleSheetError(specifier: string, importer: string | undefined): IconCatalogError {
  return new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`${specifier}\` stands in a style sheet, where \`icon:\` is not supported yet.`,
    remedy: 'Import the icon in a script with `?url` and set the address as a custom property.',
    importer,
  });
}
