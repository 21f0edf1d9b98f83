import { dataUriOf } from '../../emit/svg-text.ts';
import {
  isIconSpecifier,
  isOwnValue,
  isDefaultId,
  toIconId,
  toDefaultId,
} from '../../request/key.ts';
import type { BundlerSession } from '../../build/session-interface.ts';
import {
  CREDITS_ID,
  CREDITS_SLOT,
  type FoundUsage,
  type OutputBytes,
  SPRITE_SLOT,
} from '../../build/session-types.ts';
import { createTypeDeclarations } from '../../build/declarer.ts';
import { isSpriteId, noSprite } from '../../build/sprites.ts';
import {
  type AnyBundle,
  emittedFiles,
  type EmittedIcon,
  entriesOf,
  foundUsages,
  iconsOfChunks,
  modulesOf,
  textOutputs,
} from './output.ts';
import { createCreditsSlot, createSpriteSlot } from './slots.ts';
import { createImportResolver, folderOf, placeOf, withoutMap, withoutMappings } from './imports.ts';
import { findLeftover } from '../../build/failures.ts';
import {
  abandonBuild,
  creditOutput,
  failIfMissing,
  type BuildOutput,
} from '../../build/finish-build.ts';
import { usagesOfPlaced, type PlacedIcon, type PlacedIcons } from '../../build/placed-images.ts';
import { STYLE_SLOT } from './styles.ts';
import type {
  EmitContext,
  GraphContext,
  LoadedCode,
  OutputPlace,
  RollupDialect,
  RollupHooks,
} from './types.ts';

/** Everything that is ours to answer. With a filter Rolldown stays in Rust for all other ids. */
const ICON_SPECIFIER_PATTERN = /^icon:/;

const STYLE_SHEET = /\.css$/;
const SLOTS = new RegExp(`${CREDITS_SLOT}|${SPRITE_SLOT.replace('.', '\\.')}|${STYLE_SLOT}`);

/**
 * Hooks that the three bundlers of Rollup's family share. They hold no logic: the session does the work.
 *
 * @param placed icons that style sheets and pages hold, by the keys of the dialect's builds
 */
