import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  // The key of the cache lies there, and the user's own one is none of the tests' business.
  process.env['XDG_CONFIG_HOME'] = join(scratch, 'config');
  return () => rm(scratch, { recursive: true, force: true, maxRetries: 3 });
}
