import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built command line. */
export const CLI: string = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
/** A package without a configuration, below the one that has icon sets installed. */
export const FOLDER: string = fileURLToPath(new URL('project', import.meta.url));

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  /** Added to an environment that names no catalog and no terminal. */
  env?: Record<string, string>;
  /** @default FOLDER */
  cwd?: string;
  input?: string;
}

export function startCli(
  args: readonly string[],
  { env = {}, cwd = FOLDER, input }: CliOptions = {},
): ChildProcess {
  const { PATH = '', HOME = '', XDG_CONFIG_HOME = '' } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH, HOME, XDG_CONFIG_HOME, ...env },
  });
  child.stdin.end(input ?? '');
  return child;
}

/** Runs the built command line to its end. */
export async function runCli(args: readonly string[], options?: CliOptions): Promise<CliRun> {
  const child = startCli(args, options);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The command has no pipes.');
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, reported, code] = await Promise.all([text(stdout), text(stderr), ended]);
  return { code, stdout: out, stderr: reported };
}
