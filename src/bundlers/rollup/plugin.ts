import { abandonBuild, failIfMissing } from '../../build/finish-build.ts';
import { importsDefaultsOnly, warningsOfAddresses } from '../../build/importers.ts';
import { createPlacedIcons, type PlacedIcons } from '../../build/images.ts';
import type { Session } from '../../build/session-interface.ts';
import { pluginApi, type PluginApi } from '../../build/session-state.ts';
import { CREDITS_ID } from '../../build/session-types.ts';
import { createSession, createTypeDeclarations } from '../../build/session.ts';
import { isSpriteId, noSprite } from '../../build/sprites.ts';
import { dataUriOf } from '../../emit/svg-text.ts';
import type { Options } from '../../options/options.ts';
import {
  isDefaultId,
  isIconSpecifier,
  isOwnValue,
  toDefaultId,
  toIconId,
} from '../../request/key.ts';
import { chunkPlugin, outputHooks, type RollupBuilds } from './output-hooks.ts';
import { createCreditsSlot, createSpriteSlot } from './output.ts';
import { createStyleFiles, createStylePlugin, type StylePlugin } from './styles.ts';
import type { ChunkPlugin, EmitContext, LoadedCode, RollupDialect, RollupHooks } from './types.ts';

/** Rollup and Rolldown: one build a plugin instance, no dev server. */
export function createRollupPlugin(
  options: Options | undefined,
  bundler: 'rollup' | 'rolldown',
): [RollupHooks & PluginApi & { name: string }, StylePlugin, ChunkPlugin] {
  const session = createSession(options, bundler);
  const icons = createPlacedIcons();
  const styleFiles = createStyleFiles();
  const { hooks, chunks } = createRollupHooks(
    session,
    {
      key: () => session,
      build: () => ({ id: bundler, bundler, consumer: 'client' }),
      fileUrl: (reference) => `import.meta.ROLLUP_FILE_URL_${reference}`,
      // Output options are not known when modules are loaded.
      hasMaps: () => true,
      dev: () => undefined,
      isNested: () => false,
      styleFiles,
    },
    icons,
  );
  const styles = createStylePlugin({
    name: 'unplugin-icon-catalog:styles',
    session,
    icons,
    keyOf: () => session,
    dialect: (_, importer) => styleFiles.dialect(importer),
    placeholder: () => false,
    // Before plugins that bundle CSS, wherever they stand in the list.
    order: 'pre',
  });
  const modules = { name: 'unplugin-icon-catalog', ...pluginApi(options), ...hooks };
  return [modules, styles, chunks];
}

/** Everything that is ours to answer. With a filter Rolldown stays in Rust for all other ids. */
const ICON_SPECIFIER_PATTERN = /^icon:/;

/**
 * Hooks that the three bundlers of Rollup's family share.
 *
 * @param placed icons that style sheets and pages hold, by the keys of the dialect's builds
 */
export function createRollupHooks(
  session: Session,
  dialect: RollupDialect,
  placed: PlacedIcons,
): { hooks: RollupHooks; chunks: ChunkPlugin } {
  const builds: RollupBuilds = {
    session,
    dialect,
    declarations: createTypeDeclarations(session),
    credits: createCreditsSlot(session),
    sprites: createSpriteSlot(session, dialect),
    running: 0,
    isWatched: false,
    emittedOf: mapByBuild(dialect),
    chunksOf: mapByBuild(dialect),
    writtenBy: mapByBuild(dialect),
    placedIcons: (context) =>
      placed.of(dialect.key(context), (module) => context.getModuleInfo(module) !== null),
  };
  const hooks = {
    ...buildHooks(builds),
    ...moduleHooks(builds, createImportResolver(session, dialect)),
    ...outputHooks(builds),
  };
  return { hooks, chunks: chunkPlugin(builds) };
}

