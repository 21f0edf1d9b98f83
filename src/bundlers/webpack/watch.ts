import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Compiler, Module } from 'webpack';
import type { LockMarks } from '../../build/session-types.ts';
import {
  type ConfigWatch,
  type IconLoaderContext,
  type LockWatch,
  toBundlerError,
  toIconResource,
} from './read-icon.ts';
import type { Session } from '../../build/session-interface.ts';

const NAME = 'unplugin-icon-catalog';
/** Where webpack keeps what the references of a style sheet stood for, with the module that holds them. */
const IMAGE_MARKS = 'iconCatalogImages';
/** webpack's types have a boolean, its hook goes on to the next plugin only without one. */
const NONE = undefined as unknown as boolean;

const NO_WATCH: ConfigWatch = {
  resolved() {},
  refused() {},
  made: () => Promise.resolve(),
  styled: () => Promise.resolve(),
};

/**
 * Follows the project's file of options, where the plugin was given none: reads it before each build, and has built
 * again what depends on what was changed in it. A module of webpack and Rspack is known by its resource, which holds the
 * icon and its shape. webpack looks for the resource of each import in each build; Rspack does so for imports of modules
 * that are said to have changed.
 *
 * @param changed other options are in force
 */
export function watchConfig(
  compiler: Compiler,
  {
    session,
    bundler,
    changed,
  }: { session: Session; bundler: 'webpack' | 'rspack'; changed(): void },
): ConfigWatch {
  const { config } = session;
  if (config.files.length === 0) return NO_WATCH;
  const watch =
    bundler === 'webpack' ? askEachStyle(compiler, session) : nameChangedImages(compiler, session);
  let broken: unknown;

  compiler.hooks.beforeRun.tapPromise(NAME, async () => {
    await config.refresh();
  });
  // A watcher that fails here would watch no more: what it says is an error of the build.
  compiler.hooks.watchRun.tapPromise(NAME, async () => {
    broken = undefined;
    try {
      if (!(await config.refresh())) return;
      changed();
      watch.reconfigured();
    } catch (error) {
      broken = error;
    }
  });
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    if (broken !== undefined) compilation.errors.push(toBundlerError(broken));
  });
  watchFiles(compiler, config.files);
  return watch;
}

function askEachStyle(
  compiler: Compiler,
  { config, optionsHashes }: Session,
): ConfigWatch & { reconfigured(): void } {
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    hooks.needBuild.tap(NAME, (module) =>
      Object.entries(imageMarksOf(module)).some(
        ([name, mark]) => optionsHashes.ofImage(name) !== mark,
      )
        ? true
        : NONE,
    );
  });
  return {
    resolved() {},
    refused() {},
    reconfigured() {},
    async made(_, context) {
      if (isRunInBuild(compiler, context)) await dependOn(config.files, compiler, context);
    },
    async styled(specifier, context) {
      if (isRunInBuild(compiler, context)) await dependOn(config.files, compiler, context);
      const { _module: module } = context;
      if (!module?.buildInfo) return;
      const marks = { ...imageMarksOf(module), [specifier]: optionsHashes.ofImage(specifier) };
      Object.assign(module.buildInfo, { [IMAGE_MARKS]: marks });
    },
  };
}

function imageMarksOf({ buildInfo }: Module): Record<string, string> {
  return (buildInfo as { [IMAGE_MARKS]?: Record<string, string> } | undefined)?.[IMAGE_MARKS] ?? {};
}

function nameChangedImages(
  compiler: Compiler,
  session: Session,
): ConfigWatch & { reconfigured(): void } {
  const { config, optionsHashes } = session;
  const idBySpecifier = new Map<string, { id: string; resource: string }>();
  const hashBySpecifier = new Map<string, string>();
  /** Rspack does not look again by itself for what it did not find. */
  const refused = new Set<string>();
  const ofStyle = (specifier: string): string => `style ${specifier}`;
  const resourceOf = (id: string): string => toIconResource(id, optionsHashes.of(id));

  function resourceNow(specifier: string): string {
    try {
      return resourceOf(session.resolve(specifier));
    } catch {
      return '';
    }
  }

  async function depend(context: IconLoaderContext): Promise<void> {
    if (isPersistent(compiler) || isRunInBuild(compiler, context))
      await dependOn(config.files, compiler, context);
  }

  return {
    resolved(specifier, id) {
      idBySpecifier.set(specifier, { id, resource: resourceOf(id) });
    },
    refused: (importer) => void refused.add(importer.split('?', 1)[0] ?? importer),
    async made(id, context) {
      context.addMissingDependency(ownFile(compiler, id));
      await depend(context);
    },
    async styled(specifier, context) {
      hashBySpecifier.set(specifier, optionsHashes.ofImage(specifier));
      context.addMissingDependency(ownFile(compiler, ofStyle(specifier)));
      await depend(context);
    },
    reconfigured() {
      const modules = [...idBySpecifier].filter(
        ([specifier, { resource }]) => resourceNow(specifier) !== resource,
      );
      const styles = [...hashBySpecifier.keys()].filter(
        (specifier) => optionsHashes.ofImage(specifier) !== hashBySpecifier.get(specifier),
      );
      sayChanged(compiler, [...modules.map(([, { id }]) => id), ...styles.map(ofStyle)]);
      compiler.modifiedFiles = new Set([...(compiler.modifiedFiles ?? []), ...refused]);
      refused.clear();
    },
  };
}

