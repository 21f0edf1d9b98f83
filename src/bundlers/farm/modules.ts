import { Buffer } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { parse, resolve } from 'node:path';
import type { CompilationContext, ResolvedUserConfig } from '@farmfe/core';
import { createImporterScan, type ImporterScan, toLoad } from '../../build/importers.ts';
import {
  CREDITS_ID,
  CREDITS_SLOT,
  type SessionHost,
  SPRITE_SLOT,
} from '../../build/session-types.ts';
import { loadEnv } from '../../options/file.ts';
import { isDefaultId } from '../../request/key.ts';
import type { Session } from '../../build/session-interface.ts';
import { sha256Hex } from '../../store/hash.ts';

/** The slot of `icon:credits` as loaded modules hold it. */
export const NUMBERED_SLOT: RegExp = new RegExp(`${CREDITS_SLOT}\\d*`, 'g');

/** The name of the sprite file, likewise. */
export const NUMBERED_SPRITE: RegExp = new RegExp(SPRITE_SLOT.replace('.', '\\d*\\.'), 'g');

export interface Loader {
  /** Names of emitted files by canonical id. */
  files: Map<string, string>;
  load(id: string, output: FarmOutput, context: CompilationContext | undefined): Promise<string>;
}

export function createLoader(session: Session): Loader {
  const files = new Map<string, string>();
  const requested = new Set<string>();

  return {
    files,
    async load(id, output, context) {
      if (id === CREDITS_ID) {
        if (output.isDev) return session.creditsCode(requested, false);
        // A new number each time, so that Farm's cache never has the part with the credits of an earlier build.
        // As long each time, since source maps count characters.
        const slot = `${CREDITS_SLOT}${randomInt(2 ** 40, 2 ** 41)}`;
        return session.pendingCreditsCode().replace(CREDITS_SLOT, () => slot);
      }
      const { icon, part } = toLoad(id);
      const module = await session.load(icon, {
        placeholder: output.isDev,
        alone: output.isWatching,
        part: output.isWatching ? 'whole' : part,
      });
      requested.add(icon);
      if (module.kind === 'code') return module.code;
      if (module.symbol !== undefined && !output.isDev) {
        const slot = SPRITE_SLOT.replace('.', () => `${randomInt(2 ** 40, 2 ** 41)}.`);
        return module.code(JSON.stringify(output.publicPath + slot));
      }
      const { fileName, source } = module;
      const name = assetName(output.assetsFilename, fileName, source);
      files.set(id, name);
      const content = [...Buffer.from(source)];
      context?.emitFile({ resolvedPath: toFarmPath(id), name, content, resourceType: 'asset' });
      return module.code(JSON.stringify(output.publicPath + name));
    },
  };
}

export interface ImportResolver extends Pick<ImporterScan, 'begin'> {
  /** The id of an icon's module, or of its default export if that is enough. Fails as `Session.resolve` does. */
  resolve(
    imported: { source: string; importer: string; kind: unknown },
    output: Pick<FarmOutput, 'root' | 'isWatching'>,
  ): string;
}

export function createImportResolver(session: Session): ImportResolver {
  const { begin, idOf } = createImporterScan(session);
  return {
    begin,
    resolve({ source, importer, kind }, { root, isWatching }) {
      if (isDefaultId(source) && fromFarmPath(importer) !== undefined) return source;
      const icon = session.resolve(source, importer);
      // While Farm watches, a hot update names the module that an import leads to.
      if (isWatching || kind !== 'import') return icon;
      return idOf(icon, source, resolve(root, importer));
    },
  };
}

export interface FarmOutput {
  /** The project's root, absolute. */
  root: string;
  /** Names of what the build begins with. */
  entries: string[];
  /** Output folder, absolute. */
  folder: string;
  publicPath: string;
  assetsFilename: string;
  consumer: 'client' | 'server';
  /** `farm start` and `farm watch`: nothing is shaken away, and a missing network is no error. */
  isDev: boolean;
  /** Further builds follow in this process. */
  isWatching: boolean;
  /** Farm empties the folder before it builds. */
  isEmptied: boolean;
}

export function readOutput({ root: given, compilation }: ResolvedUserConfig): FarmOutput {
  const root = given ?? process.cwd();
  const output = compilation?.output ?? {};
  const { path = 'dist', publicPath, assetsFilename, targetEnv = 'browser' } = output;
  const isServer = /node/.test(targetEnv);
  const isDev = compilation?.mode === 'development';
  const isWatching = isDev || Boolean(compilation?.watch);
  return {
    root,
    entries: Object.keys(compilation?.input ?? {}),
    folder: resolve(root, path),
    publicPath: publicPath ?? (isServer ? './' : '/'),
    assetsFilename: assetsFilename ?? '[resourceName].[contentHash].[ext]',
    consumer: isServer ? 'server' : 'client',
    isDev,
    isWatching,
    isEmptied: !isWatching && output.clean !== false,
  };
}

/** The `.env` files that Farm reads. Not through `envPrefix`, which would put the secret into the bundle. */
export async function readEnvironment(
  { envDir, envMode, compilation }: ResolvedUserConfig,
  root: string,
): Promise<SessionHost['env']> {
  const mode = envMode ?? compilation?.mode ?? 'production';
  return loadEnv(process.env, { mode, folder: resolve(root, envDir ?? '') });
}

/** Other options of ours, and another lock, are another cache: a warm build loads no module. */
export async function tieCache(
  { compilation }: ResolvedUserConfig,
  { fingerprint, lock }: Pick<Session, 'fingerprint' | 'lock'>,
): Promise<void> {
  const { persistentCache } = compilation ?? {};
  if (typeof persistentCache !== 'object') return;
  persistentCache.envs = {
    ...persistentCache.envs,
    'unplugin-icon-catalog': fingerprint,
    'unplugin-icon-catalog lock': await lock.hash(),
  };
}

/**
 * Name of an emitted file by Farm's `output.assetsFilename`. Farm fills such templates in for files on disk only, so
 * this does what it does: `[resourceName]`, `[contentHash]`, `[hash]`, `[ext]`.
 */
export function assetName(template: string, fileName: string, source: string | Uint8Array): string {
  const { name, ext } = parse(fileName);
  const hash = sha256Hex(source).slice(0, 8);
  return template
    .replaceAll('[resourceName]', name)
    .replaceAll('[entryName]', name)
    .replaceAll('[contentHash]', hash)
    .replaceAll('[hash]', hash)
    .replaceAll('[ext]', ext.slice(1));
}

/** What paths of icons begin with: no name that a project would give to a file of its own. */
export const FARM_PREFIX = 'icon-catalog~';

/**
 * Ids as Farm gets them: without `?`, since Farm takes a query off the path, gives `?url` and the like to plugins of
 * its own, and forgets it when it lists the module graph. A canonical id has one `?` and no `&` before it. Without `:`
 * too, since Farm names files after modules, and Windows takes no file of such a name.
 */
export function toFarmPath(id: string): string {
  return id.replace('icon:', FARM_PREFIX).replace('?', '&');
}

/** The id of a module, `icon:credits` included; `undefined` for others. */
export function fromFarmPath(path: string): string | undefined {
  const [icon] = /icon-catalog~(?:\d|credits$|set&|@)[^/\\]*$/.exec(path) ?? [];
  const id = icon?.replace(FARM_PREFIX, 'icon:');
  return id === undefined || isDefaultId(id) ? id : id.replace('&', '?');
}
