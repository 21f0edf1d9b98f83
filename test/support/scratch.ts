import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder that all files of a run share, gone when the run is over. */
    scratch: string;
  }
}

/** Runs once, before the first file. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-run-')));
  project.provide('scratch', scratch);
  // The key of the cache lies there, and the user's own one is none of the tests' business, also where a test hands over an
  // environment of its own. npm still reads the user's settings.
  process.env['npm_config_userconfig'] ??= join(homedir(), '.npmrc');
  process.env['npm_config_cache'] ??= join(homedir(), '.npm');
  process.env['XDG_CONFIG_HOME'] = join(scratch, 'config');
  const home = join(scratch, 'home');
  await mkdir(home);
  process.env['HOME'] = home;
  process.env['USERPROFILE'] = home;
  return () => rm(scratch, { recursive: true, force: true, maxRetries: 10 });
}
