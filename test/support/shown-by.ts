import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/**
 * What a built script leaves in `globalThis.shown`, as JSON has it. The script runs in a process of its own: output of some
 * bundlers defines globals, such as a `require` that knows no packages.
 */
export async function shownBy(script: string): Promise<unknown> {
  const code = `await import(process.argv[1]); console.log(JSON.stringify(await globalThis.shown));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code, pathToFileURL(script).href],
    { maxBuffer: 100 * 1024 ** 2 },
  );
  return JSON.parse(stdout) as unknown;
}
