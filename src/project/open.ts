import { type Corridor, createCorridor, createLog } from '../pipeline/pipeline.ts';
import type { Mode, ResolvedOptions } from '../options/resolve-options.ts';
import type { FetchPort, Log } from '../types.ts';

/** What the work on a project's pins goes through. */
export interface Upkeep {
  options: ResolvedOptions;
  corridor: Corridor;
}

export interface UpkeepPorts {
  log: Log;
  fetch?: FetchPort | undefined;
}

/**
 * Runs a task on a corridor of its own, which is closed whatever happens.
 *
 * @param mode of the task: whoever asks to change the lock is not held back by a mode for builds
 */
export async function withUpkeep<Result>(
  given: ResolvedOptions,
  { mode, log, fetch }: UpkeepPorts & { mode: Mode },
  task: (upkeep: Upkeep) => Promise<Result>,
): Promise<Result> {
  const options = { ...given, mode };
  const corridor = createCorridor(options, { log: createLog(options.logLevel, log), fetch });
  try {
    return await task({ options, corridor });
  } finally {
    await corridor.close();
  }
}
