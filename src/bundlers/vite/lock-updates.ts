import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { HotUpdateOptions, Plugin, ViteDevServer } from 'vite';
import { settled } from '../../build/failures.ts';
import type { LockMarks } from '../../build/session-types.ts';
import { type ErrorCode, isIconCatalogError } from '../../errors.ts';
import { devEnvironments, hotUpdateHooks } from './environments.ts';

const CREDITS = 'icon:credits';
/** What no lock mends. */
const OF_PROJECT: readonly ErrorCode[] = [
  'SPECIFIER_INVALID',
  'OPTIONS_INVALID',
  'FRAMEWORK_MISSING',
];

/** What holds icons: the module of one, a style sheet, a page. */
export interface Holder {
  /** Its id, or the file of a page. */
  module: string;
  /** Keeps environments apart. */
  side: string;
}

/** What a changed lock makes wrong. */
export interface Outdated {
  modules: readonly string[];
  /** Neither a page nor a module that the browser never got can be updated. */
  isReload: boolean;
}

export interface LockUpdates {
  plugin: Plugin;
  /**
   * What holds icons, made of one lock: made again where another one was read meanwhile. Fails as `make` does.
   * @param icons of the outcome, by their ids
   */
  made<Made>(
    holder: Holder,
    make: () => Promise<Made>,
    icons: (made: Made) => readonly string[],
  ): Promise<Made>;
  /** Reads the lock, and says each thing once. */
  find(server: ViteDevServer): Promise<Outdated>;
}

/**
 * In dev servers: when the lock file changes, the modules, style sheets and pages of the icons about which it says
 * something else are made anew, and no others. What could not be made is tried again.
 */
export function createLockUpdates(lock: LockMarks): LockUpdates {
  const marksByHolder = new Map<string, { module: string; marks: Map<string, string> }>();
  /** Modules that could not be made when they were asked for last, by holder. */
  const failed = new Map<string, string>();
  const lookedAt = new Map<string, string>();
  let finding: Promise<unknown> = Promise.resolve();

  const isOfLock = (file: string): boolean => lock.files.map(slashed).includes(slashed(file));

  async function made<Made>(
    { module, side }: Holder,
    make: () => Promise<Made>,
    icons: (made: Made) => readonly string[],
  ): Promise<Made> {
    const key = `${side} ${module}`;
    for (;;) {
      const edition = lock.edition();
      try {
        const outcome = await make();
        const marks = new Map<string, string>();
        for (const id of icons(outcome)) marks.set(id, await lock.mark(id));
        if (lock.edition() !== edition) continue;
        marksByHolder.set(key, { module, marks });
        failed.delete(key);
        return outcome;
      } catch (error) {
        if (lock.edition() !== edition) continue;
        const isOurs = isIconCatalogError(error) && !OF_PROJECT.includes(error.code);
        if (isOurs) failed.set(key, module);
        else failed.delete(key);
        throw error;
      }
    }
  }

  async function look(server: ViteDevServer): Promise<Outdated> {
    // Before it is read: what comes between is looked at once more.
    for (const file of lock.files) lookedAt.set(slashed(file), await hashOf(file));
    lock.refresh();
    const again = [...failed.values()].filter((module) => isWanted(server, module));
    failed.clear();
    const modules = new Set(again);
    for (const [key, { module, marks }] of marksByHolder) {
      for (const [id, mark] of marks) {
        if (!(await lock.isOutdated(id, mark))) continue;
        modules.add(module);
        // Not said again before it was made anew.
        if (marksByHolder.get(key)?.marks === marks) marksByHolder.delete(key);
        break;
      }
    }
    return { modules: [...modules], isReload: again.length > 0 || [...modules].some(isPage) };
  }

  function find(server: ViteDevServer): Promise<Outdated> {
    const found = finding.then(() => look(server));
    finding = settled(found);
    return found;
  }

  const findOnce = createLooks(({ server }) => find(server));

  const plugin: Plugin = {
    name: 'unplugin-icon-catalog:lock-updates',
    apply: 'serve',
    enforce: 'pre',
    configureServer(server) {
      // A path in a folder that is watched and that is not there yet takes the word of all other new files away.
      const files = lock.files.filter((file) => !isBelow(server.config.root, file));
      if (files.length > 0) server.watcher.add(files);
      watchAgain(server, {
        isOurs: isOfLock,
        isUnseen: async (file) => (await hashOf(file)) !== lookedAt.get(slashed(file)),
      });
    },
    ...hotUpdateHooks(async (change, environment) => {
      if (!isOfLock(change.file)) return undefined;
      const { modules, isReload } = await findOnce(change);
      if (isReload && environment.name === 'client') environment.hot.send({ type: 'full-reload' });
      return withCredits(modules);
    }),
  };
  return { plugin, made, find };
}

/** The list of credits changes with any icon. */
export function withCredits(modules: readonly string[]): readonly string[] {
  return modules.length > 0 ? [...modules, CREDITS] : modules;
}

function isPage(module: string): boolean {
  return /\.html?$/.test(module);
}

/** A module of an icon stays in the graph when its last import goes. */
function isWanted(server: ViteDevServer, module: string): boolean {
  if (!module.startsWith('icon:')) return true;
  return devEnvironments(server).some(
    ({ moduleGraph }) => (moduleGraph.getModuleById(module)?.importers.size ?? 0) > 0,
  );
}

/** Empty where there is none. */
async function hashOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex');
}

function isBelow(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !path.startsWith('..') && !isAbsolute(path);
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** As many changes as may be under way at once, by far. */
const KEPT = 64;

/**
 * Looks at one change after the other, so that what was found at one is not found again at the next, and at each once,
 * although every environment hears of it.
 *
 * @param look is awaited before the next one
 */
export function createLooks<Found>(
  look: (change: HotUpdateOptions) => Promise<Found>,
): (change: HotUpdateOptions) => Promise<Found> {
  const foundByTimestamp = new Map<number, Promise<Found>>();
  let looking: Promise<unknown> = Promise.resolve();

  async function next(change: HotUpdateOptions): Promise<Found> {
    // A file that is being written is empty for a moment: Vite waits until it is not.
    await settled(Promise.resolve(change.read()));
    return look(change);
  }

  return (change) => {
    // Vite gives each change a timestamp of its own.
    const { timestamp } = change;
    const known = foundByTimestamp.get(timestamp);
    if (known !== undefined) return known;
    const found = looking.then(() => next(change));
    looking = settled(found);
    foundByTimestamp.set(timestamp, found);
    const [oldest] = foundByTimestamp.keys();
    if (foundByTimestamp.size > KEPT && oldest !== undefined) foundByTimestamp.delete(oldest);
    return found;
  };
}

/** Milliseconds after a change until it is looked at once more: Vite's watcher drops one that comes within 50 of another. */
const AGAIN = 100;

/**
 * Has Vite told of changes that its watcher drops, of files about which that matters.
 *
 * @param ports.isOurs by the path as the watcher says it
 * @param ports.isUnseen true where the file says something else than at the last look
 */
export function watchAgain(
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
