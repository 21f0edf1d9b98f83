import type { TextOutput } from '../placed-icons.ts';
import type { AnyBundle } from './found-usages.ts';

const TEXT = /\.(?:css|html?|[cm]?js)$/;

/**
 * The files of a bundle that may hold an icon of a style sheet or a page.
 *
 * @param names those that are wanted: Rolldown copies the text of every file that somebody looks at
 */
export function textOutputs(bundle: AnyBundle, names: RegExp = TEXT): TextOutput[] {
  return Object.values(bundle).flatMap((output): TextOutput[] => {
    const { fileName } = output;
    if (!names.test(fileName)) return [];
    if ('code' in output && typeof output.code === 'string')
      return [{ fileName, text: output.code }];
    if (!('source' in output)) return [];
    const { source } = output;
    if (typeof source === 'string') return [{ fileName, text: source }];
    return source instanceof Uint8Array ? [{ fileName, text: Buffer.from(source).toString() }] : [];
  });
}
