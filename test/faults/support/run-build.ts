import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as later } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Options } from '../../../src/options/options.ts';

export const BUILD_SCRIPT: string = fileURLToPath(new URL('build.mjs', import.meta.url));

export interface BuildJob {
  root: string;
  options: Options;
  specifiers: readonly string[];
  /** Says `ready` when it is loaded, and begins when something arrives on standard input. */
  waits?: boolean;
  /** Writes the lock after each icon, as a dev server does, and says which icons are in it. */
  oneByOne?: boolean;
}

export interface BuildResult {
  /** Modules by specifier. */
  codes: Record<string, string>;
  /** `CODE: message` of what could not be loaded or written. */
  failed: string[];
  log: string[];
}

/** What to run for a build in a process of its own: a script of `bundleBuild` starts in a third of the time. */
export function buildCommand(job: BuildJob, script: string = BUILD_SCRIPT): string[] {
  return [process.execPath, script, JSON.stringify(job)];
}

/** @param user without a home folder, in place of this one */
export function startBuild(
  command: readonly string[],
  user?: { uid?: number; gid?: number },
): ChildProcess {
  const [file = '', ...args] = command;
  const { PATH = '', TMPDIR = '/tmp', XDG_CONFIG_HOME = '' } = process.env;
  const env = { PATH, TMPDIR, HOME: TMPDIR, XDG_CONFIG_HOME };
  if (user === undefined) return spawn(file, args, { env, stdio: 'pipe' });
  return spawn(file, args, { env: { PATH, TMPDIR }, stdio: 'pipe', ...user });
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
export async function runBuild(job: BuildJob, script: string): Promise<BuildResult> {
  const stdout = await outputOf(startBuild(buildCommand(job, script)));
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as BuildResult;
}

export interface WaitingBuild {
  /** Lets it begin and kills it after so many milliseconds; resolves to what it has said when it is gone. */
  killAfter(milliseconds: number): Promise<string>;
  /** Lets it begin, and resolves to the milliseconds that it took. */
  finish(): Promise<number>;
}

/** A build that is loaded and waits. */
export async function waitingBuild(job: BuildJob, script: string): Promise<WaitingBuild> {
  const child = startBuild(buildCommand({ ...job, waits: true }, script));
  let said = '';
  child.stdout?.on('data', (chunk) => (said += String(chunk)));
  const gone = once(child, 'close');
  await Promise.race([once(child.stdout!, 'data'), gone]);
  const go = (): void => void child.stdin?.end('go');
  return {
    async killAfter(milliseconds) {
      go();
      await Promise.race([later(milliseconds), gone]);
      child.kill('SIGKILL');
      await gone;
      return said;
    },
    async finish() {
      const startedAt = performance.now();
      go();
      await gone;
      return performance.now() - startedAt;
    },
  };
}
