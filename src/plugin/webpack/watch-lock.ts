import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Compilation, Compiler, Module } from 'webpack';
import type { LockMarks } from '../session-types.ts';
import type { IconLoaderContext } from './read-icon.ts';

const NAME = 'unplugin-icon-catalog';
/** Where webpack keeps the marks of icons, by id: with the module that holds them, also from one process to the next. */
const MARKS = 'iconCatalogMarks';
/** webpack's types have a boolean, its hook goes on to the next plugin only without one. */
const NONE = undefined as unknown as boolean;

export interface LockWatch {
  /** An icon of this module was loaded. */
  loaded(id: string, context: IconLoaderContext): Promise<void>;
}

/**
 * Builds again when the lock file changes, and of the icons only those about which it says something else. webpack asks
 * module by module. Rspack does not, but takes word of files that have changed: each icon depends on a file of its own
 * that never exists, and is said to have changed.
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

async function addToWatched(
  compiler: Compiler,
  compilation: Compilation,
  file: string,
): Promise<void> {
  const isThere = await exists(compiler, file);
  (isThere ? compilation.fileDependencies : compilation.missingDependencies).add(file);
}

async function exists({ inputFileSystem }: Compiler, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (inputFileSystem === null) resolve(false);
    else inputFileSystem.stat(file, (error) => resolve(error === null));
  });
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
    async loaded(id, { _module: module }) {
      if (!module?.buildInfo) return;
      const mark = await lock.mark(id);
      Object.assign(module.buildInfo, { [MARKS]: { ...marksOf(module), [id]: mark } });
    },
  };
}

function marksOf({ buildInfo }: Module): Record<string, string> {
  return (buildInfo as { [MARKS]?: Record<string, string> } | undefined)?.[MARKS] ?? {};
}

function nameChanged(compiler: Compiler, lock: LockMarks): LockWatch {
  const markById = new Map<string, string>();
  const isPersistent = (): boolean => {
    const { cache } = compiler.options;
    return typeof cache === 'object' && (cache.type as string) === 'persistent';
  };
  const [lockFile = ''] = lock.files;
  const ownFile = (id: string): string =>
    join(dirname(lockFile), '.icon-catalog', createHash('sha256').update(id).digest('hex'));

  compiler.hooks.watchRun.tapPromise(NAME, async () => {
    const changed = [...(compiler.modifiedFiles ?? []), ...(compiler.removedFiles ?? [])];
    if (!lock.files.some((file) => changed.includes(file))) return;
    lock.refresh();
    const modified = new Set(compiler.modifiedFiles);
    for (const [id, mark] of markById) {
      if (await lock.isOutdated(id, mark)) modified.add(ownFile(id));
    }
    // Modules that come from an earlier process have no mark here: they depend on the whole lock.
    if (!isPersistent()) for (const file of lock.files) modified.delete(file);
    compiler.modifiedFiles = modified;
  });

  return {
    async loaded(id, context) {
      markById.set(id, await lock.mark(id));
      context.addMissingDependency(ownFile(id));
      if (!isPersistent()) return;
      for (const file of lock.files) {
        if (await exists(compiler, file)) context.addDependency(file);
        else context.addMissingDependency(file);
      }
    },
  };
}
