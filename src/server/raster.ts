import type * as Resvg from '@resvg/resvg-js';
import { HttpError } from './http-error.ts';
import type { Icon } from './library.ts';
import { referenceCost } from './reference-cost.ts';

const ACTIVE = /<(?:[^\s<>/:]+:)?(?:image|feImage|script|foreignObject)\b|<!ENTITY|@import/i;
const REFERENCE = /\bhref\s*=(?!\s*["']#)|url\((?!\s*["']?#)/i;
/** Filters that keep the renderer busy without end for some parameters. */
const SLOW =
  /<(?:[^\s<>/:]+:)?(?:feMorphology|feTurbulence|feConvolveMatrix|fe(?:Diffuse|Specular)Lighting)\b/i;
/** Elements drawn after all references are followed; a flag with its stars has some hundred. */
const MAX_REFERENCE_COST = 10_000;

/** Why markup is not given to the renderer, which reads local files through `<image>` and never ends on some filters. */
function refusalOf(svg: string): string | undefined {
  if (ACTIVE.test(svg)) return 'it holds active content, images or entities';
  if (REFERENCE.test(svg)) return 'it refers to something outside the file';
  if (SLOW.test(svg)) return 'it uses a filter that is too costly to draw';
  return referenceCost(svg) > MAX_REFERENCE_COST
    ? 'its references multiply without end'
    : undefined;
}

type Renderer = Pick<typeof Resvg, 'renderAsync'>;

export interface RasterInput {
  icon: Icon;
  svg: string;
  /** Side of the picture in pixels. */
  size: number;
  /** Loads the renderer, an optional peer. */
  load?: () => Promise<Renderer>;
}

/**
 * Draws an icon into a square PNG, centred, aspect ratio kept.
 * @throws 501 when `@resvg/resvg-js` is not installed, 422 when the file is not fit to be drawn
 */
export async function rasterize({
  icon,
  svg,
  size,
  load = () => import('@resvg/resvg-js'),
}: RasterInput): Promise<Uint8Array> {
  const refusal = refusalOf(svg);
  if (refusal !== undefined) {
    throw new HttpError(422, `Icon ${icon.id} cannot be drawn as PNG: ${refusal}.`);
  }
  const { renderAsync } = await load().catch(() => {
    throw new HttpError(501, NO_RENDERER);
  });
  try {
    const font = { loadSystemFonts: false };
    const image = await renderAsync(squared(svg, size), { font, logLevel: 'off' });
    return new Uint8Array(image.asPng());
  } catch {
    throw new HttpError(422, `Icon ${icon.id} cannot be drawn as PNG: it is no drawable SVG.`);
  }
}

const NO_RENDERER =
  'PNG files of the embedded catalog need a renderer. Install it with: npm i -D @resvg/resvg-js';

/** The root gets the size of the picture; its view box, kept, is centred in it by the rules of SVG. */
function squared(svg: string, size: number): string {
  return svg.replace(/<(?:[^\s<>/:]+:)?svg\b[^>]*>/, (root) => {
    const box = /\sviewBox\s*=/.test(root)
      ? ''
      : ` viewBox="0 0 ${attribute(root, 'width') ?? 100} ${attribute(root, 'height') ?? 100}"`;
    const bare = root.replace(
      /\s(?:width|height|preserveAspectRatio)\s*=\s*("[^"]*"|'[^']*')/g,
      '',
    );
    return bare.replace(/\s*(\/?)>$/, `${box} width="${size}" height="${size}"$1>`);
  });
}

function attribute(root: string, name: string): number | undefined {
  const value = Number.parseFloat(
    new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)`).exec(root)?.[1] ?? '',
  );
  return value > 0 ? value : undefined;
}
