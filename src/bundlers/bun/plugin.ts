import { rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Sprite } from '../../build/session-types.ts';
import { withSprite } from '../../build/sprites.ts';
import type { ManifestBuild } from '../../types.ts';
import { modulesOf } from '../esbuild/usages.ts';
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

/** The plugin over a session. Each build opens its own, since one plugin object may serve several builds. */
export function createBunPlugin(openSession: () => Session): BunPlugin {
  const plugin: BunPlugin = {
    name: NAME,
    setup(build) {
      const session = openSession();
      session.configure({ root: process.cwd() });
      // Nothing to wait for where the plugin was given options.
      if (session.config.files.length === 0) return start(build, session);
      return session.config.refresh().then(() => start(build, session));
    },
  };
  return plugin;

  function start(build: BunBuilder, session: Session): void {
    if (build.config === undefined) setUpRun(build, session);
    else setUpBuild(build, { session, config: build.config });
  }
}

/** `bun run` with the plugin preloaded: modules only, no output to credit. */
function setUpRun(build: BunBuilder, session: Session): void {
  const loaded = nothingLoaded();
  addIconHooks(build, {
    session,
    loaded,
    creditsCode: () => session.creditsCode(loaded.codes.keys(), false),
  });
}

function setUpBuild(
  build: BunBuilder,
  { session, config }: { session: Session; config: BunBuildConfig },
): void {
  const isWanted = Boolean(config.metafile);
  if (!isWanted) config.metafile = true;
  let loaded = nothingLoaded();

  build.onStart?.(() => session.begin());
  addIconHooks(build, { session, loaded, creditsCode: () => session.pendingCreditsCode() });
  build.onEnd?.(async (result) => {
    try {
      // What was fetched before an error is kept, so that the next build does not pay for it again.
      if (result.success) await finish(result);
      else await session.end([], { quiet: true });
    } finally {
      if (!isWanted) delete result.metafile;
      await session.close();
    }
  });

  function identityOf({ metafile }: BunBuildResult): ManifestBuild {
    const consumer = config.target === 'bun' || config.target === 'node' ? 'server' : 'client';
    const precision = metafile === undefined ? 'requested' : 'module-graph';
    return { id: 'bun', bundler: 'bun', consumer, precision };
  }

  async function finish(result: BunBuildResult): Promise<void> {
    const { outdir } = config;
    const missing = session.missing();
    if (missing !== undefined) {
      await discard(result.outputs, config);
      await session.end([], { quiet: true });
      throw missing;
    }
    const { consumer } = identityOf(result);
    let sprite: Sprite | undefined;
    if (loaded.credits || loaded.symbols.size > 0) {
      const { usages: inGraph, ids } = await readGraph(result, { loaded, outdir, consumer });
      sprite = await session.sprite(ids);
      if (sprite !== undefined) session.checkSpriteOrigin(config.publicPath);
      // The sprite file is made by the second build: nobody can look into it yet.
      const settled = withSprite(inGraph, sprite, sprite?.fileName);
      const present =
        result.metafile === undefined
          ? ids
          : await session.present(settled, identityOf(result), () =>
              emittedFiles(result.outputs, outdir),
            );
      const code = await session.creditsCode(present, true);
      loaded = nothingLoaded();
      const ours: BunPlugin = {
        name: NAME,
        setup: (again) =>
          addIconHooks(again, { session, loaded, creditsCode: () => code, sprite: sprite?.source }),
      };
      await buildAgain(result, { config, ours });
    }
    const { usages: found, unused } = await readGraph(result, { loaded, outdir, consumer });
    const spriteFile = await findSprite(result, { sprite, outdir });
    const usages = withSprite(found, sprite, spriteFile);
    await discard(unused, config);
    result.outputs.splice(
      0,
      result.outputs.length,
      ...result.outputs.filter((output) => !unused.includes(output)),
    );

    const build = identityOf(result);
    const files = await session.attributionFiles(
      usages,
      build,
      build.precision === 'requested'
        ? {}
        : {
            folder: outdir === undefined ? undefined : resolve(outdir),
            entries: (config.entrypoints ?? []).map((path) =>
              basename(path).replace(/\.[^.]*$/, ''),
            ),
            outputs: () => emittedFiles(result.outputs, outdir),
            modules: () =>
              modulesOf(result.metafile?.outputs ?? {}, { root: process.cwd(), folder: '' }),
          },
    );
    await deliverFiles(files, { outdir, outputs: result.outputs });
    const folder = outdir?.replaceAll('\\', '/').replace(/\/$/, '');
    await session.end(
      folder === undefined ? [] : files.map(({ fileName }) => `${folder}/${fileName}`),
    );
  }
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
 * Builds a second time, now that the shipped icons are known, and puts the outcome in place of the first. Bun names
 * files after their content, so credits written in afterwards would leave an old name on new content; and a build
 * cannot look ahead, as Bun waits forever for a build that is started within another.
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

/** Takes files away that a build has written. */
async function discard(
  outputs: readonly { path: string }[],
  { outdir }: BunBuildConfig,
): Promise<void> {
  if (outdir === undefined) return;
  await Promise.all(outputs.map(({ path }) => rm(path, { force: true })));
}

/** Other plugins take part, but what they do with finished output is done once. */
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
