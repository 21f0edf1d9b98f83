import type { XastElement } from 'svgo';
import { isIconCatalogError } from '../errors.ts';
import { loadSvgo, prepareSvg } from '../svg/prepare-svg.ts';
import { renderSvg, SENTINEL } from '../svg/render-svg.ts';
import { walkElements } from '../svg/walk.ts';
import type { Icon } from './library.ts';
import { HttpError } from './params.ts';
import { createRasterQueue, type RasterFailure, type RasterQueue } from './raster-process.ts';

/** All catalogs of a process share one renderer. */
const shared = createRasterQueue();

export interface RasterInput {
  icon: Icon;
  svg: string;
  /** Side of the picture in pixels. */
  size: number;
  queue?: Pick<RasterQueue, 'draw'>;
}

/**
 * Draws an icon into a square PNG, centred, aspect ratio kept: the icon is sanitised first, and
 * drawn in a separate process in at most 10 seconds.
 * @throws HttpError 501 when `@resvg/resvg-js` is not installed, 422 when the file is not fit to be
 * drawn
 */
export async function rasterize({
  icon,
  svg,
  size,
  queue = shared,
}: RasterInput): Promise<Uint8Array> {
  const drawable = await toDrawable(svg, { id: icon.id, size }).catch((error: unknown) => {
    if (isIconCatalogError(error)) throw undrawable(icon, toReason(error.reason));
    throw error;
  });
  const reply = await queue.draw(drawable);
  if (typeof reply !== 'string') return reply;
  throw toFailure(icon, reply);
}

/** Ends the process that draws, if there is one. The next picture starts another. */
export async function endRasterizing(): Promise<void> {
  await shared.end();
}

function toFailure(icon: Icon, reply: RasterFailure | 'missing'): HttpError {
  switch (reply) {
    case 'missing':
    case 'unloadable':
      return new HttpError(501, NO_RENDERER);
    case 'unstarted':
      return new HttpError(500, 'The process that draws PNG files could not be started.');
    case 'refused':
      return undrawable(icon, 'it is not a drawable SVG.');
    case 'late':
      return undrawable(icon, 'it takes too long to draw.');
    case 'died':
      return undrawable(icon, 'the renderer breaks down on it.');
  }
}

/** The sanitiser's message begins with the icon, and so does this one. */
function toReason(sentence: string): string {
  return sentence.replace(/^icon \d+: /, '').replace(/^icon \d+ /, 'it ');
}

function undrawable(icon: Icon, reason: string): HttpError {
  return new HttpError(422, `Icon ${icon.id} cannot be drawn as PNG: ${reason}`);
}

const NO_RENDERER =
  'PNG files of the embedded catalog need a renderer. Install it with: npm i -D @resvg/resvg-js';

const MAX_BYTES = 1024 * 1024;

/** Filter primitives that keep the renderer busy forever with some parameters. */
const ENDLESS = new Set([
  'feMorphology',
  'feTurbulence',
  'feConvolveMatrix',
  'feDiffuseLighting',
  'feSpecularLighting',
]);

/**
 * The part of an untrusted file that may reach the renderer, which reads local files through
 * `<image>`: the sanitised drawing in its own colours, without costly filters, in a square of
 * `size` pixels.
 * @throws IconCatalogError SVG_INVALID, SVG_TOO_LARGE, SVG_UNSAFE
 */
export async function toDrawable(
  svg: string,
  { id, size }: { id: number; size: number },
): Promise<string> {
  const master = await prepareSvg(Buffer.from(svg), {
    id,
    askedColor: SENTINEL,
    fixedColor: true,
    optimize: false,
    // A server cannot show a warning, so a drawing that looks different without its active content
    // is refused.
    strict: true,
    animation: false,
    maxBytes: MAX_BYTES,
    // The costly ones are left out below, and the renderer is stopped if the rest takes too long.
    limits: { filterCost: Infinity },
  });
  const safe = renderSvg(master, {
    id,
    color: 'currentColor',
    size: String(size),
    title: null,
    class: null,
    isFile: true,
  });
  const { optimize } = await loadSvgo();
  return optimize(safe, {
    plugins: [
      {
        name: 'icon-catalog-raster',
        fn: ({ children }) => {
          for (const child of children) {
            if (child.type !== 'element') continue;
            // The view box is centred in the square by the rules of SVG.
            child.attributes['width'] = String(size);
            child.attributes['height'] = String(size);
            dropEndlessFilters(child);
          }
          return null;
        },
      },
    ],
  }).data;
}

/** A filter that loses all of its primitives is removed: an empty one would hide its element. */
function dropEndlessFilters(root: XastElement): void {
  const emptied = new Set<string>();
  walkElements(root, (node) => {
    const before = node.children.length;
    node.children = node.children.filter(
      (child) => child.type !== 'element' || !ENDLESS.has(child.name),
    );
    if (node.children.length < before && node.children.length === 0)
      emptied.add(`url(#${node.attributes['id'] ?? ''})`);
  });
  walkElements(root, ({ attributes }) => {
    if (emptied.has(attributes['filter'] ?? '')) delete attributes['filter'];
  });
}