function buildHooks(
  builds: RollupBuilds,
): Pick<RollupHooks, 'buildStart' | 'buildEnd' | 'renderStart' | 'closeBundle'> {
  const { session, dialect, declarations, sprites, emittedOf } = builds;
  return {
    async buildStart() {
      emittedOf(this).clear();
      sprites.begin(this);
      builds.running += 1;
      const isDev = dialect.dev() !== undefined;
      builds.isWatched = !isDev && this.meta?.watchMode === true;
      if (builds.isWatched) for (const file of session.config.files) this.addWatchFile?.(file);
      // A dev server reads them when it starts.
      if (!isDev && (await session.config.refresh())) declarations.forget();
      session.begin({ isDev });
      if (builds.isWatched) for (const file of session.lock.files) this.addWatchFile?.(file);
    },
    async buildEnd(error) {
      if (error !== undefined) return abandonBuild(session);
      // The build around a worker fails for its icons too, and names them: this reports them to it. Nothing is written yet.
      if (dialect.isNested()) session.missing();
      else await failIfMissing(session);
      if (dialect.dev() || dialect.isNested()) return;
      session.expectFiles(dialect.build(this));
      // Vite empties its output folder between this hook and the end of `renderStart`.
      const folder = dialect.folder?.(this);
      if (folder !== undefined) await session.expectFolder(folder);
    },
    renderStart: {
      order: 'post',
      handler() {
        session.emptied(dialect.folder?.(this));
      },
    },
    async closeBundle() {
      // A build that failed has emptied nothing.
      session.emptied(dialect.folder?.(this));
      builds.running -= 1;
      if (builds.running <= 0) await session.close();
    },
  };
}

interface ImportResolver {
  /** The id of an icon's module, or of its value where that is enough. Fails as `Session.resolve` does. */
  resolve(context: object, source: string, importer: string | undefined): string;
  /**
   * Finds importers for which the value of an icon is enough: a hook of another plugin if ours has a transform already.
   * Records are twice as long as drawings, and few importers ask for them: what is not there need not be parsed.
   */
  transform: RollupHooks['transform'];
  /** True if the imports of a module that the bundler has kept now lead elsewhere. */
  shouldTransformCachedModule: RollupHooks['shouldTransformCachedModule'];
}

