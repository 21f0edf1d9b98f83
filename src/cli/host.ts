import type { Readable, Writable } from 'node:stream';
import type { ModuleReader } from '../options/file.ts';
import type { Environment } from '../types.ts';

/**
 * What the command line needs from the machine. `node-host.ts` has the real one, tests bring their
 * own.
 */
export interface Host extends ModuleReader {
  /** Folder in which relative paths and icon sets are looked for. */
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True if a question can be asked: there are both a keyboard and a terminal. */
  readonly canAsk: boolean;
  /** Asks on standard error. Anything but yes is false. */
  confirm(question: string): Promise<boolean>;
  /** Asks on standard error for a line of text. `undefined`: the user has left, by Ctrl+C or at the end of the input. */
  ask(question: string): Promise<string | undefined>;
  readInput(): Promise<string>;
  /**
   * Standard input and output for a protocol. From then on, what anything else in this process writes to standard output
   * goes to standard error.
   */
  takePipes(): { input: Readable; output: Writable };
  exists(path: string): Promise<boolean>;
  /** @param version another one than before: the module is run again */
  importDefault(path: string, version?: string): Promise<unknown>;
  /** Writes a new file. False if the file exists and `overwrite` is not set. */
  writeFile(path: string, bytes: Uint8Array, options: { overwrite: boolean }): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a task after some milliseconds, unless it is cancelled or the process ends first. */
  later(milliseconds: number, task: () => void): () => void;
  /** Opens an address in the user's browser; nothing happens if there is none. */
  openAddress(address: string): Promise<void>;
  /** Resolves when the process is asked to end (SIGINT, SIGTERM). */
  interrupted(): Promise<void>;
}

export interface Output {
  write(chunk: string | Uint8Array): void;
  readonly isTerminal: boolean;
  /** The width of the terminal in columns; `undefined` if there is none. */
  readonly columns: number | undefined;
  /** False if `NO_COLOR` is set or the output shows no colours. */
  readonly hasColor: boolean;
}
