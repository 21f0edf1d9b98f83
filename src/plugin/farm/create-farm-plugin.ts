import { Buffer } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { posix, resolve } from 'node:path';
import type { Compiler, JsPlugin, ResolvedUserConfig } from '@farmfe/core';
import { isIconSpecifier } from '../../request/specifier.ts';
import {
  CREDITS_ID,
  CREDITS_SLOT,
  type OutputFile,
  type Session,
  type SessionHost,
} from '../session-types.ts';
import { assetName } from './asset-name.ts';
import { foundUsages, iconsOf } from './found-usages.ts';
import { fromFarmPath, toFarmPath } from './module-id.ts';
import { removeFiles, replaceInFiles, writeFiles } from './output-files.ts';

/** Before Farm's own plugins, which have 100 and less. */
const PRIORITY = 102;
const NUMBERED_SLOT = new RegExp(`${CREDITS_SLOT}\\d*`, 'g');

interface Output {
  root: string;
  folder: string;
  publicPath: string;
  assetsFilename: string;
  consumer: 'client' | 'server';
  isDev: boolean;
  isWatching: boolean;
}

export function createFarmPlugin(session: Session): JsPlugin {
  let output: Output | undefined;
  let compiler: Compiler | undefined;
  const requested = new Set<string>();
  /** Names of emitted files by canonical id. */
  const files = new Map<string, string>();
  let attribution: OutputFile[] = [];
  let unused: string[] = [];

  async function failed(error: unknown): Promise<never> {
    // What was fetched before the error is kept, so that the next build does not pay for it again.
    await session.end([], { quiet: true });
    throw error;
  }

  async function codeOf(
    id: string,
    emit: (name: string, source: string | Uint8Array) => void,
  ): Promise<string> {
    if (id === CREDITS_ID) {
      if (output?.isDev) return session.creditsCode(requested, false);
      // A new number each time, so that Farm's cache never has the part with the credits of an earlier build.
      return session
        .pendingCreditsCode()
        .replace(CREDITS_SLOT, () => `${CREDITS_SLOT}${randomInt(2 ** 40)}`);
    }
    const module = await session.load(id, { placeholder: output?.isDev === true });
    requested.add(id);
    if (module.kind === 'code') return module.code;
    const { fileName, source } = module;
    const name = assetName(
      output?.assetsFilename ?? '[resourceName].[contentHash].[ext]',
      fileName,
      source,
    );
    files.set(id, name);
    emit(name, source);
    return module.code(JSON.stringify((output?.publicPath ?? '/') + name));
  }

  return {
    name: 'unplugin-icon-catalog',
    priority: PRIORITY,
    async configResolved(config) {
      output = outputOf(config);
      const { compilation } = config;
      session.configure({ root: output.root, env: await environmentOf(config, output.root) });
      if (typeof compilation?.persistentCache === 'object') {
        const { envs } = compilation.persistentCache;
        compilation.persistentCache.envs = {
          ...envs,
          'unplugin-icon-catalog': session.fingerprint,
        };
      }
    },
    configureCompiler(made) {
      compiler = made;
    },
    buildStart: {
      async executor() {
        files.clear();
        session.begin();
      },
    },
    updateModules: {
      executor: async () => session.begin(),
    },
    resolve: {
      filters: { sources: ['^icon:'], importers: ['.*'] },
      // Asynchronous, as Farm aborts on an error that is thrown at once.
      async executor({ source, importer }) {
        if (!isIconSpecifier(source)) return null;
        const from = importer === null ? undefined : importer.replaceAll('\\', '/');
        const resolvedPath = toFarmPath(session.resolve(source, from));
        return { resolvedPath, query: [], sideEffects: false, external: false, meta: {} };
      },
    },
    load: {
      filters: { resolvedPaths: ['icon:'] },
      async executor({ resolvedPath }, context) {
        const id = fromFarmPath(resolvedPath);
        if (id === undefined) return null;
        const emit = (name: string, source: string | Uint8Array): void =>
          context?.emitFile({
            resolvedPath,
            name,
            content: [...Buffer.from(source)],
            resourceType: 'asset',
          });
        const content = await codeOf(id, emit).catch(failed);
        return { content, moduleType: 'js' };
      },
    },
    renderResourcePot: {
      filters: { resourcePotTypes: ['js'] },
      // Tree-shaking is over by now, so the graph holds what will be shipped; and the file is not named yet.
      async executor({ content }) {
        if (!content.includes(CREDITS_SLOT) || compiler === undefined || output === undefined)
          return null;
        const text = await session.creditsText(iconsOf(compiler.resolvedModulePaths(output.root)));
        return { content: content.replaceAll(NUMBERED_SLOT, () => text) };
      },
    },
    finalizeResources: {
      /** Reads only. A map that is handed back loses the kind of its source maps, and Farm then aborts. */
      async executor({ resourcesMap }) {
        if (output === undefined || output.isDev) return null;
        const { consumer, folder, root, isWatching } = output;
        const usages = foundUsages(resourcesMap, { files, consumer });
        attribution = await session.attributionFiles(usages, {
          id: 'farm',
          bundler: 'farm',
          consumer,
          precision: 'module-graph',
        });
        const used = new Set(usages.map(({ file }) => file));
        unused = [...files.values()].filter((name) => !used.has(name));
        const shown = posix.relative(root.replaceAll('\\', '/'), folder.replaceAll('\\', '/'));
        await session.end(attribution.map(({ fileName }) => posix.join(shown, fileName)));
        if (!isWatching) await session.close();
        return null;
      },
    },
    writeResources: {
      /** Farm cannot add files at this stage (`emitFile` would wait for a lock that is held), so they are written beside its own. */
      executor({ resourcesMap }) {
        if (output === undefined || output.isDev) return;
        writeFiles(output.folder, attribution);
        removeFiles(output.folder, unused);
        // Source maps quote the module as it was loaded, with a number that no other build has.
        const maps = Object.keys(resourcesMap).filter((name) => name.endsWith('.map'));
        replaceInFiles(output.folder, maps, [NUMBERED_SLOT, CREDITS_SLOT]);
      },
    },
  };
}

function outputOf({ root: given, compilation }: ResolvedUserConfig): Output {
  const root = given ?? process.cwd();
  const {
    path = 'dist',
    publicPath,
    assetsFilename,
    targetEnv = 'browser',
  } = compilation?.output ?? {};
  const isServer = /node/.test(targetEnv);
  return {
    root,
    folder: resolve(root, path),
    publicPath: publicPath ?? (isServer ? './' : '/'),
    assetsFilename: assetsFilename ?? '[resourceName].[contentHash].[ext]',
    consumer: isServer ? 'server' : 'client',
    isDev: compilation?.mode === 'development',
    isWatching: Boolean(compilation?.watch),
  };
}

/** The `.env` files that Farm reads. Not through `envPrefix`, which would put the secret into the bundle. */
async function environmentOf(
  { envDir, envMode, compilation }: ResolvedUserConfig,
  root: string,
): Promise<SessionHost['env']> {
  const { loadEnv } = await import('@farmfe/core');
  const mode = envMode ?? compilation?.mode ?? 'production';
  return { ...process.env, ...loadEnv(mode, resolve(root, envDir ?? ''), 'ICON_CATALOG_') };
}
