import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { type ErrorCode, isIconCatalogError } from '../../errors.ts';
import type { LockMarks } from '../session-types.ts';
import { settled } from '../settled.ts';
import { createLooks } from './create-looks.ts';
import { devEnvironments, hotUpdateHooks } from './dev-environments.ts';
import { watchAgain } from './watch-again.ts';

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
