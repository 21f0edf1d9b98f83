import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { copyError, IconCatalogError, isIconCatalogError } from '../errors.ts';
import { findStyleReferences } from '../markup/style-references.ts';
import type { TextOutput } from './session-types.ts';

/**
 * Bundlers print the stack of what a hook throws. For a mistake that its message explains, our own frames explain nothing
 * and push what to do off the screen.
 */
export function withoutFrames<Thrown>(thrown: Thrown): Thrown {
  const error = isIconCatalogError(thrown) ? withPlace(thrown) : thrown;
  if (isIconCatalogError(error)) {
    // Rollup takes the message out of the stack where a line break ends it, and would show it twice.
    error.stack = `${error.name}: ${error.message}\n`;
    // The stack of the cause helps no reader: the message says what to do, and the frames are not in the user's code.
    if (error.cause instanceof Error && isSystemError(error.cause)) delete error.cause.stack;
  }
  return error as Thrown;
}

/** Where the message names the importer: as a path that a terminal opens, with line and column of what was written. */
function withPlace(error: IconCatalogError): IconCatalogError {
  const { importer, reason } = error;
  if (importer === undefined) return error;
  const [written = ''] = /icon:[^`\s]+/.exec(reason) ?? [];
  const place = placeOf(importer, written);
  return place === importer ? error : copyError(error, { importer: place });
}

/**
 * A file with the line and column of the first reference in it that is written like this, if it has one.
 *
 * @param file as the bundler names it; a place in it is kept
 * @param shown the path to print
 */
export function placeOf(file: string, written: string, shown: string = shortPath(file)): string {
  const [, path = file, known = ''] = /^(.*?)((?::\d+){0,2})$/s.exec(file) ?? [];
  if (known !== '') return `${shortPath(path)}${known}`;
  if (written === '') return shown;
  try {
    const text = readFileSync(resolve(path.split('?')[0] ?? path), 'utf8');
    // A message may have the parameters in another order than the source.
    const found = [written, written.split('?')[0] ?? ''].map((part) =>
      text.search(new RegExp(`${part.replace(/[^\w:/]/g, '\\$&')}(?![\\w/-])`)),
    );
    const at = found.find((index) => index !== -1) ?? -1;
    if (at === -1) return shown;
    const before = text.slice(0, at).split('\n');
    return `${shown}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  } catch {
    // The module has no file, or none that is text.
    return shown;
  }
}

/** `ENOENT`, `ECONNREFUSED` …: of the machine, not of the project's own code. */
function isSystemError(cause: Error): boolean {
  return 'code' in cause && typeof cause.code === 'string';
}

/** The error for an icon that a finished style sheet still refers to: no browser could show it. */
export function findLeftover(outputs: readonly TextOutput[]): IconCatalogError | undefined {
  for (const { fileName, text } of outputs) {
    if (!fileName.endsWith('.css')) continue;
    const [found] = findStyleReferences(text, { isFinished: true });
    if (found === undefined) continue;
    const error = new IconCatalogError('SPECIFIER_INVALID', {
      message: `\`${found.specifier}\` is still in the finished style sheet ${fileName} (\`${found.property}\`): neither the bundler nor the plugin that loads style sheets has shown it to other plugins.`,
      remedy:
        'Write it as `url(…)`, in a style sheet that the bundler itself loads; or import the icon with `?url` in a script and set the address as a custom property.',
    });
    withoutFrames(error);
    return error;
  }
  return undefined;
}

/** As somebody in the project would type it. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), resolve(file));
  return (path.startsWith('..') ? file : path).replaceAll('\\', '/');
}

/** Resolves when the work is over, however it ended. A caller that needs the outcome awaits the work itself. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
