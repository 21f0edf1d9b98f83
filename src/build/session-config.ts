import { findOptionsFile, optionsPaths } from '../options/file.ts';
import type { Options } from '../options/options.ts';
import { GENERATOR } from '../version.ts';
import { withoutFrames } from './failures.ts';
import { sha256Hex } from '../store/hash.ts';

/** Options in force, and where they come from: what the plugin was given, or the project's own file where that is nothing. */
export interface SessionConfig {
  readonly options: Options;
  /** Files to watch, absolute; they need not exist. None where the plugin was given options. */
  readonly files: readonly string[];
  /**
   * Reads the project's file if it has changed. To be awaited between `configure` and the first import, and before
   * each further build. A broken file changes nothing: the options before stay in force. If there were none, every import
   * fails.
   *
   * @returns true if other options are in force than before
   * @throws IconCatalogError OPTIONS_INVALID, which names the file
   */
  refresh(): Promise<boolean>;
  /** @throws IconCatalogError OPTIONS_INVALID where the project's file never could be read */
  check(): void;
}

const NONE: Options = {};
/** What stands for options that never could be read: nothing is fetched, pinned or written by mistake. */
const UNREADABLE: Options = { mode: 'offline', attribution: false };

/**
 * @param given what the plugin was called with
 * @param ports.root of the project, absolute
 * @param ports.check throws OPTIONS_INVALID for options that cannot be in force here
 * @param ports.changed other options are in force from here on
 * @param ports.usual what holds where the project's file says nothing
 */
export function createSessionConfig(
  given: Options | undefined,
  {
    root,
    check,
    changed,
    usual = NONE,
  }: {
    root: () => string;
    check: (options: Options) => void;
    changed: () => Promise<void>;
    usual?: Options;
  },
): SessionConfig {
  if (given !== undefined)
    return { options: given, files: [], refresh: () => Promise.resolve(false), check() {} };

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
 * Catalog and credentials are left out: which file an icon is and where its credit leads is the lock's to say, and module
 * ids that hold the fingerprint are the same on machines that have no catalog.
 */
export function fingerprintOf(options: Options): string {
  const { svg, aliases, framework, defaults, licenses, attribution } = options;
  return fingerprint([svg, aliases, framework, defaults, licenses, attribution]);
}

/** Hash of this version and of values, of which functions count by their text. */
export function fingerprint(shaping: readonly unknown[]): string {
  const text = JSON.stringify([GENERATOR.version, shaping], (_, value: unknown) =>
    typeof value === 'function' ? String(value) : sorted(value),
  );
  return sha256Hex(text).slice(0, 16);
}

/** Bundlers make names of module ids: options in another order must not change them. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
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
