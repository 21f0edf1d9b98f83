import type { OnResolveArgs, OnResolveResult, PluginBuild } from 'esbuild';
import { IconCatalogError } from '../../errors.ts';
import { byteLength, INLINE_LIMIT, placeImage } from '../place-image.ts';
import { CREDITS_ID, type Session, type SessionImage } from '../session-types.ts';
import { DATA_NAMESPACE, FILE_NAMESPACE, ICON_NAMESPACE, SPRITE_PATH } from './found-usages.ts';
import { toFailure } from './to-failure.ts';

const NO_STYLES = new Set<OnResolveArgs['kind']>(['import-rule', 'composes-from']);

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
    imported = () => undefined,
  }: {
    session: Session;
    root: string;
    /** Told each import of an icon, as it is spelled. */
    imported?: (specifier: string) => void;
    credits: () => Promise<string>;
    sprite: () => Promise<string | undefined>;
  },
): void {
  build.onResolve({ filter: /^icon:/ }, async ({ path, importer, namespace, kind }) => {
    const from = importer === '' ? undefined : importer;
    const watchFiles = [...session.config.files];
    try {
      if (NO_STYLES.has(kind)) throw noStyles(path, from);
      if (kind === 'url-token')
        return { ...toResolved(await session.image(path, { importer: from })), watchFiles };
      const id = session.resolve(path, from);
      // Members of a set are imported by nobody's source.
      if (namespace !== ICON_NAMESPACE) imported(path);
      return {
        watchFiles,
        path: id.slice(`${ICON_NAMESPACE}:`.length),
        namespace: ICON_NAMESPACE,
        sideEffects: false,
      };
    } catch (error) {
      return { ...toFailure(error), watchFiles };
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
  build.onLoad({ filter: /./, namespace: DATA_NAMESPACE }, ({ pluginData }) => ({
    contents: toBytes(pluginData as string),
    loader: 'dataurl',
  }));
}

/** What a `data:` address holds: esbuild writes its own, and chooses the shorter spelling. */
function toBytes(address: string): Uint8Array {
  const [, type = '', payload = ''] = /^([^,]*),(.*)$/s.exec(address) ?? [];
  return Buffer.from(
    type.endsWith(';base64') ? payload : decodeURIComponent(payload),
    type.endsWith(';base64') ? 'base64' : 'utf8',
  );
}

/** A style sheet's icon: an address that esbuild writes as it is, or a file for esbuild's own loader. */
function toResolved(image: SessionImage): OnResolveResult {
  const { ids, asset } = image;
  const isFile = (of: SessionImage['asset']): boolean => byteLength(of.source) >= INLINE_LIMIT;
  let result: OnResolveResult | undefined;
  const { address } = placeImage(image, {
    isSmall: (of) => !isFile(of),
    emit({ fileName }, id) {
      const path = `${id.slice(`${ICON_NAMESPACE}:`.length)}/${fileName}`;
      result = { path, namespace: FILE_NAMESPACE, sideEffects: false, pluginData: asset.source };
      return { address: '', reference: path };
    },
  });
  if (result !== undefined || ids === undefined) return result ?? { path: address, external: true };
  // The fragment of the namespace's path says whose it is.
  return {
    path: `${ids.data.slice(`${ICON_NAMESPACE}:`.length)}/${asset.fileName}`,
    namespace: DATA_NAMESPACE,
    sideEffects: false,
    pluginData: address,
  };
}

function noStyles(specifier: string, importer: string | undefined): IconCatalogError {
  return new IconCatalogError('SPECIFIER_INVALID', {
    message: `\`@import\` of \`${specifier}\`: an icon is no style sheet.`,
    remedy: 'Use it as an image: `background: url(…)`, `mask: url(…)`.',
    importer,
  });
}
