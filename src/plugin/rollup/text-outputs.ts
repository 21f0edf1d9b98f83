import type { TextOutput } from '../placed-icons.ts';
import type { AnyBundle } from './found-usages.ts';

const TEXT = /\.(?:css|html?|[cm]?js)$/;

/** The files of a bundle that may hold an icon of a style sheet or a page. */
export function textOutputs(bundle: AnyBundle): TextOutput[] {
  return Object.values(bundle).flatMap((output): TextOutput[] => {
    const { fileName } = output;
    if ('code' in output && typeof output.code === 'string')
      return [{ fileName, text: output.code }];
    if (!TEXT.test(fileName) || !('source' in output)) return [];
    const { source } = output;
    if (typeof source === 'string') return [{ fileName, text: source }];
    return source instanceof Uint8Array ? [{ fileName, text: Buffer.from(source).toString() }] : [];
  });
}
