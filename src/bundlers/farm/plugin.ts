import { posix } from 'node:path';
import type { Compiler, JsPlugin } from '@farmfe/core';
import { isIconSpecifier } from '../../request/key.ts';
import type { ManifestBuild } from '../../types.ts';
import { withSprite } from '../../build/sprites.ts';
import { createTypeDeclarations } from '../../build/declarer.ts';
import { CREDITS_SLOT, SPRITE_SLOT, type OutputFile } from '../../build/session-types.ts';
import {
  assetName,
  createLoader,
  FARM_PREFIX,
  type FarmOutput,
  fromFarmPath,
  NUMBERED_SLOT,
  NUMBERED_SPRITE,
  readEnvironment,
  readOutput,
  tieCache,
  toFarmPath,
} from './modules.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import {
  createStyleIcons,
  emittedFiles,
  type FarmResources,
  foundUsages,
  iconsOf,
  modulesOf,
  removeFiles,
  replaceInFiles,
  toFarmError,
  writeFiles,
} from './output.ts';
import type { Session } from '../../build/session-interface.ts';

const SLOTS = new RegExp(`${NUMBERED_SLOT.source}|${NUMBERED_SPRITE.source}`);

/** Before Farm's own plugins, which have 100 and less. */
const PRIORITY = 102;

