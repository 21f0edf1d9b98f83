import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a script of this folder in a process of its own; what it prints is JSON. */
export async function runChild<Result>(
  script: string,
  {
    cwd,
    args = [],
    runtime = process.execPath,
  }: { cwd: string; args?: string[]; runtime?: string },
): Promise<Result> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  // Neither a shell's configuration nor the test runner's own settings may shape what is measured.
  const { PATH = '', HOME = cwd } = process.env;
  const { stdout } = await run(runtime, [file, ...args], {
    cwd,
    env: { PATH, HOME },
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Result;
}
