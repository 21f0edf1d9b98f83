import { createRequire } from 'node:module';
import pLimit from 'p-limit';
import type { CustomPlugin, XastElement } from 'svgo';
import { isIconCatalogError } from '../errors.ts';
import { loadSvgo, prepareSvg } from '../svg/prepare-svg.ts';
import { renderSvg } from '../svg/render-svg.ts';
import { SENTINEL } from '../svg/sentinel.ts';
import { walkElements } from '../svg/walk.ts';
import type { Icon } from './library.ts';
import { HttpError } from './params.ts';
import {
  type RasterFailure,
  type RasterProcess,
  type RasterReply,
  startRasterProcess,
} from './raster-process.ts';

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
  return optimize(safe, { plugins: [createForRenderer(size)] }).data;
}

function createForRenderer(size: number): CustomPlugin {
  return {
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
  };
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

export interface RasterQueue {
  /** Never rejects. `missing`: the renderer is not installed. */
  draw(svg: string): Promise<RasterReply | 'missing'>;
  /** Ends the process when the requested pictures are drawn; the next drawing starts another. */
  end(): Promise<void>;
}

export interface RasterQueueOptions {
  /**
   * The time limit of one drawing in milliseconds, the start of the process included. @default
   * 10000
   */
  timeout?: number;
  /** Milliseconds after which a process without work is ended. @default 60000 */
  idle?: number;
  start?: (renderer: string) => RasterProcess;
  /** The path of the renderer's module; undefined if it is not installed. */
  find?: () => string | undefined;
}

/**
 * Draws one picture after the other in a process that is started when it is needed and replaced if
 * it died.
 */
export function createRasterQueue({
  timeout = 10_000,
  idle = 60_000,
  start = startRasterProcess,
  find = findRenderer,
}: RasterQueueOptions = {}): RasterQueue {
  const inTurn = pLimit(1);
  let current: RasterProcess | undefined;
  let rest: NodeJS.Timeout | undefined;

  async function drawNow(svg: string): Promise<RasterReply | 'missing'> {
    const path = find();
    if (path === undefined) return 'missing';
    const drawer = current?.isAlive() ? current : start(path);
    current = drawer;
    const reply = await drawer.draw(svg, timeout);
    // A repaired installation is used at once.
    if (reply === 'unloadable') await endNow();
    return reply;
  }

  async function endNow(): Promise<void> {
    const ended = current;
    current = undefined;
    await ended?.kill();
  }

  function endWhenIdle(): void {
    clearTimeout(rest);
    rest = setTimeout(() => void inTurn(endNow), idle);
    rest.unref();
  }

  return {
    draw: (svg) =>
      inTurn(async () => {
        clearTimeout(rest);
        const reply = await drawNow(svg);
        // The process may have died before this drawing was sent, for another reason.
        const answer = reply === 'died' ? await drawNow(svg) : reply;
        endWhenIdle();
        return answer;
      }),
    async end() {
      clearTimeout(rest);
      await inTurn(endNow);
    },
  };
}

function findRenderer(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@resvg/resvg-js');
  } catch {
    return undefined;
  }
}
