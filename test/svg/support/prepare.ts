import { prepareSvg, type PrepareSvgOptions } from '../../../src/svg/prepare-svg.ts';
import { renderSvg, type RenderSvgOptions, SENTINEL } from '../../../src/svg/render-svg.ts';
import type { SvgMaster } from '../../../src/types.ts';

export const NS = 'xmlns="http://www.w3.org/2000/svg"';

const DEFAULTS: PrepareSvgOptions = {
  id: 7,
  askedColor: SENTINEL,
  optimize: true,
  strict: false,
  animation: false,
  maxBytes: 1_048_576,
};

export function prepare(
  input: string | Uint8Array,
  options: Partial<PrepareSvgOptions> = {},
): Promise<SvgMaster> {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  return prepareSvg(bytes, { ...DEFAULTS, ...options });
}

/** A whole file around some markup. */
export function file(body: string, attributes = ''): string {
  return `<svg ${NS} viewBox="0 0 24 24"${attributes === '' ? '' : ` ${attributes}`}>${body}</svg>`;
}

/** A document of its own, which every reader of SVG takes. */
export function render(master: SvgMaster, options: Partial<RenderSvgOptions> = {}): string {
  return renderSvg(master, {
    id: 7,
    color: 'currentColor',
    size: '1em',
    title: null,
    class: null,
    isFile: true,
    ...options,
  });
}

/** What stands between `<svg …>` and `</svg>`, in one colour. */
export async function drawn(
  body: string,
  options: Partial<PrepareSvgOptions> = {},
  color = 'ff0000',
): Promise<string> {
  const svg = render(await prepare(file(body), options), { color });
  return svg.slice(svg.indexOf('>') + 1, -'</svg>'.length);
}