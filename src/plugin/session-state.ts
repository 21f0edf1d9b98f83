import { createLog } from '../corridor/create-log.ts';
import { createRequestParser } from '../corridor/create-request-parser.ts';
import type { Options } from '../options.ts';
import { resolveOptions, type ResolvedOptions } from '../resolve-options.ts';
import type { Log } from '../types.ts';
import type { SessionHost } from './session-types.ts';
import { acquireCorridor, type SharedCorridor } from './shared-corridor.ts';
import { withoutFrames } from './without-frames.ts';

export interface SessionState {
  resolved: ResolvedOptions;
  log: Log;
  shared: SharedCorridor;
  parse: ReturnType<typeof createRequestParser>;
  /** An import that says nothing but its id asks for the usual variant. */
  isUsual: boolean;
}

/** @throws IconCatalogError OPTIONS_INVALID */
export function createSessionState(options: Options, host: SessionHost): SessionState {
  const resolved = resolveHere(options, host);
  const log = createLog(resolved.logLevel, host.log);
  const shared = acquireCorridor(resolved, { log, fetch: host.fetch });
  const isUsual = resolved.framework === undefined && Object.keys(resolved.defaults).length === 0;
  return { resolved, log, shared, parse: createRequestParser(resolved), isUsual };
}

/** @throws IconCatalogError OPTIONS_INVALID */
export function resolveHere(
  options: Options,
  { root = process.cwd(), env = process.env }: SessionHost,
): ResolvedOptions {
  try {
    return resolveOptions(options, { root, env });
  } catch (error) {
    throw withoutFrames(error);
  }
}
