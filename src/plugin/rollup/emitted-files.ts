import type { EmittedFile } from '../search-outputs.ts';
import type { AnyBundle } from './found-usages.ts';

/** Every file of a bundle, as it will be written. */
export function* emittedFiles(bundle: AnyBundle): Generator<EmittedFile> {
  for (const output of Object.values(bundle)) {
    const { fileName } = output;
    if ('code' in output && typeof output.code === 'string')
      yield { fileName, content: output.code };
    else if ('source' in output && output.source !== undefined)
      yield { fileName, content: output.source };
  }
}

/** Names of what the bundle begins with, and its format: an entry may be built as several. */
export function entriesOf(bundle: AnyBundle, format = 'es'): string[] {
  const names = Object.values(bundle).flatMap((output) =>
    'isEntry' in output && output.isEntry === true && 'name' in output ? [String(output.name)] : [],
  );
  return /^(?:es|esm|module)$/.test(format) ? names : [...names, format];
}

/** Modules of files that are in the bundle, packages' among them. */
export function* modulesOf(bundle: AnyBundle): Generator<{ path: string; file: string }> {
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk') continue;
    for (const path of output.moduleIds)
      if (!path.startsWith('icon:')) yield { path, file: output.fileName };
  }
}
