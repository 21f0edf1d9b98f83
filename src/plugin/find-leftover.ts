import { IconCatalogError } from '../errors.ts';
import { findStyleReferences } from '../markup/find-style-references.ts';
import type { TextOutput } from './placed-icons.ts';
import { withoutFrames } from './without-frames.ts';

/** The error for an icon that a finished style sheet still refers to: no browser could show it. */
export function findLeftover(outputs: readonly TextOutput[]): IconCatalogError | undefined {
  for (const { fileName, text } of outputs) {
    if (!fileName.endsWith('.css')) continue;
    const [found] = findStyleReferences(text, { isFinished: true });
    if (found === undefined) continue;
    const error = new IconCatalogError('SPECIFIER_INVALID', {
      message: `\`${found.specifier}\` is still in the finished style sheet ${fileName} (\`${found.property}\`): the bundler, or the plugin that loads style sheets, showed it to nobody.`,
      remedy:
        'Write it as `url(…)`, in a style sheet that the bundler itself loads; or import the icon with `?url` in a script and set the address as a custom property.',
    });
    withoutFrames(error);
    return error;
  }
  return undefined;
}
