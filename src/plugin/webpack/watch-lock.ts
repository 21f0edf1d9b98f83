import type { Compiler, Module } from 'webpack';
import type { LockMarks } from '../session-types.ts';
import { isPersistent, ownFile, sayChanged } from './own-files.ts';
import type { IconLoaderContext } from './read-icon.ts';
import { addToWatched, dependOn, isRunInBuild } from './watched-files.ts';

const NAME = 'unplugin-icon-catalog';
/** Where webpack keeps the marks of icons, by id: with the module that holds them, also from one process to the next. */
const MARKS = 'iconCatalogMarks';
/** webpack's types have a boolean, its hook goes on to the next plugin only without one. */
const NONE = undefined as unknown as boolean;

export interface LockWatch {
  /** An icon of this module was loaded. */
  loaded(id: string, context: IconLoaderContext): Promise<void>;
  /** Another lock may count from the next build on. */
  reconfigured(): void;
}

/**
 * Builds again when the lock file changes, and of the icons only those about which it says something else. webpack asks
 * module by module, Rspack is told.
 */
export function watchLock(
  compiler: Compiler,
  { lock, bundler }: { lock: LockMarks; bundler: 'webpack' | 'rspack' },
): LockWatch {
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    for (const file of lock.files) void addToWatched(compiler, compilation, file);
  });
  return bundler === 'webpack' ? askEachModule(compiler, lock) : nameChanged(compiler, lock);
}

function askEachModule(compiler: Compiler, lock: LockMarks): LockWatch {
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const hooks = compiler.webpack.NormalModule.getCompilationHooks(compilation);
    hooks.needBuild.tapPromise(NAME, async (module) => {
      for (const [id, mark] of Object.entries(marksOf(module)))
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
      Object.assign(module.buildInfo, { [MARKS]: { ...marksOf(module), [id]: mark } });
    },
    reconfigured() {},
  };
}

function marksOf({ buildInfo }: Module): Record<string, string> {
  return (buildInfo as { [MARKS]?: Record<string, string> } | undefined)?.[MARKS] ?? {};
}

function nameChanged(compiler: Compiler, lock: LockMarks): LockWatch {
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