function createImportResolver(
  session: Session,
  dialect: Pick<RollupDialect, 'dev' | 'key' | 'isOnRequest'>,
): ImportResolver {
  // Never cleared: an importer that changes goes through its transforms again before its imports are resolved.
  const certainOf = mapByBuild<boolean>(dialect);
  const said = new Set<string>();

  function resolve(context: object, source: string, importer: string | undefined): string {
    const usesDefaults = certainOf(context).get(importer ?? '') === true;
    const usual = usesDefaults ? session.usualDefaultId(source, importer) : undefined;
    if (usual !== undefined) return usual;
    if (isOwnValue(source, importer)) return source;
    // A dev server is asked for modules by their ids: by browsers, by scripts, and by Astro for files to watch.
    if (dialect.dev() !== undefined && isDefaultId(source)) return source;
    const icon = session.resolve(source, importer);
    const isEnough = usesDefaults && session.isSplittable(icon);
    const id = isEnough ? toDefaultId(icon) : icon;
    // A dev server takes what stands behind a dot of the path for the type of a file.
    return dialect.dev() !== undefined && id.includes('.') ? icon : id;
  }

  return {
    resolve,
    transform: {
      order: 'post',
      filter: { code: /["'`]icon:/ },
      async handler(code, id) {
        // Bundlers from before hook filters show every module.
        if (!code.includes('icon:')) return null;
        certainOf(this).set(id, importsDefaultsOnly(code));
        for (const warning of warningsOfAddresses(code, id, dialect.isOnRequest?.(this) === true)) {
          // A site has builds for browsers and for its server.
          if (!said.has(warning)) this.warn(warning);
          said.add(warning);
        }
        // The first imports of icons are about to be resolved.
        await session.expect();
        return null;
      },
    },
    shouldTransformCachedModule({ id: importer, resolvedSources: sources = {} }) {
      // Options that the plugin was given stay as they are.
      if (session.config.files.length === 0) return null;
      const isOutdated = Object.entries(sources).some(([source, before]) => {
        if (before === null || !isIconSpecifier(source)) return false;
        try {
          return resolve(this, source, importer) !== before.id;
        } catch {
          return true;
        }
      });
      return isOutdated ? true : null;
    },
  };
}

function moduleHooks(
  builds: RollupBuilds,
  imports: ImportResolver,
): Pick<RollupHooks, 'transform' | 'shouldTransformCachedModule' | 'resolveId' | 'load'> {
  const { dialect, declarations } = builds;
  return {
    transform: imports.transform,
    shouldTransformCachedModule: imports.shouldTransformCachedModule,
    // Bundlers from before hook filters call the handler for every id: it looks for itself.
    resolveId: {
      filter: { id: ICON_SPECIFIER_PATTERN },
      handler(source, importer) {
        if (!isIconSpecifier(source)) return null;
        if (builds.isWatched && importer !== undefined && !isIconSpecifier(importer))
          declarations.imported(source);
        const id = imports.resolve(this, source, importer);
        if (isSpriteId(id) && dialect.dev() === undefined && dialect.isLibrary?.(this) === true)
          throw noSprite(source, importer);
        if (importer !== undefined && !isOwnValue(source, importer))
          dialect.dev()?.imported(source);
        return { id, moduleSideEffects: false };
      },
    },
    load: {
      filter: { id: ICON_SPECIFIER_PATTERN },
      handler(id) {
        return isIconSpecifier(id) ? loaded(builds, this, id) : null;
      },
    },
  };
}

async function moduleCode(
  { session, dialect, sprites, emittedOf }: RollupBuilds,
  context: EmitContext,
  id: string,
): Promise<string> {
  const dev = dialect.dev();
  if (id === CREDITS_ID)
    return dev ? session.creditsCode(dev.requested(), false) : session.pendingCreditsCode();
  // Beside a whole module a dev server would serve another one for its value.
  const whole = dev === undefined ? { valueFrom: toDefaultId(id) } : 'whole';
  const module = await session.load(toIconId(id), {
    placeholder: dev !== undefined,
    part: isDefaultId(id) ? 'value' : whole,
  });
  if (module.kind === 'code') {
    if (module.placeholder === true) dev?.loadAgain(id);
    return module.code;
  }
  if (dev) return module.code(dev.serve(module));
  if (module.symbol !== undefined) return module.code(sprites.url(context));
  if (dialect.isLibrary?.(context) === true) return module.code(JSON.stringify(dataUriOf(module)));
  const { fileName: name, source } = module;
  const reference = context.emitFile({ type: 'asset', name, source });
  emittedOf(context).set(id, { id, reference });
  return module.code(dialect.fileUrl(reference));
}

/** At once where that is possible: a promise for each of thousands of icons shows in a build. */
function loaded(
  builds: RollupBuilds,
  context: EmitContext,
  id: string,
): Promise<LoadedCode> | LoadedCode | string {
  const { session, dialect } = builds;
  const code = isDefaultId(id) ? session.cachedValue(id) : undefined;
  const hasMaps = dialect.hasMaps(context);
  // A bare string is what bundlers take with the least work. One with a dot in its id would be taken for a file of that type.
  if (code !== undefined && !hasMaps && !id.includes('.')) return code;
  const toLoaded = hasMaps ? withoutMappings : withoutMap;
  return code === undefined ? moduleCode(builds, context, id).then(toLoaded) : toLoaded(code);
}

/** A map for each build, from a hook's context. */
function mapByBuild<Value>({
  key,
}: Pick<RollupDialect, 'key'>): (context: object) => Map<string, Value> {
  const maps = new WeakMap<object, Map<string, Value>>();
  return (context) => {
    const map = maps.get(key(context)) ?? new Map<string, Value>();
    maps.set(key(context), map);
    return map;
  };
}

function withoutMap(code: string): LoadedCode {
  return { code, moduleSideEffects: false, moduleType: 'js' };
}

/** Keeps generated code out of source maps. */
function withoutMappings(code: string): LoadedCode {
  return { ...withoutMap(code), map: { mappings: '' } };
}