/** Where webpack keeps the marks of icons, by id: with the module that holds them, also from one process to the next. */
const LOCK_MARKS = 'iconCatalogMarks';

/**
 * Builds again when the lock file changes, and of the icons only those about which it says something else. webpack asks
 * module by module, Rspack is told.
 */
export function watchLock(
  compiler: Compiler,
  { lock, bundler }: { lock: LockMarks; bundler: 'webpack' | 'rspack' },
): LockWatch {
  watchFiles(compiler, lock.files);
  return bundler === 'webpack' ? askEachModule(compiler, lock) : nameChangedIcons(compiler, lock);
}

function askEachModule(compiler: Compiler, lock: LockMarks): LockWatch {
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    hooks.needBuild.tapPromise(NAME, async (module) => {
      for (const [id, mark] of Object.entries(lockMarksOf(module)))
        if (await lock.isOutdated(id, mark)) return true;
      return NONE;
    });
  });
  return {
    async loaded(id, context) {
      if (isRunInBuild(compiler, context)) await dependOn(lock.files, compiler, context);
      const { _module: module } = context;
      if (!module?.buildInfo) return;
      const mark = await lock.mark(id);
      Object.assign(module.buildInfo, { [LOCK_MARKS]: { ...lockMarksOf(module), [id]: mark } });
    },
    reconfigured() {},
  };
}

function lockMarksOf({ buildInfo }: Module): Record<string, string> {
  return (buildInfo as { [LOCK_MARKS]?: Record<string, string> } | undefined)?.[LOCK_MARKS] ?? {};
}

function nameChangedIcons(compiler: Compiler, lock: LockMarks): LockWatch {
  const markById = new Map<string, string>();
  let isReconfigured = false;

  compiler.hooks.watchRun.tapPromise(NAME, async () => {
    const changed = [...(compiler.modifiedFiles ?? []), ...(compiler.removedFiles ?? [])];
    if (!isReconfigured && !lock.files.some((file) => changed.includes(file))) return;
    isReconfigured = false;
    lock.refresh();
    const outdated: string[] = [];
    for (const [id, mark] of markById) if (await lock.isOutdated(id, mark)) outdated.push(id);
    sayChanged(compiler, outdated);
    // Modules that come from an earlier process have no mark here: they depend on the whole lock.
    const modified = new Set(compiler.modifiedFiles);
    if (!isPersistent(compiler)) for (const file of lock.files) modified.delete(file);
    compiler.modifiedFiles = modified;
  });

  return {
    async loaded(id, context) {
      markById.set(id, await lock.mark(id));
      context.addMissingDependency(ownFile(compiler, id));
      if (isPersistent(compiler) || isRunInBuild(compiler, context))
        await dependOn(lock.files, compiler, context);
    },
    reconfigured() {
      isReconfigured = true;
    },
  };
}

/** A watcher builds again if one of the files changes or is created. The build waits until they are known. */
function watchFiles(compiler: Compiler, files: readonly string[]): void {
  compiler.hooks.make.tapPromise(NAME, async (compilation) => {
    for (const file of files) {
      const isThere = await exists(compiler, file);
      (isThere ? compilation.fileDependencies : compilation.missingDependencies).add(file);
    }
  });
}

/** Has the module that is being built made anew when one of the files changes, or comes into being. */
async function dependOn(
  files: readonly string[],
  compiler: Compiler,
  context: IconLoaderContext,
): Promise<void> {
  for (const file of files) {
    if (await exists(compiler, file)) context.addDependency(file);
    else context.addMissingDependency(file);
  }
}

/**
 * True for what runs during the build, in a child compiler or for another module: whoever takes the outcome is not asked,
 * but has the files that it depends on.
 */
function isRunInBuild(compiler: Compiler, { _compilation, _module }: IconLoaderContext): boolean {
  const request = _module && 'rawRequest' in _module ? _module.rawRequest : '';
  return _compilation?.compiler !== compiler || /^!!|!=!/.test(request);
}

/** Never rejects: a file system of a plugin may throw instead of calling back, which would end a dev server. */
function exists({ inputFileSystem }: Compiler, file: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    if (inputFileSystem === null) resolve(false);
    else inputFileSystem.stat(file, (error) => resolve(error === null));
  }).catch(() => false);
}

/**
 * Rspack does not ask whether a module is still right, but takes word of files that have changed: what may become wrong
 * depends on a file of its own that never exists, and is said to have changed.
 */
function ownFile({ context }: Compiler, id: string): string {
  return join(context, '.icon-catalog', createHash('sha256').update(id).digest('hex'));
}

function sayChanged(compiler: Compiler, ids: Iterable<string>): void {
  const modified = new Set(compiler.modifiedFiles);
  for (const id of ids) modified.add(ownFile(compiler, id));
  compiler.modifiedFiles = modified;
}

/** True where modules may come from an earlier process, which knows nothing of what is remembered in this one. */
function isPersistent({ options: { cache } }: Compiler): boolean {
  return typeof cache === 'object' && (cache.type as string) === 'persistent';
}
