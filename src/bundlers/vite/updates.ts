import { readFile } from 'node:fs/promises';
import { normalize } from 'node:path';
import type { HotUpdateOptions, Plugin, ResolvedConfig, ViteDevServer } from 'vite';
import { settled } from '../../build/failures.ts';
import { isBelow } from '../../build/list-files.ts';
import { isOutdated, type Made, textOf, type Texts } from '../../build/outdated.ts';
import type { Session } from '../../build/session-interface.ts';
import { CREDITS_ID } from '../../build/session-types.ts';
import { type ErrorCode, isIconCatalogError } from '../../errors.ts';
import { sha256Hex } from '../../store/hash.ts';
import { clientEnvironment, devEnvironments, hotUpdateHooks, slashed } from './environments.ts';

const ICON = /^icon:/;
/** What no lock can fix, only the project's sources and options. */
const OF_PROJECT: readonly ErrorCode[] = [
  'SPECIFIER_INVALID',
  'OPTIONS_INVALID',
  'FRAMEWORK_MISSING',
];

/** Modules, or the file of a page: what they were made from, or why they could not be made. */
type Kept = { modules: Set<string> } & ({ texts: Texts } | { failure: ErrorCode });

interface Outdated {
  modules: readonly string[];
  isReload: boolean;
}

export interface Updates {
  plugin: Plugin;
  /**
   * Makes a module, style sheet or page, again if lock or options changed meanwhile. Fails as `make` does.
   *
   * @param side keeps environments apart
   */
  made<Outcome>(module: string, side: string, make: () => Promise<Made<Outcome>>): Promise<Outcome>;
}

/** Everything that a server made of icons, with what it was made from. */
function createMadeOfIcons(session: Session) {
  const kept = new Map<string, Kept>();
  /** Grows whenever what is made may be made from older lock or options. */
  let edition = 0;

  async function isRight(one: Kept, isReconfigured: boolean): Promise<boolean> {
    if ('texts' in one) return !(await isOutdated(one.texts, session));
    return OF_PROJECT.includes(one.failure) && !isReconfigured;
  }

  return {
    async made<Outcome>(
      module: string,
      side: string,
      make: () => Promise<Made<Outcome>>,
    ): Promise<Outcome> {
      const key = `${side} ${module}`;
      const modules = new Set([module]);
      for (;;) {
        const before = edition;
        try {
          const { outcome, parts } = await make();
          const texts: Texts = {};
          for (const part of parts) texts[part] = (await textOf(part, session)) ?? '';
          if (edition !== before) continue;
          kept.set(key, { modules, texts });
          return outcome;
        } catch (error) {
          if (edition !== before) continue;
          if (isIconCatalogError(error)) kept.set(key, { modules, failure: error.code });
          else kept.delete(key);
          throw error;
        }
      }
    },
    /** Imports lead to other icons if an alias or a default changes: only their importers show it. */
    async imported(specifier: string, importer: string): Promise<void> {
      const part = `import ${specifier}` as const;
      // What it led to first is right for its first importers.
      const before = kept.get(part);
      if (before !== undefined) return void before.modules.add(importer);
      // If options change before it is known what it leads to, the import may have failed by the older ones.
      const unknown: Kept = { modules: new Set([importer]), failure: 'SPECIFIER_INVALID' };
      kept.set(part, unknown);
      const now = edition;
      const text = (await textOf(part, session)) ?? '';
      if (text === '' || edition !== now || kept.get(part) !== unknown) return;
      kept.set(part, { modules: unknown.modules, texts: { [part]: text } });
    },
    /** What is on its way is made again. */
    restart: () => void (edition += 1),
    /** What lock and options now make differently. Each is found once, until it is made again. */
    async outdated(server: ViteDevServer, isReconfigured: boolean): Promise<Outdated> {
      edition += 1;
      const modules: string[] = [];
      let isReload = false;
      for (const [key, one] of kept) {
        const isUsed = [...one.modules].some((module) => isWanted(server, module));
        const isSame = isUsed && (await isRight(one, isReconfigured));
        if (isSame || kept.get(key) !== one) continue;
        kept.delete(key);
        modules.push(...one.modules);
        // Neither a page nor what the browser never got can be updated.
        if (isUsed && ('failure' in one || [...one.modules].some(isPage))) isReload = true;
      }
      return { modules, isReload };
    },
  };
}

/**
 * In dev servers: when the lock file, the vendor file or the project's file of options changes, all that was made is
 * compared with what it would be now, and what differs is made again.
 *
 * @param changed other options are in force
 */
