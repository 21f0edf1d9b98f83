import { isIconCatalogError } from '../errors.ts';
import { HttpError } from './http-error.ts';
import type { Icon } from './library.ts';
import { toDrawable } from './raster-markup.ts';
import type { RasterFailure } from './raster-process.ts';
import { createRasterQueue, type RasterQueue } from './raster-queue.ts';

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
 * Draws an icon into a square PNG, centred, aspect ratio kept: sanitised first, in a process of its own, in 10 seconds
 * at most.
 * @throws HttpError 501 when `@resvg/resvg-js` is not installed, 422 when the file is not fit to be drawn
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
      return undrawable(icon, 'it is no drawable SVG.');
    case 'late':
      return undrawable(icon, 'it takes too long to draw.');
    case 'died':
      return undrawable(icon, 'the renderer breaks down on it.');
  }
}

/** What the sanitiser says begins with the icon, and so does the message. */
function toReason(sentence: string): string {
  return sentence.replace(/^icon \d+: /, '').replace(/^icon \d+ /, 'it ');
}

function undrawable(icon: Icon, reason: string): HttpError {
  return new HttpError(422, `Icon ${icon.id} cannot be drawn as PNG: ${reason}`);
}

const NO_RENDERER =
  'PNG files of the embedded catalog need a renderer. Install it with: npm i -D @resvg/resvg-js';
