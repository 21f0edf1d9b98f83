import type { Compilation, Compiler } from 'webpack';
import type { IconLoaderContext } from './read-icon.ts';

/** Has a watcher build again when the file changes, or comes into being. */
export async function addToWatched(
  compiler: Compiler,
  compilation: Compilation,
  file: string,
): Promise<void> {
  const isThere = await exists(compiler, file);
  (isThere ? compilation.fileDependencies : compilation.missingDependencies).add(file);
}

/** Has the module that is being built made anew when one of the files changes, or comes into being. */
export async function dependOn(
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
export function isRunInBuild(
  compiler: Compiler,
  { _compilation, _module }: IconLoaderContext,
): boolean {
  const request = _module && 'rawRequest' in _module ? _module.rawRequest : '';
  return _compilation?.compiler !== compiler || /^!!|!=!/.test(request);
}

async function exists({ inputFileSystem }: Compiler, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (inputFileSystem === null) resolve(false);
    else inputFileSystem.stat(file, (error) => resolve(error === null));
  });
}