export function createUpdates(session: Session, changed: () => void): Updates {
  const { config, lock } = session;
  const { made, imported, restart, outdated } = createMadeOfIcons(session);
  /** Content of the files at the last comparison. */
  const hashes = new Map<string, string>();

  /** @returns true if other options are in force. A broken file changes nothing. */
  async function readOptions(server: ViteDevServer): Promise<boolean> {
    try {
      const isChanged = await config.refresh();
      if (!isChanged) return false;
      changed();
      restart();
      return true;
    } catch (error) {
      report(server, error);
      return false;
    }
  }

  /** Options are in force at once: what is loaded while a comparison runs must not be made by older ones. */
  async function read({ server, file }: HotUpdateOptions): Promise<boolean | undefined> {
    return isOneOf(config.files, file) ? readOptions(server) : undefined;
  }

  async function compare(
    { server }: HotUpdateOptions,
    isReconfigured: boolean | undefined,
  ): Promise<Outdated> {
    if (isReconfigured === false) return { modules: [], isReload: false };
    // Before the lock is read: a change that comes in between is compared once more.
    await Promise.all(
      watched(session).map(async (each) => hashes.set(slashed(each), await hashOf(each))),
    );
    lock.refresh();
    const { modules, isReload } = await outdated(server, isReconfigured === true);
    // The list of credits changes with any icon.
    const isCredited = modules.length > 0 || isReconfigured === true;
    return { modules: isCredited ? [...modules, CREDITS_ID] : [], isReload };
  }

  const compareOnce = onceEach(read, compare);

  const plugin: Plugin = {
    name: 'unplugin-icon-catalog:updates',
    apply: 'serve',
    enforce: 'pre',
    configureServer(server) {
      // A path in a folder that is watched and that does not exist yet hides all other new files from the watcher.
      const outside = watched(session).filter((file) => !isBelow(file, server.config.root));
      if (outside.length > 0) server.watcher.add(outside);
      if (server.config.experimental.bundledDev) restartWith(server, config.files);
      watchAgain(server, {
        isOurs: (file) => isOneOf(watched(session), file),
        isUnseen: async (file) => (await hashOf(file)) !== hashes.get(slashed(normalize(file))),
      });
    },
    resolveId: {
      order: 'pre',
      filter: { id: ICON },
      handler(source, importer) {
        if (ICON.test(source) && importer !== undefined && config.files.length > 0)
          void imported(source, importer);
        return null;
      },
    },
    ...hotUpdateHooks(async (change, environment) => {
      if (!isOneOf(watched(session), change.file)) return undefined;
      const { modules, isReload } = await compareOnce(change);
      if (isReload && environment.name === 'client') environment.hot.send({ type: 'full-reload' });
      return modules;
    }),
  };
  return { plugin, made };
}

/** With `bundledDev`, Vite watches the modules itself and asks no plugin about a change. */
function restartWith(server: ViteDevServer, files: readonly string[]): void {
  server.watcher.add([...files]).on('change', (file) => {
    if (isOneOf(files, file)) void server.restart();
  });
}

function watched({ config, lock }: Session): string[] {
  return [...config.files, ...lock.files];
}

function isOneOf(files: readonly string[], file: string): boolean {
  return files.map(slashed).includes(slashed(normalize(file)));
}

/** The icons stay as they are; the terminal and the page show why. */
function report(server: ViteDevServer, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  server.config.logger.error(`[icon-catalog] ${message}`);
  clientEnvironment(server).hot.send({ type: 'error', err: { message, stack: '' } });
}

function isPage(module: string): boolean {
  return /\.html?$/.test(module);
}

/** The module of an icon stays in the graph when its last import goes. To load it again might cost a call. */
function isWanted(server: ViteDevServer, module: string): boolean {
  if (!ICON.test(module)) return true;
  return devEnvironments(server).some(
    ({ moduleGraph }) => (moduleGraph.getModuleById(module)?.importers.size ?? 0) > 0,
  );
}

/** Empty if there is no such file. */
async function hashOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? '' : sha256Hex(bytes);
}

/** Keeps Vite's watcher out of the cache if it is in the project: each file of a cold start would be an event. */
export function leaveUnwatched({ root, server }: ResolvedConfig, folder: string): void {
  if (server.watch === null || !isBelow(folder, root)) return;
  const { ignored = [] } = server.watch ?? {};
  const others = Array.isArray(ignored) ? ignored : [ignored];
  // The watcher asks for each file of the project, several times.
  const prefix = `${slashed(folder)}/`;
  const isInside = (file: string): boolean => `${slashed(file)}/`.startsWith(prefix);
  server.watch = { ...server.watch, ignored: [...others, isInside] };
}

/** As many changes as may be under way at once, by far. */
const KEPT = 64;

/** Runs both steps once a change, which Vite reports to every environment; `compare` waits for the change before. */
function onceEach<Read, Found>(
  read: (change: HotUpdateOptions) => Promise<Read>,
  compare: (change: HotUpdateOptions, read: Read) => Promise<Found>,
): (change: HotUpdateOptions) => Promise<Found> {
  const foundByTimestamp = new Map<number, Promise<Found>>();
  let last: Promise<unknown> = Promise.resolve();

  return (change) => {
    // Vite gives each change a timestamp of its own.
    const { timestamp } = change;
    const known = foundByTimestamp.get(timestamp);
    if (known !== undefined) return known;
    // A file that is being written is empty for a moment: Vite waits until it is not.
    const reading = settled(Promise.resolve(change.read())).then(() => read(change));
    const found = Promise.all([reading, last]).then(([result]) => compare(change, result));
    last = settled(found);
    foundByTimestamp.set(timestamp, found);
    const [oldest] = foundByTimestamp.keys();
    if (foundByTimestamp.size > KEPT && oldest !== undefined) foundByTimestamp.delete(oldest);
    return found;
  };
}

/** Milliseconds until a change is looked at once more: Vite's watcher drops one that comes within 50 of another. */
const AGAIN = 100;

/**
 * Repeats changes that Vite's watcher drops, for files about which that matters.
 *
 * @param ports.isOurs by the path as the watcher gives it
 * @param ports.isUnseen true if the file has other content than at the last comparison
 */
function watchAgain(
  { watcher }: Pick<ViteDevServer, 'watcher'>,
  { isOurs, isUnseen }: { isOurs(file: string): boolean; isUnseen(file: string): Promise<boolean> },
): void {
  let isEcho = false;

  function later(file: string): void {
    if (isEcho || !isOurs(file)) return;
    setTimeout(() => {
      void isUnseen(file).then((unseen) => {
        if (!unseen) return;
        isEcho = true;
        watcher.emit('change', file);
        isEcho = false;
      });
    }, AGAIN).unref();
  }

  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, later);
}
