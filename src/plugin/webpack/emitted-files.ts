import fs from 'node:fs';
import type { Compilation, Compiler } from 'webpack';
import type { EmittedFile } from '../search-outputs.ts';
import { innerModules, resourceOf } from './graph-icons.ts';
import { plainName, scriptsOf } from './icon-usages.ts';

/** Every file of a compilation, as it will be written. */
export function* emittedFiles(compilation: Compilation): Generator<EmittedFile> {
  for (const { name, source } of compilation.getAssets())
    yield { fileName: plainName(name), content: source.source() };
}

/** Modules of files that are in the output, packages' among them. */
export function* modulesOf(compilation: Compilation): Generator<{ path: string; file: string }> {
  const { chunks, chunkGraph } = compilation;
  for (const chunk of chunks) {
    const files = scriptsOf(compilation, chunk);
    for (const outer of chunkGraph.getChunkModulesIterable(chunk))
      for (const module of innerModules(outer)) {
        const path = resourceOf(module);
        if (path !== undefined) for (const file of files) yield { path, file: plainName(file) };
      }
  }
}

/** What a compiler without a name begins with: its entries, whose usual name is `main`. */
export function entriesOf({ name = '', options: { entry } }: Compiler): string[] {
  return name !== '' || typeof entry === 'function' ? [] : Object.keys(entry);
}

export function isOnDisk({ outputFileSystem, intermediateFileSystem }: Compiler): boolean {
  const onDisk: unknown[] = [fs, intermediateFileSystem];
  return outputFileSystem !== null && onDisk.includes(outputFileSystem);
}