/** All executors are asynchronous where they may fail: Farm aborts the process on an error that is thrown at once. */
export function createFarmPlugin(session: Session): JsPlugin {
  const loader = createLoader(session);
  const styles = createStyleIcons(session);
  const declarations = createTypeDeclarations(session);
  let output: FarmOutput = readOutput({});
  let compiler: Compiler | undefined;
  let attribution: OutputFile[] = [];
  let sprite: OutputFile | undefined;
  let unused: string[] = [];
  /** What `icon:credits` says, and what it must say by what the finished files hold; their names stay. */
  let credits: string | undefined;
  let amended: string | undefined;

  async function attribute(resources: FarmResources): Promise<OutputFile[]> {
    const { consumer, isDev } = output;
    const found = [
      ...foundUsages(resources, { files: loader.files, consumer }),
      ...(await styles.usages(resources, { root: output.root, consumer })),
    ];
    const made = isDev ? undefined : await session.sprite(found.map(({ id }) => id));
    sprite = made && {
      fileName: assetName(output.assetsFilename, made.fileName, made.source),
      source: made.source,
    };
    const usages = withSprite(found, made, sprite?.fileName);
    const used = new Set(usages.map(({ file }) => file));
    unused = [...loader.files.values()].filter((name) => !used.has(name));
    const build: ManifestBuild = {
      id: 'farm',
      bundler: 'farm',
      consumer,
      precision: 'module-graph',
    };
    if (isDev) return session.attributionFiles(usages, build, { complete: false });
    return session.attributionFiles(usages, build, {
      folder: output.folder,
      entries: output.entries,
      outputs: () => written(resources),
      modules: () => modulesOf(resources),
      async found(ids) {
        if (credits !== undefined) amended = await session.creditsText(ids, { isFinal: true });
      },
    });
  }

  /** Files that nothing uses are removed after Farm has written them, and the sprite file is added. */
  function written(resources: FarmResources): EmittedFile[] {
    const gone = new Set(unused);
    const kept = [...emittedFiles(resources)].filter(({ fileName }) => !gone.has(fileName));
    return sprite === undefined
      ? kept
      : [...kept, { fileName: sprite.fileName, content: sprite.source }];
  }

  return {
    name: 'unplugin-icon-catalog',
    priority: PRIORITY,
    async configResolved(config) {
      output = readOutput(config);
      session.configure({ root: output.root, env: await readEnvironment(config, output.root) });
      await session.config.refresh();
      await tieCache(config, session);
    },
    configureCompiler(made) {
      compiler = made;
    },
    buildStart: {
      async executor() {
        loader.files.clear();
        credits = amended = undefined;
        session.begin({ isDev: output.isWatching });
      },
    },
    updateModules: {
      executor: async () => session.begin({ isDev: true }),
    },
    updateFinished: {
      async executor() {
        await declarations.settle();
        await session.end([], { quiet: true });
      },
    },
    resolve: {
      filters: { sources: ['^icon:'], importers: ['.*'] },
      async executor({ source, importer }) {
        // Without an importer it is a path of `/__lazy_compile`, which any web page can ask for.
        if (!isIconSpecifier(source) || typeof importer !== 'string') return null;
        try {
          const resolvedPath = toFarmPath(session.resolve(source, importer));
          if (output.isWatching) declarations.imported(source);
          return { resolvedPath, query: [], sideEffects: false, external: false, meta: {} };
        } catch (error) {
          throw toFarmError(error);
        }
      },
    },
    load: {
      filters: { resolvedPaths: [FARM_PREFIX] },
      async executor({ resolvedPath }, context) {
        const id = fromFarmPath(resolvedPath);
        if (id === undefined) return null;
        try {
          return { content: await loader.load(id, output, context), moduleType: 'js' };
        } catch (error) {
          // What was fetched before the error is kept, so that the next build does not pay for it again.
          await session.end([], { quiet: true });
          throw toFarmError(error);
        }
      },
    },
    transform: {
      // Style sheets as such, or what preprocessors have made of theirs.
      filters: { moduleTypes: ['css'] },
      async executor({ content, resolvedPath }) {
        if (!content.includes('icon')) return null;
        try {
          const css = await styles.transform(content, resolvedPath, output.isDev);
          return css === content ? null : { content: css, moduleType: 'css' };
        } catch (error) {
          await session.end([], { quiet: true });
          throw toFarmError(error);
        }
      },
    },
    renderResourcePot: {
      filters: { resourcePotTypes: ['js'] },
      /** Tree-shaking is over by now, so the graph holds what will be shipped; and the file is not named yet. */
      async executor({ content }) {
        if (compiler === undefined || content.search(SLOTS) === -1) return null;
        const modules = compiler.resolvedModulePaths(output.root);
        const ids = [...iconsOf(modules), ...(await styles.ids(modules, output.root))];
        const made = await session.sprite(ids);
        if (made !== undefined) session.checkSpriteOrigin(output.publicPath);
        const address =
          made && encodeURI(assetName(output.assetsFilename, made.fileName, made.source));
        const filled =
          address === undefined ? content : content.replaceAll(NUMBERED_SPRITE, () => address);
        if (!filled.includes(CREDITS_SLOT)) return { content: filled };
        const text = await session.creditsText(ids);
        credits = text;
        return { content: filled.replaceAll(NUMBERED_SLOT, () => text) };
      },
    },
    finalizeResources: {
      /** Reads only. A map that is handed back loses the kind of its source maps, and Farm then aborts. */
      async executor({ resourcesMap }) {
        // Updates come without this hook, so that watching has to do with `writeResources`.
        if (output.isWatching) {
          await declarations.settle();
          await session.end([], { quiet: true });
          return null;
        }
        const missing = session.missing();
        if (missing !== undefined) {
          await session.end([], { quiet: true });
          throw toFarmError(missing);
        }
        attribution = await attribute(resourcesMap);
        // Farm has emptied the folder by now, and waits for nothing that comes later.
        await session.settle();
        const shown = posix.relative(toPosix(output.root), toPosix(output.folder));
        await session.end(attribution.map(({ fileName }) => posix.join(shown, fileName)));
        await session.close();
        return null;
      },
    },
    writeResources: {
      /**
       * Files are written beside Farm's own, which takes none at this stage: `emitFile` would wait for a lock that is held.
       * Farm does not wait for this hook either; while it watches, that does no harm.
       */
      executor({ resourcesMap }) {
        const { folder, isWatching } = output;
        const write = (files: readonly OutputFile[]): void => {
          writeFiles(folder, sprite === undefined ? files : [...files, sprite]);
          removeFiles(folder, unused);
          // Source maps quote the module as it was loaded, with a number that no other build has.
          const maps = Object.keys(resourcesMap).filter((name) => name.endsWith('.map'));
          replaceInFiles(folder, maps, [NUMBERED_SLOT, CREDITS_SLOT]);
          replaceInFiles(folder, maps, [NUMBERED_SPRITE, SPRITE_SLOT]);
          if (credits !== undefined && amended !== undefined)
            replaceInFiles(folder, Object.keys(resourcesMap), [credits, amended]);
        };
        if (!isWatching) return write(attribution);
        // What makes the credits fail stops the build for production; watching goes on.
        return attribute(resourcesMap)
          .then(write)
          .then(() => session.settle())
          .then(
            () => undefined,
            () => undefined,
          );
      },
    },
  };
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/');
}
