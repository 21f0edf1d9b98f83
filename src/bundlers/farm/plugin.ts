import { posix } from 'node:path';
import type { Compiler, JsPlugin } from '@farmfe/core';
import { isIconSpecifier } from '../../request/key.ts';
import {
  abandonBuild,
  creditOutput,
  finishBuild,
  type BuildOutput,
} from '../../build/finish-build.ts';
import { withSprite } from '../../build/sprites.ts';
import { CREDITS_SLOT, type OutputFile, SPRITE_SLOT } from '../../build/session-types.ts';
import type { EmittedFile } from '../../build/search-outputs.ts';
import {
  assetName,
  createImportResolver,
  createLoader,
  FARM_PREFIX,
  type FarmOutput,
  fromFarmPath,
  type ImportResolver,
  type Loader,
  NUMBERED_SLOT,
  NUMBERED_SPRITE,
  readEnvironment,
  readOutput,
  tieCache,
  toFarmPath,
} from './modules.ts';
import {
  createStyleIcons,
  emittedFiles,
  type FarmResources,
  foundUsages,
  holdsSlots,
  iconsOf,
  modulesOf,
  removeFiles,
  replaceInFiles,
  type StyleIcons,
  toFarmError,
  writeFiles,
} from './output.ts';
import type { Session } from '../../build/session-interface.ts';
import { createTypeDeclarations } from '../../build/session.ts';

const SLOTS = new RegExp(`${NUMBERED_SLOT.source}|${NUMBERED_SPRITE.source}`);

/** Before Farm's own plugins, which have 100 and less. */
const PRIORITY = 102;

/** What the hooks of one build have in common. */
interface FarmBuild {
  session: Session;
  loader: Loader;
  importers: ImportResolver;
  styles: StyleIcons;
  declarations: ReturnType<typeof createTypeDeclarations>;
  output: FarmOutput;
  compiler: Compiler | undefined;
  sprite: OutputFile | undefined;
  /** Files of icons that no module of the output refers to. */
  unused: string[];
  /** What `icon:credits` says. Its script already has a name, which stays. */
  credits: string | undefined;
  /** What `icon:credits` must say, by what the finished files hold. */
  amended: string | undefined;
}

