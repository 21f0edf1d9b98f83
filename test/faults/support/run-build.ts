import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Options } from '../../../src/options.ts';

const BUILD_SCRIPT = fileURLToPath(new URL('build.mjs', import.meta.url));

export interface BuildJob {
  root: string;
  options: Options;
  specifiers: readonly string[];
  /** Writes the lock after each icon, as a dev server does. */
  oneByOne?: boolean;
}

export interface BuildResult {
  /** Modules by specifier. */
  codes: Record<string, string>;
  /** `CODE: message` of what could not be loaded or written. */
  failed: string[];
  log: string[];
}

/** What to run for a build in a process of its own. */
export function buildCommand(job: BuildJob): string[] {
  return [process.execPath, BUILD_SCRIPT, JSON.stringify(job)];
}

export function startBuild(command: readonly string[]): ChildProcess {
  const [file = '', ...args] = command;
  const { PATH = '', TMPDIR = '/tmp' } = process.env;
  return spawn(file, args, { env: { PATH, TMPDIR, HOME: TMPDIR }, stdio: 'pipe' });
}

/** Standard output of a command that succeeds. */
export async function outputOf(child: ChildProcess): Promise<string> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`The build ended with ${code ?? signal}: ${stderr}`);
  return stdout;
}

/** One build in a process of its own. */
export async function runBuild(job: BuildJob): Promise<BuildResult> {
  const stdout = await outputOf(startBuild(buildCommand(job)));
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as BuildResult;
}
