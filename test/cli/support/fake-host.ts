import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { inject } from 'vitest';
import { type ExitCode, main } from '../../../src/cli/main.ts';
import { FOLDER } from './run-cli.ts';
import type { Host, Output } from '../../../src/cli/host.ts';

export interface FakeHost extends Host {
  out(): string;
  err(): string;
  questions: string[];
  files: Map<string, Uint8Array>;
}

export interface FakeHostOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** True: a terminal of 80 columns with colours. */
  terminal?: boolean;
  columns?: number;
  answer?: boolean;
  /** Answers to questions that want text, in order; `undefined` is the end of the input. */
  answers?: readonly (string | undefined)[];
  input?: string;
}

/** A machine in memory. */
export function createFakeHost({
  env = {},
  cwd = FOLDER,
  terminal = false,
  columns = 80,
  answer = false,
  answers = [],
  input = '',
}: FakeHostOptions = {}): FakeHost {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const output = (chunks: Buffer[]): Output => ({
    write: (chunk) => void chunks.push(Buffer.from(chunk)),
    isTerminal: terminal,
    columns: terminal ? columns : undefined,
    hasColor: terminal && env['NO_COLOR'] === undefined,
  });
  const host: FakeHost = {
    cwd,
    // No command of a test finds what another one has kept.
    env: { ICON_CATALOG_CACHE_DIR: join(inject('scratch'), randomUUID()), ...env },
    stdout: output(out),
    stderr: output(err),
    canAsk: terminal,
    questions: [],
    files: new Map(),
    out: () => Buffer.concat(out).toString('utf8'),
    err: () => Buffer.concat(err).toString('utf8'),
    confirm(question) {
      host.questions.push(question);
      return Promise.resolve(answer);
    },
    ask(question) {
      host.questions.push(question);
      const at = host.questions.length - 1;
      return Promise.resolve(at < answers.length ? answers[at] : '');
    },
    readInput: () => Promise.resolve(input),
    takePipes: () => ({ input: new PassThrough(), output: new PassThrough() }),
    exists: (path) => Promise.resolve(host.files.has(path)),
    readFile: (path) => Promise.resolve(Buffer.from(host.files.get(path) ?? []).toString('utf8')),
    importDefault: (path) => Promise.reject(new Error(`${path} is in memory`)),
    writeFile(path, bytes, { overwrite }) {
      if (host.files.has(path) && !overwrite) return Promise.resolve(false);
      host.files.set(path, bytes);
      return Promise.resolve(true);
    },
    now: () => Date.now(),
    later: () => () => undefined,
    openAddress: () => Promise.resolve(),
    interrupted: () => Promise.resolve(),
  };
  return host;
}

/** Runs a command line on a fake machine. */
export async function runOn(
  args: readonly string[],
  options?: FakeHostOptions,
): Promise<FakeHost & { code: ExitCode }> {
  const host = createFakeHost(options);
  const code = await main(args, host);
  return Object.assign(host, { code });
}