/** All executors that may fail are asynchronous: Farm aborts the process on an error that is thrown at once. */
export function createFarmPlugin(session: Session): JsPlugin {
  const declarations = createTypeDeclarations(session);
  const build: FarmBuild = {
    session,
    loader: createLoader(session),
    importers: createImportResolver(session),
    styles: createStyleIcons(session),
    declarations,
    output: readOutput({}),
    compiler: undefined,
    sprite: undefined,
    unused: [],
    credits: undefined,
    amended: undefined,
  };

  return {
    name: 'unplugin-icon-catalog',
    priority: PRIORITY,
    async configResolved(config) {
      const output = readOutput(config);
      build.output = output;
      const root = session.configure({ root: output.root });
      session.configure({ env: await readEnvironment(config, root) });
      await session.config.refresh();
      await tieCache(config, session);
    },
    async configureCompiler(made) {
      build.compiler = made;
      const { folder, isEmptied } = build.output;
      if (isEmptied) await session.expectFolder(folder);
    },
    buildStart: {
      executor() {
        session.emptied();
        build.loader.files.clear();
        build.importers.begin();
        build.credits = build.amended = undefined;
        session.begin({ isDev: build.output.isWatching });
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
    ...moduleHooks(build),
    ...outputHooks(build),
  };
}

function moduleHooks(build: FarmBuild): Pick<JsPlugin, 'resolve' | 'load' | 'transform'> {
  const { session, loader, styles, declarations } = build;
  return {
    resolve: {
      filters: { sources: ['^icon:'], importers: ['.*'] },
      async executor({ source, importer, kind }) {
        // Without an importer it is a path of `/__lazy_compile`, which any web page can ask for.
        if (!isIconSpecifier(source) || typeof importer !== 'string') return null;
        try {
          const id = build.importers.resolve({ source, importer, kind }, build.output);
          const resolvedPath = toFarmPath(id);
          if (build.output.isWatching) declarations.imported(source);
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
          return { content: await loader.load(id, build.output, context), moduleType: 'js' };
        } catch (error) {
          await abandonBuild(session);
          throw toFarmError(error);
        }
      },
    },
    transform: {
      // Style sheets, also those that a preprocessor has made.
      filters: { moduleTypes: ['css'] },
      async executor({ content, resolvedPath }) {
        if (!content.includes('icon')) return null;
        try {
          const css = await styles.transform(content, resolvedPath, build.output.isDev);
          return css === content ? null : { content: css, moduleType: 'css' };
        } catch (error) {
          await abandonBuild(session);
          throw toFarmError(error);
        }
      },
    },
  };
}

function outputHooks(
  build: FarmBuild,
): Pick<JsPlugin, 'renderResourcePot' | 'finalizeResources' | 'writeResources'> {
  const { session, styles, declarations } = build;
  const writing: Partial<NonNullable<JsPlugin['writeResources']>> = {
    /** Farm does not wait for this hook; while it watches, that does no harm. */
    executor({ resourcesMap }) {
      if (!build.output.isWatching) return rewriteResources(build, resourcesMap);
      // An error of the credits stops a build for production, but watching goes on.
      return creditOutput(session, outputOf(build, resourcesMap))
        .then(() => {
          rewriteResources(build, resourcesMap);
          return session.settle();
        })
        .then(
          () => undefined,
          () => undefined,
        );
    },
  };
  return {
    renderResourcePot: {
      filters: { resourcePotTypes: ['js'] },
      /** Tree-shaking is already over, so the graph holds what will be shipped; and the file is not named yet. */
      async executor({ content }) {
        const { compiler, output } = build;
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
        build.credits = text;
        return { content: filled.replaceAll(NUMBERED_SLOT, () => text) };
      },
    },
    finalizeResources: {
      /** This hook only reads. If a map is handed back, its source maps lose their kind, and Farm then aborts. */
      async executor({ resourcesMap }) {
        // Updates skip this hook, so `writeResources` does the work while Farm watches.
        if (build.output.isWatching) {
          await declarations.settle();
          await session.end([], { quiet: true });
          return null;
        }
        try {
          // Farm waits for nothing that comes later: the list is written here.
          await finishBuild(session, outputOf(build, resourcesMap));
        } catch (error) {
          throw toFarmError(error);
        }
        await session.close();
        // Farm makes a list of numbers of each file for a plugin with this function, which costs more than all icons.
        if (!isRewritten(build, resourcesMap)) delete writing.executor;
        return null;
      },
    },
    writeResources: writing as NonNullable<JsPlugin['writeResources']>,
  };
}

/** The resources are not written yet, so there is nothing to remove: a build that failed does not reach `writeResources`. */
function outputOf(build: FarmBuild, resources: FarmResources): BuildOutput {
  const { session, loader, styles, output } = build;
  const { consumer, isDev, root, folder, entries } = output;
  let emitted: EmittedFile[] = [];
  return {
    build: { id: 'farm', bundler: 'farm', consumer, precision: 'module-graph' },
    report: isDev
      ? { complete: false }
      : {
          folder,
          entries,
          modules: () => modulesOf(resources, root),
          async found(icons) {
            if (build.credits === undefined) return;
            build.amended = await session.creditsText(icons);
          },
        },
    async usages() {
      const found = [
        ...foundUsages(resources, { files: loader.files, consumer }),
        ...(await styles.usages(resources, { root, consumer })),
      ];
      const made = isDev ? undefined : await session.sprite(found.map(({ id }) => id));
      build.sprite = made && {
        fileName: assetName(output.assetsFilename, made.fileName, made.source),
        source: Buffer.from(made.source),
      };
      const usages = withSprite(found, made, build.sprite?.fileName);
      const used = new Set(usages.map(({ file }) => file));
      build.unused = [...loader.files.values()].filter((name) => !used.has(name));
      return usages;
    },
    ...(!isDev && { files: () => (emitted = filesOf(build, resources)) }),
    write(files) {
      // At this stage `emitFile` would wait for a lock that Farm holds. What Farm writes itself comes too late: another
      // build that reads the list takes over the parts whose files are there.
      writeFiles(folder, emitted);
      writeFiles(
        folder,
        files.map(({ fileName, source }) => ({ fileName, content: source })),
      );
      const shown = posix.relative(toPosix(root), toPosix(folder));
      return files.map(({ fileName }) => posix.join(shown, fileName));
    },
  };
}

/** The output once `writeResources` is over: without the files that nothing uses, and with the sprite file. */
function filesOf({ unused, sprite }: FarmBuild, resources: FarmResources): EmittedFile[] {
  const files = [...emittedFiles(resources)].filter(({ fileName }) => !unused.includes(fileName));
  if (sprite !== undefined) files.push({ fileName: sprite.fileName, content: sprite.source });
  return files;
}

/** Whether anything is left to do once Farm has written its files. */
function isRewritten({ unused, amended }: FarmBuild, resources: FarmResources): boolean {
  return unused.length > 0 || amended !== undefined || holdsSlots(resources);
}

function rewriteResources(build: FarmBuild, resources: FarmResources): void {
  const { unused, credits, amended, output } = build;
  const { folder } = output;
  removeFiles(folder, unused);
  // Source maps quote the module as it was loaded, with a number that no other build has.
  const maps = mapsOf(resources);
  replaceInFiles(folder, maps, [NUMBERED_SLOT, CREDITS_SLOT]);
  replaceInFiles(folder, maps, [NUMBERED_SPRITE, SPRITE_SLOT]);
  if (credits !== undefined && amended !== undefined)
    replaceInFiles(folder, Object.keys(resources), [credits, amended]);
}

function mapsOf(resources: FarmResources): string[] {
  return Object.keys(resources).filter((name) => name.endsWith('.map'));
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/');
}
