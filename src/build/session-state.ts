import type { Options } from '../options/options.ts';
import { type ResolvedOptions, resolveOptions } from '../options/resolve-options.ts';
import { type Pipeline, createPipeline, createLog } from '../pipeline/pipeline.ts';
import { createRequestParser } from '../request/parse-request.ts';
import type { FetchPort, Log } from '../types.ts';
import { withoutFrames } from './failures.ts';
import type { MissingIcon } from './load.ts';
import {
  createSpriteExchange,
  type FoundUsage,
  type SessionHost,
  type SpriteExchange,
} from './session-types.ts';
import { sha256Hex } from '../store/hash.ts';

export interface SessionState {
  resolved: ResolvedOptions;
  log: Log;
  shared: PooledPipeline;
  parse: ReturnType<typeof createRequestParser>;
  /** An import that says nothing but its id asks for the usual variant. */
  isUsual: boolean;
}

/** @throws IconCatalogError OPTIONS_INVALID */
export function createSessionState(options: Options, host: SessionHost): SessionState {
  const resolved = resolveHere(options, host);
  const log = createLog(resolved.logLevel, host.log);
  const shared = acquirePipeline(resolved, { log, fetch: host.fetch });
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

interface PooledPipeline {
  readonly pipeline: Pipeline;
  /** What workers and other bundles within this build ship. */
  readonly contributed: FoundUsage[];
  /** Kept longer than the pipeline: client and server builds may follow each other. */
  readonly sprites: SpriteExchange;
  /** Icons that are missing in any bundle of this build, by canonical id. */
  readonly missing: Map<string, MissingIcon>;
  /** A build of this holder begins. Budget and counters are reset unless another holder is in the middle of a build. */
  begin(): void;
  /** The counts of signed calls at `begin` and now. They start again with `round`; holders that build side by side share both. */
  calls(): { round: object; from: number; to: number };
  /** The build of this holder is over; the pipeline stays for the next one. */
  end(): void;
  /** No further builds. The last one to go closes the sockets. */
  release(): Promise<void>;
}

interface Entry {
  pipeline: Pipeline;
  contributed: FoundUsage[];
  missing: Map<string, MissingIcon>;
  holders: number;
  building: number;
  round: object;
}

/**
 * Vite makes a plugin instance for each environment and each worker, frameworks run client and server builds side by
 * side: all with equal options share one pipeline, so that an icon is fetched once and `concurrency` and `budget` hold
 * for the whole process. Keyed by a hash, as options hold a secret.
 */
const pipelines = new Map<string, Entry>();
const exchanges = new Map<string, SpriteExchange>();

function acquirePipeline(
  options: ResolvedOptions,
  { log, fetch }: { log: Log; fetch?: FetchPort | undefined },
): PooledPipeline {
  const key = keyOf(options, fetch);
  const entry = pipelines.get(key) ?? {
    pipeline: createPipeline(options, { log, fetch }),
    contributed: [],
    missing: new Map(),
    holders: 0,
    building: 0,
    round: {},
  };
  pipelines.set(key, entry);
  entry.holders += 1;
  const { pipeline, contributed, missing } = entry;
  const sprites = exchanges.get(key) ?? createSpriteExchange();
  exchanges.set(key, sprites);
  let building = false;
  let released = false;
  let callsBefore = 0;

  function end(): void {
    if (building) entry.building -= 1;
    building = false;
  }

  return {
    pipeline,
    contributed,
    sprites,
    missing,
    begin() {
      end();
      if (entry.building === 0) {
        pipeline.connection.resetBuild();
        entry.round = {};
        pipeline.build.reset();
        pipeline.begin();
        contributed.length = 0;
        missing.clear();
      }
      building = true;
      entry.building += 1;
      callsBefore = pipeline.connection.calls();
    },
    calls: () => ({ round: entry.round, from: callsBefore, to: pipeline.connection.calls() }),
    end,
    async release() {
      if (released) return;
      released = true;
      end();
      entry.holders -= 1;
      if (entry.holders > 0) return;
      if (pipelines.get(key) === entry) pipelines.delete(key);
      // A dev server has no end of a build: what it pinned is written when it closes at the latest.
      try {
        await pipeline.flush();
      } finally {
        await pipeline.close();
      }
    },
  };
}

const functionIds = new WeakMap<object, number>();
let nextFunctionId = 0;

function keyOf(options: ResolvedOptions, fetch: FetchPort | undefined): string {
  const text = JSON.stringify([options, fetch], (_, value: unknown) => {
    if (typeof value !== 'function' && !isStorage(value)) return value;
    const id = functionIds.get(value) ?? (nextFunctionId += 1);
    functionIds.set(value, id);
    return `function ${id}`;
  });
  return sha256Hex(text);
}

/** Two storages may look the same and lead to different places. */
function isStorage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'getItem' in value;
}
