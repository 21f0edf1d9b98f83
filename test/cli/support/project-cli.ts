import { access, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { type ExitCode, main } from '../../../src/cli/main.ts';
import { createFakeHost, type FakeHost, type FakeHostOptions } from './fake-host.ts';

export interface ProjectRun {
  code: ExitCode;
  out: string;
  err: string;
  /** What `--json` wrote. */
  json: unknown;
  questions: string[];
}

/** Runs a command in this process, in a folder of this machine. */
export async function runInProject(
  root: string,
  args: readonly string[],
  options: Omit<FakeHostOptions, 'cwd' | 'input'> = {},
): Promise<ProjectRun> {
  const fake: FakeHost = createFakeHost({ ...options, cwd: root });
  const host: FakeHost = {
    ...fake,
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    readFile: (path) => readFile(path, 'utf8'),
    importDefault: async (path) =>
      ((await import(/* @vite-ignore */ pathToFileURL(path).href)) as { default?: unknown })
        .default,
    async writeFile(path, bytes) {
      await writeFile(path, bytes);
      return true;
    },
  };
  const code = await main(args, host);
  const out = fake.out();
  const json: unknown = args.includes('--json') && out !== '' ? JSON.parse(out) : undefined;
  return { code, out, err: fake.err(), json, questions: fake.questions };
}
