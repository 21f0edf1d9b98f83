import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PrepareSvgOptions } from '../svg/prepare-svg.ts';
import type { SvgMaster } from '../types.ts';
import type { WorkerAnswer, WorkerTask } from './prepare-worker.ts';

type Prepare = (bytes: Uint8Array, options: PrepareSvgOptions) => Promise<SvgMaster>;

/** Files that wait at once where this thread falls behind its downloads. Fewer are prepared before a worker has started. */
const MANY = 16;

/** Files that a worker has to do at once; this thread prepares what comes besides. */
const MOST = 64;

/** Milliseconds until a worker without work ends: it holds some 20 MiB. */
const IDLE = 1000;

/** Beside the entries of the package. The source tree has none: there everything is prepared in one thread. */
const WORKER = fileURLToPath(new URL('../prepare-worker.js', import.meta.url));

/** Makes drawings of files: in this thread, and in a worker as well where many files wait and there is a second core. */
export function createPreparation(): Prepare {
  const pace = createPace();
  let waiting = 0;

  async function here(bytes: Uint8Array, options: PrepareSvgOptions): Promise<SvgMaster> {
    waiting += 1;
    if (waiting >= MANY && canBeSent(options)) startWorker();
    try {
      const { prepareSvg } = await import('../svg/prepare-svg.ts');
      return await pace(() => prepareSvg(bytes, options));
    } finally {
      waiting -= 1;
    }
  }

  // A file that the worker cannot prepare is prepared here again, which throws the error.
  return async (bytes, options) => (await helper?.(bytes, options)) ?? here(bytes, options);
}

/** A configuration of svgo may hold functions, which stay in their thread. */
const canBeSent = ({ optimize }: PrepareSvgOptions): boolean => typeof optimize === 'boolean';

/** Asks the worker that is running; `undefined`: it has enough to do, or could not prepare the file. */
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
    if (!canBeSent(options) || tasks.size >= MOST) return undefined;
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

/**
 * Runs pieces of work that take milliseconds one after the other, one in each pass of the event loop: answers that have come
 * in meanwhile are taken first, and the next calls are on their way while files are worked on.
 */
function createPace(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(nextTurn).then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
