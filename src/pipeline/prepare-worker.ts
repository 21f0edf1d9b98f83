import { parentPort } from 'node:worker_threads';
import { loadSvgo, prepareSvg, type PrepareSvgOptions } from '../svg/prepare-svg.ts';
import type { SvgMaster } from '../types.ts';

/** A file to be prepared by the worker. */
export interface WorkerTask {
  at: number;
  bytes: Uint8Array;
  options: PrepareSvgOptions;
}

/** Without a master the file could not be prepared. */
export interface WorkerAnswer {
  at: number;
  master?: SvgMaster;
}

// The entry of a thread of its own: `createPreparation` starts it.
parentPort?.on('message', ({ at, bytes, options }: WorkerTask) => {
  prepareSvg(bytes, options).then(
    (master) => parentPort?.postMessage({ at, master } satisfies WorkerAnswer),
    () => parentPort?.postMessage({ at } satisfies WorkerAnswer),
  );
});
void loadSvgo().then(() => parentPort?.postMessage('ready'));
