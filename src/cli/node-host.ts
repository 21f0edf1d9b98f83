import { access, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { Host, Output } from './host.ts';

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
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
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

async function askOn(question: string, streams: Streams): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface(streams);
  const answer = await new Promise<string | undefined>((resolve) => {
    // Ctrl+C, Ctrl+D and the end of the input give no answer.
    lines.once('close', () => resolve(undefined));
    lines.question(question, resolve);
  });
  lines.close();
  // The line of the question has no end yet.
  if (answer === undefined) streams.output.write('\n');
  return answer?.trim();
}
