import { FILE_NAMESPACE, ICON_NAMESPACE, SPRITE_PATH } from '../esbuild/found-usages.ts';
import { Buffer } from 'node:buffer';
import { CREDITS_ID, type Session, type SessionModule } from '../session-types.ts';
import { inlineStyle } from '../inline-style.ts';
import type { PlacedIcon } from '../placed-icons.ts';
import type { BunBuilder } from './bun-types.ts';
import { readStyle } from './read-style.ts';

/** What a build has loaded. */
export interface LoadedIcons {
  /** Code by canonical id. */
  codes: Map<string, string>;
  /** Files by canonical id. */
  files: Map<string, string | Uint8Array>;
  /** Ids of symbols by canonical id. */
  symbols: Map<string, string>;
  /** What style sheets hold, by their files. */
  placed: Map<string, PlacedIcon[]>;
  /** True when something imports `icon:credits`. */
  credits: boolean;
}

/**
 * Resolves and loads `icon:` imports.
 *
 * @param options.creditsCode code of `icon:credits`
 * @param options.sprite content of the sprite file
 */
export function addIconHooks(
  build: BunBuilder,
  {
    session,
    loaded,
    creditsCode,
    sprite = '<svg/>',
  }: {
    session: Session;
    loaded: LoadedIcons;
    creditsCode: () => string | Promise<string>;
    sprite?: string | undefined;
  },
): void {
  build.onResolve({ filter: /^icon:/ }, ({ path, importer }) => {
    const id = session.resolve(path, importer === '' ? undefined : importer);
    return {
      path: id.slice(`${ICON_NAMESPACE}:`.length),
      namespace: ICON_NAMESPACE,
      sideEffects: false,
    };
  });

  build.onLoad({ filter: /./, namespace: ICON_NAMESPACE }, async ({ path }) => {
    const id = `${ICON_NAMESPACE}:${path}`;
    if (id === CREDITS_ID) {
      loaded.credits = true;
      return { contents: await creditsCode(), loader: 'js' };
    }
    // What `bun run` runs has no end at which all that is missing could be told.
    const module = await session.load(id, { alone: build.config === undefined });
    loaded.codes.set(id, module.kind === 'code' ? module.code : '');
    if (module.kind === 'code') return { contents: module.code, loader: 'js' };
    if (build.config === undefined) {
      if (module.inline !== undefined) return { contents: module.inline.code, loader: 'js' };
      return { contents: module.code(JSON.stringify(toDataAddress(module))), loader: 'js' };
    }
    if (module.symbol === undefined) loaded.files.set(id, module.source);
    else loaded.symbols.set(id, module.symbol.id);
    const file = module.symbol === undefined ? `${path}/${module.fileName}` : SPRITE_PATH;
    const address = JSON.stringify(`${FILE_NAMESPACE}:${file}`);
    return { contents: `import address from ${address};\n${module.code('address')}`, loader: 'js' };
  });

  // Bun asks plugins where an address of a style sheet leads, and then writes the address as it was.
  build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const source = await readStyle(path);
    const { css, placed } = await inlineStyle(source, { session, file: path });
    loaded.placed.set(path, placed);
    return css === source ? undefined : { contents: css, loader: 'css' };
  });

  // The file goes through Bun's own loader, so that `naming` and `publicPath` hold for it.
  build.onResolve({ filter: /^icon-file:/ }, ({ path }) => ({
    path: path.slice(`${FILE_NAMESPACE}:`.length),
    namespace: FILE_NAMESPACE,
    sideEffects: false,
  }));
  build.onLoad({ filter: /./, namespace: FILE_NAMESPACE }, ({ path }) => {
    if (path === SPRITE_PATH) return { contents: sprite, loader: 'file' };
    const id = `${ICON_NAMESPACE}:${path.slice(0, path.lastIndexOf('/'))}`;
    return { contents: loaded.files.get(id) ?? '', loader: 'file' };
  });
}

/** `bun run` has no output folder that a file could be in. */
function toDataAddress({ contentType, source }: Extract<SessionModule, { kind: 'asset' }>): string {
  return `data:${contentType};base64,${Buffer.from(source).toString('base64')}`;
}
