import { resolve as toPath } from 'node:path';
import { findOptionsFile, optionsPaths, rootWithOptions } from '../options/file.ts';
import type { Options } from '../options/options.ts';
import { type ResolvedOptions, resolveOptions } from '../options/resolve-options.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import { createRequestParser } from '../request/parse-request.ts';
import { sha256Hex } from '../store/hash.ts';
import type { FetchPort, IconRequest, Log } from '../types.ts';
import { type MissingIcon, settled, withoutFrames } from './failures.ts';
import type { FoundUsage, SessionHost } from './session-types.ts';
import { createLog } from '../pipeline/build-state.ts';
import { createSpriteExchange, type SpriteExchange } from './sprites.ts';
import type { SessionConfig } from './session-interface.ts';

export interface SessionState {
  resolved: ResolvedOptions;
  log: Log;
  shared: PooledPipeline;
  parse: ReturnType<typeof createRequestParser>;
  /** An import that says nothing but its id asks for the usual variant. */
  isUsual: boolean;
}

/** @throws IconCatalogError OPTIONS_INVALID */
function createSessionState(options: Options, host: SessionHost): SessionState {
  const resolved = resolveHere(options, host);
  const log = createLog(resolved.logLevel, host.log);
  const shared = acquirePipeline(resolved, log, host);
  const isUsual = resolved.framework === undefined && Object.keys(resolved.defaults).length === 0;
  return { resolved, log, shared, parse: createRequestParser(resolved), isUsual };
}

/** @throws IconCatalogError OPTIONS_INVALID */
function resolveHere(
  options: Options,
  { root = process.cwd(), env = process.env }: SessionHost,
): ResolvedOptions {
  try {
    return resolveOptions(options, { root, env });
  } catch (error) {
    throw withoutFrames(error);
  }
}

interface PooledPipeline extends Pick<Entry, 'pipeline' | 'contributed' | 'missing'> {
  /** Kept longer than the pipeline: client and server builds may follow each other. */
  readonly sprites: SpriteExchange;
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
  readonly pipeline: Pipeline;
  /** What workers and other bundles within this build ship. */
  readonly contributed: FoundUsage[];
  /** Icons that are missing in any bundle of this build, by canonical id. */
  readonly missing: Map<string, MissingIcon>;
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
  log: Log,
  { fetch, mayCall }: SessionHost,
): PooledPipeline {
  const key = keyOf(options, fetch);
  const entry = pipelines.get(key) ?? {
    pipeline: createPipeline(options, { log, fetch, mayCall }),
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

/** What stands for options that never could be read: nothing is fetched, pinned or written by mistake. */
const UNREADABLE: Options = { mode: 'offline', attribution: false };

/** Whether a plugin reads the file of the project. */
function isWithoutOptions(given: Options | undefined): boolean {
  return given === undefined || Object.keys(given).length === 0;
}

/**
 * @param given what the plugin was called with: without options, or with an empty object, it reads the file of the project
 * @param ports.root of the project, absolute
 * @param ports.check throws OPTIONS_INVALID for options that cannot be in force here
 * @param ports.changed other options are in force from here on
 * @param ports.usual what holds where the project's file says nothing
 */
function createSessionConfig(
  given: Options | undefined,
  {
    root,
    check,
    changed,
    usual,
  }: {
    root: () => string;
    check: (options: Options) => void;
    changed: () => Promise<void>;
    usual: Options;
  },
): SessionConfig {
  if (!isWithoutOptions(given))
    return { options: given ?? {}, files: [], refresh: () => Promise.resolve(false), check() {} };

  let options = usual;
  let path: string | undefined;
  /** Of the file that the options are from; empty: there is none. */
  let version: string | undefined;
  let failed: { version: string; error: unknown } | undefined;
  let reading: Promise<boolean> | undefined;

  async function put(next: Options): Promise<boolean> {
    if (next === options) return false;
    options = next;
    await changed();
    return true;
  }

  async function read(): Promise<boolean> {
    const file = await findOptionsFile(root());
    ({ path } = file ?? {});
    const found = file?.version ?? '';
    if (failed?.version === found) throw failed.error;
    failed = undefined;
    if (found === version) return false;
    let next: Options | undefined = usual;
    try {
      if (file !== undefined) next = { ...usual, ...(await file.load(check)) };
    } catch (error) {
      failed = { version: found, error: withoutFrames(error) };
      if (version === undefined) await put(UNREADABLE);
      throw failed.error;
    }
    if (next === undefined) return read();
    version = found;
    return put(next);
  }

  return {
    get options() {
      return options;
    },
    get files() {
      return path === undefined ? optionsPaths(root()) : [path];
    },
    // Builds of several environments begin at once.
    refresh: () =>
      (reading ??= read().finally(() => {
        reading = undefined;
      })),
    check() {
      if (version === undefined && failed !== undefined) throw failed.error;
    },
  };
}

/**
 * What a plugin object shows of itself besides its hooks, so that the command line finds the options of a project. They
 * may hold a secret and are not enumerable: bundlers print their configuration with all plugins in it.
 */
export interface PluginApi {
  api: { name: 'unplugin-icon-catalog'; readonly options: Options };
}

export function pluginApi(options: Options = {}): PluginApi {
  const api = { name: 'unplugin-icon-catalog', options } as const;
  return { api: Object.defineProperty(api, 'options', { enumerable: false }) };
}

/** Options and host, and what is made of them on first use. */
export interface SessionBase {
  config: SessionConfig;
  /** Everything that needs the host, made on first use and again after `configure`. */
  ready(): SessionState;
  /** @throws IconCatalogError OPTIONS_INVALID, SPECIFIER_INVALID, FRAMEWORK_MISSING */
  parse(specifier: string, importer: string | undefined): IconRequest;
  configure(next: SessionHost): string;
  release(): Promise<void>;
}

export function createBase(given: Options | undefined, usual: Options): SessionBase {
  let host: SessionHost = {};
  let state: SessionState | undefined;
  async function release(): Promise<void> {
    const before = state;
    state = undefined;
    await before?.shared.release();
  }
  const config = createSessionConfig(given, {
    usual,
    root: () => toPath(host.root ?? ''),
    check: (options) => void resolveHere(options, host),
    changed: () => settled(release()),
  });
  const ready = (): SessionState => (state ??= createSessionState(config.options, host));
  return {
    config,
    ready,
    parse(specifier, importer) {
      try {
        config.check();
        return ready().parse(specifier, importer);
      } catch (error) {
        throw withoutFrames(error);
      }
    },
    configure(next) {
      host = { ...host, ...next };
      const root = toPath(host.root ?? '');
      host.root = isWithoutOptions(given) ? rootWithOptions(root) : root;
      void settled(release());
      return host.root;
    },
    release,
  };
}
