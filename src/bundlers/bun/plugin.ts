import { rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { abandonBuild, finishBuild, type BuildOutput } from '../../build/finish-build.ts';
import type { Sprite } from '../../build/session-types.ts';
import { withSprite } from '../../build/sprites.ts';
import type { ManifestBuild } from '../../types.ts';
import { modulesOf } from '../esbuild/output.ts';
import {
  addIconHooks,
  type BunApi,
  type BunBuildConfig,
  type BunBuilder,
  type BunBuildResult,
  type BunPlugin,
  type LoadedIcons,
} from './modules.ts';
import { deliverFiles, emittedFiles, findSprite, readGraph } from './output.ts';
import type { Session } from '../../build/session-interface.ts';

const NAME = 'unplugin-icon-catalog';

/** The plugin over a session. Each build opens its own: one plugin object may serve several builds. */
export function createBunPlugin(openSession: () => Session): BunPlugin {
  const plugin: BunPlugin = {
    name: NAME,
    setup(build) {
      const session = openSession();
      session.configure({ root: process.cwd() });
      // A plugin that was given its options reads no file.
      if (session.config.files.length === 0) return start(build, session);
      return session.config.refresh().then(() => start(build, session));
    },
  };
  return plugin;

  function start(build: BunBuilder, session: Session): void {
    if (build.config?.entrypoints === undefined) setUpServer(build, session);
    else setUpBuild(build, { session, config: build.config });
  }
}

/** A program of `bun run`, or pages that a server bundles: neither has an output folder or an end. */
function setUpServer(build: BunBuilder, session: Session): void {
  const loaded = nothingLoaded();
  const isDev = process.env['NODE_ENV'] !== 'production';
  const isBundled = build.config !== undefined;
  build.onStart?.(() => session.begin({ isDev }));
  addIconHooks(isBundled && !isDev ? printingErrors(build) : build, {
    session,
    loaded,
    creditsCode() {
      const placed = [...loaded.placed.values()].flat().map(({ id }) => id);
      return session.creditsCode([...loaded.codes.keys(), ...placed], isBundled && !isDev);
    },
    load:
      isBundled && isDev
        ? { placeholder: true, warn: (message) => print('warning', message) }
        : { alone: true },
  });
  if (!isBundled) process.once('beforeExit', () => void session.close());
}

function print(kind: 'error' | 'warning', message: string): void {
  process.stderr.write(`[icon-catalog] ${kind}: ${message}\n`);
}

/** Bun answers `500 Build Failed` in production, and says nothing of the reason. */
function printingErrors(build: BunBuilder): BunBuilder {
  const fail = (error: unknown): never => {
    print('error', error instanceof Error ? error.message : String(error));
    throw error;
  };
  return {
    ...(build.config && { config: build.config }),
    ...(build.onStart && { onStart: build.onStart.bind(build) }),
    onResolve: (options, callback) =>
      build.onResolve(options, (args) => {
        try {
          const resolved = callback(args);
          return resolved instanceof Promise ? resolved.catch(fail) : resolved;
        } catch (error) {
          return fail(error);
        }
      }),
    onLoad: (options, callback) =>
      build.onLoad(options, async (args) => {
        try {
          return await callback(args);
        } catch (error) {
          return fail(error);
        }
      }),
  };
}

function setUpBuild(
  build: BunBuilder,
  { session, config }: { session: Session; config: BunBuildConfig },
): void {
  const isWanted = Boolean(config.metafile);
  if (!isWanted) config.metafile = true;
  const loaded = nothingLoaded();

  build.onStart?.(() => session.begin());
  addIconHooks(build, { session, loaded, creditsCode: () => session.pendingCreditsCode() });
  build.onEnd?.(async (result) => {
    try {
      if (result.success) await finishBuild(session, outputOf(result, { session, config, loaded }));
      else await abandonBuild(session);
    } finally {
      if (!isWanted) delete result.metafile;
      await session.close();
    }
  });
}

interface EndedBuild {
  session: Session;
  config: BunBuildConfig;
  loaded: LoadedIcons;
}

function outputOf(result: BunBuildResult, ended: EndedBuild): BuildOutput {
  const { config } = ended;
  const { outdir } = config;
  const consumer = config.target === 'bun' || config.target === 'node' ? 'server' : 'client';
  const hasGraph = result.metafile !== undefined;
  const precision = hasGraph ? 'module-graph' : 'requested';
  const build: ManifestBuild = { id: 'bun', bundler: 'bun', consumer, precision };
  return {
    build,
    ...(hasGraph && {
      report: {
        folder: outdir === undefined ? undefined : resolve(outdir),
        entries: (config.entrypoints ?? []).map((path) => basename(path).replace(/\.[^.]*$/, '')),
        modules: () => graphModules(result),
      },
    }),
    files: () => emittedFiles(result.outputs, outdir),
    async usages() {
      const { sprite, loaded } = await buildWithCredits(result, build, ended);
      const { usages, unused } = await readGraph(result, { loaded, outdir, consumer });
      const spriteFile = await findSprite(result, { sprite, outdir });
      await discard(unused, config);
      const used = result.outputs.filter((output) => !unused.includes(output));
      result.outputs.splice(0, result.outputs.length, ...used);
      return withSprite(usages, sprite, spriteFile);
    },
    async write(files) {
      await deliverFiles(files, { outdir, outputs: result.outputs });
      const folder = outdir?.replaceAll('\\', '/').replace(/\/$/, '');
      return folder === undefined ? [] : files.map(({ fileName }) => `${folder}/${fileName}`);
    },
    remove: () => discard(result.outputs, config),
  };
}

function graphModules({ metafile }: BunBuildResult): ReturnType<typeof modulesOf> {
  return modulesOf(metafile?.outputs ?? {}, { root: process.cwd(), folder: '' });
}

/** The second build, if something imports `icon:credits` or refers to the sprite file; otherwise what there is. */
async function buildWithCredits(
  result: BunBuildResult,
  identity: ManifestBuild,
  { session, config, loaded }: EndedBuild,
): Promise<{ sprite: Sprite | undefined; loaded: LoadedIcons }> {
  if (!loaded.credits && loaded.symbols.size === 0) return { sprite: undefined, loaded };
  const { outdir } = config;
  const { consumer } = identity;
  const { usages, ids } = await readGraph(result, { loaded, outdir, consumer });
  const sprite = await session.sprite(ids);
  if (sprite !== undefined) session.checkSpriteOrigin(config.publicPath);
  // The second build makes the sprite file, so the output does not hold it yet.
  const settled = withSprite(usages, sprite, sprite?.fileName);
  const present =
    result.metafile === undefined
      ? ids
      : await session.present(settled, identity, {
          outputs: await emittedFiles(result.outputs, outdir),
          modules: () => graphModules(result),
        });
  const code = loaded.credits ? await session.creditsCode(present, true) : '';
  const again = nothingLoaded();
  const hooks = { session, loaded: again, creditsCode: () => code, sprite: sprite?.source };
  const ours: BunPlugin = { name: NAME, setup: (build) => addIconHooks(build, hooks) };
  await buildAgain(result, { config, ours });
  return { sprite, loaded: again };
}

function nothingLoaded(): LoadedIcons {
  return {
    codes: new Map(),
    files: new Map(),
    symbols: new Map(),
    placed: new Map(),
    credits: false,
  };
}

/**
 * Builds a second time, now that the shipped icons are known, and replaces the first result with the second. Bun names
 * files after their content, so credits that are written in afterwards would leave an old name on new content. A build
 * cannot look ahead either: Bun waits forever for a build that is started within another.
 */
async function buildAgain(
  result: BunBuildResult,
  { config, ours }: { config: BunBuildConfig; ours: BunPlugin },
): Promise<void> {
  const plugins = (config.plugins ?? []).map((plugin) =>
    plugin.name === ours.name ? ours : withoutEnd(plugin),
  );
  const { Bun } = globalThis as { Bun?: BunApi };
  if (Bun === undefined) throw new TypeError('the plugin for Bun works in Bun only');
  const again = await Bun.build({ ...config, plugins, throw: true });
  await discard(
    result.outputs.filter(({ path }) => !again.outputs.some((output) => output.path === path)),
    config,
  );
  result.outputs.splice(0, result.outputs.length, ...again.outputs);
  if (again.metafile !== undefined) result.metafile = again.metafile;
}

/** Removes files that a build has written. */
async function discard(
  outputs: readonly { path: string }[],
  { outdir }: BunBuildConfig,
): Promise<void> {
  if (outdir === undefined) return;
  await Promise.all(outputs.map(({ path }) => rm(path, { force: true })));
}

/** Other plugins take part in the second build, but what they do with finished output is done once. */
function withoutEnd(plugin: BunPlugin): BunPlugin {
  return {
    name: plugin.name,
    setup: (build) =>
      plugin.setup(
        new Proxy(build, {
          get(target, key) {
            if (key === 'onEnd') return () => undefined;
            const value: unknown = Reflect.get(target, key);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        }),
      ),
  };
}
