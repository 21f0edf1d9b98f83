import { type Pipeline, createPipeline, createLog } from '../pipeline/pipeline.ts';
import type { Mode, ResolvedOptions } from '../options/resolve-options.ts';
import type { FetchPort, Log } from '../types.ts';

/** What the work on a project's pins goes through. */
export interface ProjectTools {
  options: ResolvedOptions;
  pipeline: Pipeline;
}

export interface ProjectToolsInput {
  log: Log;
  fetch?: FetchPort | undefined;
}

/**
 * Runs a task on a corridor of its own, which is closed whatever happens.
 *
 * @param mode of the task: whoever asks to change the lock is not held back by a mode for builds
 */
export async function withProjectTools<Result>(
  given: ResolvedOptions,
  { mode, log, fetch }: ProjectToolsInput & { mode: Mode },
  task: (tools: ProjectTools) => Promise<Result>,
): Promise<Result> {
  const options = { ...given, mode };
  const pipeline = createPipeline(options, { log: createLog(options.logLevel, log), fetch });
  try {
    return await task({ options, pipeline });
  } finally {
    await pipeline.close();
  }
}
