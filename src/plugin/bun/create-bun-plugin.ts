import { basename, resolve } from 'node:path';
import { modulesOf } from '../esbuild/found-usages.ts';
import type { ManifestBuild } from '../../types.ts';
import { withSprite } from '../create-sprite.ts';
import type { Session, Sprite } from '../session-types.ts';
import { addIconHooks, type LoadedIcons } from './add-icon-hooks.ts';
import { buildAgain, discard } from './build-again.ts';
import type { BunBuildConfig, BunBuilder, BunBuildResult, BunPlugin } from './bun-types.ts';
import { emittedFiles } from './emitted-files.ts';
import { deliverFiles } from './deliver-files.ts';
import { findSprite, readGraph } from './found-usages.ts';

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
