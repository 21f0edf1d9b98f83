import { createRequire } from 'node:module';
import pLimit from 'p-limit';
import { type RasterProcess, type RasterReply, startRasterProcess } from './raster-process.ts';

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
