import type { Compilation, Compiler } from 'webpack';
import type { EmittedFile } from '../find-missed.ts';

/** Every file of a compilation, as it will be written. */
export function* emittedFiles(compilation: Compilation): Generator<EmittedFile> {
  for (const { name, source } of compilation.getAssets())
    yield { fileName: name.replace(/\?.*$/, ''), content: source.source() };
}

/** What a compiler begins with; compilers of one configuration often have no name. */
export function entriesOf({ options }: Compiler): string {
  return typeof options.entry === 'function' ? '' : JSON.stringify(options.entry);
}
