import { build as esbuild } from 'esbuild';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../../src/types.ts';
import { removeFolder } from '../support/temporary-folder.ts';

export interface Folder extends AsyncDisposable {
  path: string;
  join(...names: string[]): string;
}

/** A real folder that is gone after the test. */
export async function createFolder(): Promise<Folder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'icon-catalog-store-'));
  return {
    path: folder,
    join: (...names) => path.join(folder, ...names),
    [Symbol.asyncDispose]: () => removeFolder(folder),
  };
}

export function createLog(): Log & { warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, info() {}, warn: (message) => void warnings.push(message), error() {} };
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Bundles TypeScript that a plain Node can run as a process of its own; imports start in `src/store/`. */
export async function buildProcess(file: string, source: string): Promise<void> {
  await esbuild({
    stdin: {
      contents: source,
      loader: 'ts',
      resolveDir: path.join(import.meta.dirname, '../../src/store'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: file,
    logLevel: 'error',
  });
}

/** Resolves to the exit code, or to the signal that ended the process. */
export async function exitOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}
