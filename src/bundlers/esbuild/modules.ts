import type { OnResolveArgs, OnResolveResult, PartialMessage, Plugin, PluginBuild } from 'esbuild';
import { byteLength, INLINE_LIMIT, placeImage } from '../../build/images.ts';
import { createImporterScan, toLoad } from '../../build/importers.ts';
import { type CreditedIcons, CREDITS_ID, type SessionImage } from '../../build/session-types.ts';
import { isIconCatalogError } from '../../errors.ts';
import { isDefaultId } from '../../request/key.ts';
import type { ManifestBuild } from '../../types.ts';
import {
  DATA_NAMESPACE,
  FILE_NAMESPACE,
  foundUsages,
  ICON_NAMESPACE,
  modulesOf,
  outputsOf,
  readOutputs,
  shippedIcons,
  SPRITE_PATH,
} from './output.ts';
import type { Session } from '../../build/session-interface.ts';

/** What style sheets refer to with: an address, or another style sheet, which an icon is not. */
const OF_STYLES = new Set<OnResolveArgs['kind']>(['url-token', 'import-rule', 'composes-from']);

/**
 * Resolves and loads `icon:` imports. Both the build and the look ahead (see `scoutGraph`) need it.
 *
 * @param options.credits code of `icon:credits`
 * @param options.sprite content of the sprite file; `undefined` if it will not be read
 */
export function addIconHooks(
  build: PluginBuild,
  {
    session,
    root,
    credits,
    sprite,
    imported = () => undefined,
    isStopped = () => false,
  }: {
    session: Session;
    root: string;
    /** Told each import of an icon, as it is spelled. */
    imported?: (specifier: string) => void;
    /** True if the build has failed before it began. */
    isStopped?: () => boolean;
    credits: () => Promise<string>;
    sprite: () => Promise<string | undefined>;
  },
): void {
  const importers = createImporterScan(session);
  build.onStart(importers.begin);
  build.onResolve({ filter: /^icon:/ }, async ({ path, importer, namespace, kind }) => {
    if (namespace === ICON_NAMESPACE && isDefaultId(path)) return toModule(path);
    const from = importer === '' ? undefined : importer;
    const watchFiles = [...session.config.files];
    // What is wrong with the options was said when the build began.
    if (isStopped()) return { path, external: true, watchFiles };
    try {
      if (OF_STYLES.has(kind)) {
        const property = kind === 'url-token' ? {} : { property: '@import' };
        const image = await session.image(path, { importer: from, ...property });
        return { ...toResolved(image), watchFiles };
      }
      const icon = session.resolve(path, from);
      // No source imports the members of a set.
      if (namespace !== ICON_NAMESPACE) imported(path);
      const isInFile = namespace === 'file' && kind === 'import-statement';
      const id = isInFile ? importers.idOf(icon, path, importer) : icon;
      return { ...toModule(id), watchFiles };
    } catch (error) {
      return toFailure(error);
    }
  });

  build.onLoad({ filter: /./, namespace: ICON_NAMESPACE }, async ({ path }) => {
    const id = `${ICON_NAMESPACE}:${path}`;
    try {
      if (id === CREDITS_ID) return { contents: await credits(), loader: 'js' };
      const { icon, part } = toLoad(id);
      const module = await session.load(icon, { part });
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

function toModule(id: string): OnResolveResult {
  const path = id.slice(`${ICON_NAMESPACE}:`.length);
  return { path, namespace: ICON_NAMESPACE, sideEffects: false };
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

/**
 * Looks ahead: runs the same build without writing, to know which icons it will ship. esbuild names files after their
 * content, so the credits and the sprite file must be there before the real build is linked; changed afterwards, they would keep an old name.
 *
 * @returns `undefined` if the build fails. The real one fails then as well, and says why.
 */
export async function scoutGraph(
  build: PluginBuild,
  {
    self,
    session,
    root,
    identity,
  }: { self: Plugin; session: Session; root: string; identity: ManifestBuild },
): Promise<CreditedIcons | undefined> {
  const scout: Plugin = {
    name: self.name,
    setup: (inner) =>
      addIconHooks(inner, {
        session,
        root,
        credits: async () => session.pendingCreditsCode(),
        // The content is always the same, so that a path has one content. It is not shipped.
        sprite: async () => '<svg/>',
      }),
  };
  const { plugins = [], ...options } = build.initialOptions;
  try {
    const { metafile, outputFiles } = await build.esbuild.build({
      ...options,
      plugins: plugins.map((plugin) => (plugin.name === self.name ? scout : withoutEnd(plugin))),
      write: false,
      metafile: true,
      sourcemap: false,
      logLevel: 'silent',
    });
    const outputs = outputsOf(metafile);
    const usages = foundUsages(outputs, { folder: '', consumer: identity.consumer });
    const present = await session.present(usages, identity, {
      outputs: await readOutputs(outputs, { root, folder: root, built: outputFiles }),
      modules: () => modulesOf(outputs, { root, folder: '' }),
    });
    // The sprite file of this look is empty: what is in it counts by the graph.
    const inSprite = [...shippedIcons(outputs)].filter((id) => id.includes('as=sprite'));
    return { ...present, ids: [...new Set([...present.ids, ...inSprite])] };
  } catch {
    return undefined;
  }
}

/** Other plugins take part, but what they do with finished output is for the real build only. */
function withoutEnd(plugin: Plugin): Plugin {
  return {
    name: plugin.name,
    setup: (build) => plugin.setup({ ...build, onEnd: () => undefined }),
  };
}

/** Our errors as esbuild's messages, without the stack of this file; `detail` holds the error itself. Others pass through. */
export function toFailure(error: unknown): { errors: PartialMessage[] } {
  if (!isIconCatalogError(error)) throw error;
  return { errors: [{ text: error.message, detail: error }] };
}
