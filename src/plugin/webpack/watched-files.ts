import type { Compilation, Compiler } from 'webpack';

/** Has a watcher build again when the file changes, or comes into being. */
export async function addToWatched(
  compiler: Compiler,
  compilation: Compilation,
  file: string,
): Promise<void> {
  const isThere = await exists(compiler, file);
  (isThere ? compilation.fileDependencies : compilation.missingDependencies).add(file);
}

interface DependentModule {
  addDependency(file: string): void;
  addMissingDependency(file: string): void;
}

/** Has the module that is being built made anew when one of the files changes, or comes into being. */
export async function dependOn(
  files: readonly string[],
  compiler: Compiler,
  context: DependentModule,
): Promise<void> {
  for (const file of files) {
    if (await exists(compiler, file)) context.addDependency(file);
    else context.addMissingDependency(file);
  }
}

async function exists({ inputFileSystem }: Compiler, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (inputFileSystem === null) resolve(false);
    else inputFileSystem.stat(file, (error) => resolve(error === null));
  });
}
