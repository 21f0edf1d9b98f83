import { access, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { type Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { ModuleReader } from '../options/file.ts';
import type { Environment } from '../types.ts';

/**
 * What the command line needs from the machine. Tests bring their own.
 */
export interface Host extends ModuleReader {
  /** Folder in which relative paths and icon sets are looked for. */
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  /** True if a question can be asked: there are both a keyboard and a terminal. */
  readonly canAsk: boolean;
  /** Asks on standard error. Anything but yes is false. @throws Cancelled for Ctrl+C */
  confirm(question: string): Promise<boolean>;
  /** Asks on standard error for a line of text. `undefined`: the input has ended. @throws Cancelled for Ctrl+C */
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

/** By codes of the file system. */
const WHY_NOT_WRITTEN: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what should be its folder is a file',
  EPERM: 'it may not be written',
  EROFS: 'the file system is read-only',
};

export function createNodeHost(): Host {
  const { env, stderr, stdin, stdout } = process;
  return {
    cwd: process.cwd(),
    env,
    stdout: createOutput(stdout),
    stderr: createOutput(stderr),
    canAsk: stdin.isTTY && stderr.isTTY,
    confirm: (question) => confirmOn(question, { input: stdin, output: stderr }),
    ask: (question) => askOn(`${question} `, { input: stdin, output: stderr }),
    async readInput() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Uint8Array);
      return Buffer.concat(chunks).toString('utf8');
    },
    takePipes() {
      const write = stdout.write.bind(stdout);
      const output = new Writable({
        write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done),
      });
      stdout.write = stderr.write.bind(stderr);
      return { input: stdin, output };
    },
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    readFile: (path) => readFile(path, 'utf8'),
    async importDefault(path, version) {
      const { importDefault } = await import('../options/import-default.ts');
      return importDefault(path, version);
    },
    async writeFile(path, bytes, { overwrite }) {
      try {
        await writeFile(path, bytes, { flag: overwrite ? 'w' : 'wx' });
        return true;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST') return false;
        const why = WHY_NOT_WRITTEN[code];
        if (why === undefined) throw error;
        throw new Error(`Cannot write ${path}: ${why}.`, { cause: error });
      }
    },
    now: () => Date.now(),
    later(milliseconds, task) {
      const timer = setTimeout(task, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    openAddress,
    interrupted: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.once(signal, () => resolve());
        }
      }),
  };
}

/** The system decides which browser it is. A machine without one has no such command. */
async function openAddress(address: string): Promise<void> {
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const { startDetached } = await import('../picker/open-editor.ts');
  await startDetached(command, [...args, address]);
}

function createOutput(stream: WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` that closes the pipe early is no failure. A full disk is one.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    if (stream !== process.stderr) process.stderr.write(`error ${error.message}\n`);
    process.exit(1);
  });
  const isTerminal = stream.isTTY;
  return {
    write: (chunk) => void stream.write(chunk),
    isTerminal,
    columns: isTerminal ? stream.columns : undefined,
    // The depth of a terminal already takes into account NO_COLOR, NODE_DISABLE_COLORS, FORCE_COLOR
    // and TERM=dumb.
    hasColor: isTerminal && stream.hasColors(),
  };
}

interface Streams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks a question that is answered in one line. Only `y` and `yes` mean yes. */
export async function confirmOn(question: string, streams: Streams): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askOn(`${question} (y/N) `, streams)) ?? '');
}

/** Ctrl+C at a question: the command ends there, and does nothing further. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

async function askOn(question: string, streams: Streams): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface(streams);
  const answer = await new Promise<string | undefined>((resolve, reject) => {
    lines.once('SIGINT', () => {
      streams.output.write('\n');
      reject(new Cancelled('Ctrl+C was pressed.'));
    });
    // Ctrl+D and the end of the input give no answer.
    lines.once('close', () => resolve(undefined));
    lines.question(question, resolve);
  }).finally(() => lines.close());
  // The line of the question has no end yet.
  if (answer === undefined) streams.output.write('\n');
  return answer?.trim();
}
