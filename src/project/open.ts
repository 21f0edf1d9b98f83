import { type Pipeline, createPipeline } from '../pipeline/pipeline.ts';
import type { Mode, ResolvedOptions } from '../options/resolve-options.ts';
import type { FetchPort, Log } from '../types.ts';
import { createLog } from '../pipeline/build-state.ts';

export interface ProjectTools {
  options: ResolvedOptions;
  pipeline: Pipeline;
}

export interface ProjectToolsInput {
  log: Log;
  fetch?: FetchPort | undefined;
  /** Called for every signed call, before it is sent; what it throws keeps the call from being sent. */
  onCall?: (() => void) | undefined;
}

/**
 * Runs a task on its own pipeline, which is closed in any case.
 * @param mode of the task: a caller that asks to change the lock is not restricted by `locked`, which is for builds. In a
 * project whose mode is `offline` every task is offline.
 */
export async function withProjectTools<Result>(
  given: ResolvedOptions,
  { mode, log, ...ports }: ProjectToolsInput & { mode: Mode },
  task: (tools: ProjectTools) => Promise<Result>,
): Promise<Result> {
  const options = { ...given, mode: given.mode === 'offline' ? given.mode : mode };
  const pipeline = createPipeline(options, { log: createLog(options.logLevel, log), ...ports });
  try {
    return await task({ options, pipeline });
  } finally {
    await pipeline.close();
  }
}