export function createRollupHooks(
  session: BundlerSession,
  dialect: RollupDialect,
  placed: PlacedIcons,
): RollupHooks {
  /** Vite's environments may build side by side through one instance: the last one out closes the sockets. */
  let running = 0;
  const declarations = createTypeDeclarations(session);
  /** Dev servers tell the declarer of their own. */
  let isWatched = false;
  const emittedByBuild = new WeakMap<object, Map<string, EmittedIcon>>();

  function emittedOf(context: object): Map<string, EmittedIcon> {
    const key = dialect.key(context);
    const emitted = emittedByBuild.get(key) ?? new Map<string, EmittedIcon>();
    emittedByBuild.set(key, emitted);
    return emitted;
  }

  function placedIcons(context: GraphContext): PlacedIcon[] {
    const key = dialect.key(context);
    return placed.of(key, (module) => context.getModuleInfo(module) !== null);
  }

  async function moduleCode(context: EmitContext, id: string): Promise<string> {
    const dev = dialect.dev();
    if (id === CREDITS_ID)
      return dev ? session.creditsCode(dev.requested(), false) : session.pendingCreditsCode();
    const part = isDefaultId(id) ? 'value' : { valueFrom: toDefaultId(id) };
    const module = await session.load(toIconId(id), {
      placeholder: dev !== undefined,
      part: dev ? 'whole' : part,
    });
    if (module.kind === 'code') {
      if (module.placeholder === true) dev?.loadAgain(id);
      return module.code;
    }
    if (dev) return module.code(dev.serve(module));
    if (module.symbol !== undefined) return module.code(sprites.url(context));
    if (dialect.isLibrary?.(context) === true)
      return module.code(JSON.stringify(dataUriOf(module)));
    const { fileName: name, source } = module;
    const reference = context.emitFile({ type: 'asset', name, source });
    emittedOf(context).set(id, { id, reference });
    return module.code(dialect.fileUrl(reference));
  }

  /** At once where that is possible: a promise for each of thousands of icons shows in a build. */
  function loaded(context: EmitContext, id: string): Promise<LoadedCode> | LoadedCode | string {
    const code = isDefaultId(id) ? session.cachedValue(id) : undefined;
    const hasMaps = dialect.hasMaps(context);
    // A bare string is what bundlers take with the least work. One with a dot in its id would be taken for a file of that type.
    if (code !== undefined && !hasMaps && !id.includes('.')) return code;
    const toLoaded = hasMaps ? withoutMappings : withoutMap;
    return code === undefined ? moduleCode(context, id).then(toLoaded) : toLoaded(code);
  }

  const imports = createImportResolver(session, dialect);
  const credits = createCreditsSlot(session);
  const sprites = createSpriteSlot(session, {
    key: dialect.key,
    build: dialect.build,
    url: dialect.fileUrl,
    reference: dialect.lateUrl,
    publicPath: dialect.publicPath,
  });

  /** Usages of bundles that are being written, by the keys of the dialect's builds and the places of the bundles. */
  const usagesByBuild = new WeakMap<object, Map<string, FoundUsage[]>>();

  function writtenBy(context: object): Map<string, FoundUsage[]> {
    const key = dialect.key(context);
    const usages = usagesByBuild.get(key) ?? new Map<string, FoundUsage[]>();
    usagesByBuild.set(key, usages);
    return usages;
  }

  /** The last hook that Rollup runs for this output: `generateBundle` if the files stay in memory, or `writeBundle`. */
  async function finish(
    context: object,
    bundle: AnyBundle,
    output: Pick<BuildOutput<OutputBytes>, 'usages' | 'write'> & {
      place: OutputPlace;
      folder?: string;
    },
  ): Promise<void> {
    const { place, folder, usages, write } = output;
    const { expected = [], site, ...build } = dialect.build(context);
    const shown = await creditOutput(
      { attributionFiles: session.attributionBytes },
      {
        build: { ...build, precision: 'module-graph' },
        report: {
          folder,
          site,
          expected,
          // Builds of Vite are called after their environments.
          entries: build.bundler === 'vite' ? [] : entriesOf(bundle, place.format),
          modules: () => modulesOf(bundle),
          ...(folder === undefined && {
            found: (ids) => credits.fillAgain(dialect.key(context), bundle, ids),
          }),
        },
        usages,
        files: () => emittedFiles(bundle),
        write,
      },
    );
    if (folder !== undefined) await session.settle();
    await declarations.settle();
    await session.end(shown, { site: isWatched ? undefined : dialect.site?.(context) });
  }

  return {
    transform: imports.transform,
    async buildStart() {
      emittedOf(this).clear();
      sprites.begin(this);
      running += 1;
      const isDev = dialect.dev() !== undefined;
      isWatched = !isDev && this.meta?.watchMode === true;
      if (isWatched) for (const file of session.config.files) this.addWatchFile?.(file);
      // A dev server reads them when it starts.
      if (!isDev && (await session.config.refresh())) declarations.forget();
      session.begin({ isDev });
      if (isWatched) for (const file of session.lock.files) this.addWatchFile?.(file);
    },
    shouldTransformCachedModule: imports.shouldTransformCachedModule,
    // Bundlers from before hook filters call the handler for every id: it looks for itself.
    resolveId: {
      filter: { id: ICON_SPECIFIER_PATTERN },
      handler(source, importer) {
        if (!isIconSpecifier(source)) return null;
        if (isWatched && importer !== undefined && !isIconSpecifier(importer))
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
        return isIconSpecifier(id) ? loaded(this, id) : null;
      },
    },
    renderStart: {
      order: 'post',
      handler() {
        return session.emptied(dialect.folder?.(this));
      },
    },
    async closeBundle() {
      // A build that failed has emptied nothing.
      await session.emptied(dialect.folder?.(this));
      running -= 1;
      if (running <= 0) await session.close();
    },
    async buildEnd(error) {
      if (error !== undefined) return abandonBuild(session);
      // The build around a worker names its icons too. Nothing is written yet.
      if (!dialect.isNested()) await failIfMissing(session);
      if (dialect.dev() || dialect.isNested()) return;
      session.expectFiles(dialect.build(this));
      // Vite empties its output folder between this hook and the end of `renderStart`.
      const folder = dialect.folder?.(this);
      if (folder !== undefined) await session.expectFolder(folder);
    },
    renderChunk: {
      filter: { code: SLOTS },
      async handler(code, _chunk, _output, meta) {
        if (!SLOTS.test(code)) return null;
        const withStyles = dialect.styleFiles?.fillScript(code) ?? code;
        const filled = code.includes(SPRITE_SLOT)
          ? await sprites.fill(this, withStyles, meta?.chunks)
          : withStyles;
        // Slots stand on lines of their own, so the map of every other line stays right.
        if (!filled.includes(CREDITS_SLOT)) return { code: filled, map: null };
        const inChunks = iconsOfChunks(Object.values(meta?.chunks ?? {}), session.isSplittable);
        const inStyles = placedIcons(this).map(({ id }) => id);
        const ids = [...inChunks, ...emittedOf(this).keys(), ...inStyles];
        return { code: await credits.fill(dialect.key(this), filled, ids), map: null };
      },
    },
    // Last: Vite has then taken the assets out of server bundles, and ours stay.
    generateBundle: {
      order: 'post',
      async handler(output, bundle, isWrite = false) {
        const build = dialect.build(this);
        const found = foundUsages(bundle as AnyBundle, {
          emitted: emittedOf(this).values(),
          fileNameOf: (reference) => this.getFileName(reference),
          consumer: build.consumer,
          isSplit: session.isSplittable,
        });
        const inStyles =
          dialect.styleFiles?.settle(this, bundle as AnyBundle, placedIcons(this)) ??
          placedIcons(this);
        const leftover = findLeftover(textOutputs(bundle as AnyBundle, STYLE_SHEET));
        if (leftover !== undefined) throw leftover;
        const usages = await sprites.settle(this, bundle as AnyBundle, found);
        if (inStyles.length > 0) {
          const fileNameOf = (reference: string): string | undefined => {
            const name = this.getFileName(reference);
            // Of Vite's server bundles assets were taken out; Rolldown shows none that are emitted only now.
            return dialect.styleFiles || Object.hasOwn(bundle, name) ? name : undefined;
          };
          const outputs = textOutputs(bundle as AnyBundle);
          usages.push(
            ...usagesOfPlaced(inStyles, { outputs, fileNameOf, consumer: build.consumer }),
          );
        }
        if (dialect.isNested()) {
          session.contribute(usages);
          return session.end([], { quiet: true });
        }
        if (isWrite) {
          writtenBy(this).set(placeOf(output), usages);
          return credits.amend(dialect.key(this), bundle as AnyBundle, () =>
            session.present(usages, { ...build, precision: 'emitted' }, () =>
              emittedFiles(bundle as AnyBundle),
            ),
          );
        }
        return finish(this, bundle as AnyBundle, {
          place: output,
          usages: () => usages,
          write: (files) =>
            files.map(({ fileName, source }) => {
              this.emitFile({ type: 'asset', fileName, source });
              return fileName;
            }),
        });
      },
    },
    // Before plugins that work on a written folder: the credits are there for them, too.
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler(output, bundle) {
        const usages = writtenBy(this).get(placeOf(output));
        if (usages === undefined) return;
        writtenBy(this).delete(placeOf(output));
        await finish(this, bundle as AnyBundle, {
          place: output,
          folder: folderOf(output),
          usages: () => usages,
          // The session writes them when it settles.
          write: (files) => files.map(({ fileName }) => fileName),
        });
      },
    },
  };
}
