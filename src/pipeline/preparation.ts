import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { PrepareSvgOptions } from '../svg/prepare-svg.ts';
import type { SvgMaster } from '../types.ts';
import type { WorkerAnswer, WorkerTask } from './prepare-worker.ts';

type Prepare = (bytes: Uint8Array, options: PrepareSvgOptions) => Promise<SvgMaster>;

/** Files that this thread prepares before a worker is worth its start: until its code is compiled, it costs what it saves. */
const FIRST = 300;

/** Files that wait at once where this thread falls behind its downloads. */
const MANY = 16;

/** Files that a worker has to do at once; this thread prepares what comes besides. */
const MOST = 256;

/** Milliseconds until a worker without work ends: it holds some 20 MiB. */
const IDLE = 5000;

/** Beside the entries of the package. The source tree has none: there everything is prepared in one thread. */
const WORKER = fileURLToPath(new URL('../prepare-worker.js', import.meta.url));

/**
 * Makes drawings of files, which takes milliseconds each: one in each pass of the event loop, so that answers that have come
 * in meanwhile are taken first, and the next calls are on their way while files are worked on. Where many files wait and
 * there is a second core, a worker does some of them.
 */
export function createPreparation(): Prepare {
  const turns = pLimit(1);
  let prepared = 0;

  async function here(bytes: Uint8Array, options: PrepareSvgOptions): Promise<SvgMaster> {
    const { prepareSvg } = await import('../svg/prepare-svg.ts');
    prepared += 1;
    return prepareSvg(bytes, options);
  }

  async function turn(
    bytes: Uint8Array,
    options: PrepareSvgOptions,
  ): Promise<{ answer: Promise<SvgMaster | undefined> | SvgMaster }> {
    await nextTurn();
    // A configuration of svgo may hold functions, which stay in their thread.
    const canBeSent = typeof options.optimize === 'boolean';
    if (canBeSent && prepared >= FIRST && turns.pendingCount >= MANY) startWorker();
    const answer = canBeSent ? helper?.(bytes, options) : undefined;
    return { answer: answer ?? (await here(bytes, options)) };
  }

  return async (bytes, options) => {
    const { answer } = await turns(turn, bytes, options);
    // A file that the worker cannot prepare is prepared again, which throws the error.
    return (await answer) ?? here(bytes, options);
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Asks the worker that is running. `undefined`: it has enough to do; a promise of that: it could not prepare the file. */
let helper:
  | ((bytes: Uint8Array, options: PrepareSvgOptions) => Promise<SvgMaster | undefined> | undefined)
  | undefined;

/** One for the process: it keeps up with all that one thread can download. False once it has failed. */
let mayStart = true;

function startWorker(): void {
  if (!mayStart) return;
  mayStart = false;
  if (availableParallelism() < 2 || !existsSync(WORKER)) return;
  let worker: Worker;
  try {
    // A small nursery is collected more often, and holds 30 MiB less.
    worker = new Worker(WORKER, { resourceLimits: { maxYoungGenerationSizeMb: 4 } });
  } catch {
    // Such as under `node --permission`.
    return;
  }
  const tasks = new Map<number, (answer: Partial<WorkerAnswer>) => void>();
  let count = 0;
  let idle: NodeJS.Timeout | undefined;
  let isOver = false;

  /** @param isBroken what it was to do is done without a worker, now and later */
  function end(isBroken: boolean): void {
    if (isOver) return;
    isOver = true;
    helper = undefined;
    mayStart = !isBroken;
    clearTimeout(idle);
    for (const settle of tasks.values()) settle({});
    void worker.terminate();
  }

  function rest(): void {
    // A process ends where nothing else is to be done.
    worker.unref();
    idle = setTimeout(end, IDLE, false).unref();
  }

  worker.unref();
  worker.on('error', () => end(true)).on('exit', () => end(true));
  worker.on('message', (message: 'ready' | WorkerAnswer) => {
    if (isOver) return;
    if (message === 'ready') helper = ask;
    else {
      tasks.get(message.at)?.(message);
      tasks.delete(message.at);
    }
    if (tasks.size === 0) rest();
  });

  function ask(
    bytes: Uint8Array,
    options: PrepareSvgOptions,
  ): Promise<SvgMaster | undefined> | undefined {
    if (tasks.size >= MOST) return undefined;
    clearTimeout(idle);
    worker.ref();
    const at = (count += 1);
    // Of a view, all that lies around it would be sent.
    const copy = new Uint8Array(bytes);
    const answer = new Promise<SvgMaster | undefined>((resolve) => {
      tasks.set(at, ({ master }) => resolve(master));
    });
    worker.postMessage({ at, bytes: copy, options } satisfies WorkerTask, [copy.buffer]);
    return answer;
  }
}
