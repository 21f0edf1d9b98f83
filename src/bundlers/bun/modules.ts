import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { inlineImages, inlineStyle, placeImage, type PlacedIcon } from '../../build/images.ts';
import { createImporterScan, toLoad } from '../../build/importers.ts';
import { placeholderOfClass } from '../../build/modules.ts';
import { CREDITS_ID, type LoadOptions } from '../../build/session-types.ts';
import { dataUriOf } from '../../emit/svg-text.ts';
import { isDefaultId } from '../../request/key.ts';
import { FILE_NAMESPACE, ICON_NAMESPACE, SPRITE_PATH } from '../esbuild/output.ts';
import type { Session } from '../../build/session-interface.ts';

/** What a build has loaded. */
export interface LoadedIcons {
  /** Code by the ids of modules. */
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

/** Where the modules have no end at which all missing icons could be reported. */
interface ServerLoad extends LoadOptions {
  /** Of a dev server: told of a class that was saved half typed. */
  warn?: (message: string) => void;
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
    load,
  }: {
    session: Session;
    loaded: LoadedIcons;
    creditsCode: () => string | Promise<string>;
    sprite?: string | undefined;
    load?: ServerLoad | undefined;
  },
): void {
  const importers = createImporterScan(session);
  // Importers change while a server runs, and a program of `bun run` ships nothing: both load whole modules.
  const isBuild = load === undefined;
  // `bun run` has no output folder that a file could be in.
  const hasFiles = build.config !== undefined;
  build.onStart?.(importers.begin);
  const toAddress = addStyleHooks(build, { session, loaded, load });
  // `bun run` takes no promise here.
  build.onResolve({ filter: /^icon:/ }, ({ path, importer, kind }) => {
    if (IN_STYLES.test(kind)) return toAddress(path, { importer, kind });
    if (isDefaultId(path)) return toModule(path);
    const icon = session.resolve(path, importer === '' ? undefined : importer);
    const isInFile = isBuild && kind === 'import-statement' && isAbsolute(importer);
    return toModule(isInFile ? importers.idOf(icon, path, importer) : icon);
  });

  build.onLoad({ filter: /./, namespace: ICON_NAMESPACE }, async ({ path, defer }) => {
    const id = `${ICON_NAMESPACE}:${path}`;
    if (id === CREDITS_ID) {
      loaded.credits = true;
      // Until all other modules are loaded.
      if (!isBuild) await defer?.();
      return { contents: await creditsCode(), loader: 'js' };
    }
    const { icon, part } = toLoad(id);
    const module = await session.load(icon, load ?? { part });
    if (module.kind !== 'code' || module.placeholder !== true)
      loaded.codes.set(id, module.kind === 'code' ? module.code : '');
    if (module.kind === 'code') return { contents: module.code, loader: 'js' };
    if (!isBuild && module.inline !== undefined)
      return { contents: module.inline.code, loader: 'js' };
    if (!hasFiles) {
      const { source, contentType } = module;
      const address = dataUriOf({ source: Buffer.from(source), contentType });
      return { contents: module.code(JSON.stringify(address)), loader: 'js' };
    }
    if (module.symbol === undefined) loaded.files.set(id, module.source);
    else loaded.symbols.set(id, module.symbol.id);
    const file = module.symbol === undefined ? `${path}/${module.fileName}` : SPRITE_PATH;
    const address = JSON.stringify(`${FILE_NAMESPACE}:${file}`);
    return { contents: `import address from ${address};\n${module.code('address')}`, loader: 'js' };
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

/**
 * Puts icons into style sheets.
 *
 * @returns where an address leads that another plugin has written
 */
function addStyleHooks(
  build: BunBuilder,
  {
    session,
    loaded,
    load,
  }: { session: Session; loaded: LoadedIcons; load: ServerLoad | undefined },
): (specifier: string, from: { importer: string; kind: string }) => Promise<BunResolved> {
  // Before version 1.4.1, Bun asks plugins where an address of a style sheet leads, and then writes the address as it was.
  build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    // Bun gives a file to one plugin alone.
    if (OF_TAILWIND.test(source)) return undefined;
    const { css, placed } = await inlineStyle(source, { session, file: path, ...load });
    loaded.placed.set(path, placed);
    return css === source ? undefined : { contents: css, loader: 'css' };
  });

  return async (specifier, { importer, kind }) => {
    const property = kind === 'import-rule' ? { property: '@import' } : {};
    const image = await session
      .image(specifier, { ...load, ...property, importer })
      .catch(async (error: unknown) => {
        if (load?.warn === undefined) throw error;
        const source = await readFile(importer, 'utf8').catch(() => specifier);
        const { warn } = load;
        return placeholderOfClass(error, {
          specifier,
          isOfClass: !source.includes(specifier),
          warn,
        });
      });
    if (typeof image === 'string') return { path: image, external: true };
    const { address, placed } = placeImage(image, inlineImages);
    if (placed !== undefined)
      loaded.placed.set(importer, [...(loaded.placed.get(importer) ?? []), placed]);
    return { path: address, external: true };
  };
}

/** What addresses of style sheets are called. */
const IN_STYLES = /^(?:internal|url-token|import-rule)$/;

/** Rules that Tailwind's plugin for Bun compiles. */
const OF_TAILWIND =
  /@(?:tailwind|apply|theme|utility|variant|custom-variant|source|plugin|config|reference)\b|@import\s+["']tailwindcss/;

function toModule(id: string): { path: string; namespace: string; sideEffects: boolean } {
  return {
    path: id.slice(`${ICON_NAMESPACE}:`.length),
    namespace: ICON_NAMESPACE,
    sideEffects: false,
  };
}

/** What is used of Bun's bundler, written out: its types come with globals that would take the place of Node's. */

export interface BunPlugin {
  name: string;
  setup(build: BunBuilder): void | Promise<void>;
}

export interface BunBuilder {
  /** The options of `Bun.build`, open to change. Without entries in a server that bundles pages; absent in `bun run`. */
  config?: BunBuildConfig;
  /** Absent in `bun run`, as is `onEnd`. */
  onStart?(callback: () => void | Promise<void>): unknown;
  /** Never called in a server. */
  onEnd?(callback: (result: BunBuildResult) => void | Promise<void>): unknown;
  onResolve(
    options: { filter: RegExp; namespace?: string },
    callback: (args: {
      path: string;
      importer: string;
      kind: string;
    }) => BunResolved | Promise<BunResolved>,
  ): unknown;
  onLoad(
    options: { filter: RegExp; namespace?: string },
    callback: (args: {
      path: string;
      /** Waits for all modules that are known so far. */
      defer?: () => Promise<void>;
    }) => BunLoaded | undefined | Promise<BunLoaded | undefined>,
  ): unknown;
}

interface BunResolved {
  path: string;
  namespace?: string;
  sideEffects?: boolean;
  external?: boolean;
}

interface BunLoaded {
  contents: string | Uint8Array;
  loader: 'js' | 'file' | 'css';
}

export interface BunBuildConfig {
  entrypoints?: readonly string[];
  outdir?: string;
  publicPath?: string;
  target?: string;
  metafile?: unknown;
  plugins?: BunPlugin[];
  throw?: boolean;
}

export interface BunArtifact extends Blob {
  /** Absolute where the build has an `outdir`. */
  path: string;
  kind: string;
}

export interface BunBuildResult {
  success: boolean;
  outputs: BunArtifact[];
  logs: unknown[];
  metafile?: { outputs: Record<string, { inputs: Record<string, unknown> }> };
}

export interface BunApi {
  build(config: BunBuildConfig): Promise<BunBuildResult>;
}
