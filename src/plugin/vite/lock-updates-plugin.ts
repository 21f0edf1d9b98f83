import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { EnvironmentModuleNode, Plugin, ViteDevServer } from 'vite';
import type { PlacedIcons } from '../placed-icons.ts';
import type { LockMarks } from '../session-types.ts';
import { createLooks } from './create-looks.ts';

const ICON = /^icon:\d/;
const CREDITS = 'icon:credits';

/** Milliseconds after a change until it is looked at once more: Vite's watcher drops one that comes within 50 of another. */
const AGAIN = 100;

export interface LockUpdates {
  plugin: Plugin;
  /** An icon was asked for; how that ends. */
  loading(id: string, loaded: unknown): void;
}

type Reason = 'changed' | 'failed';

/**
 * In dev servers: when the lock file changes, the modules, style sheets and pages of the icons about which it says
 * something else are made anew, and no others. An icon that could not be loaded is tried again.
 */
export function createLockUpdates({
  lock,
  icons,
}: {
  lock: LockMarks;
  icons: PlacedIcons;
}): LockUpdates {
  const markById = new Map<string, string>();
  /** Could not be loaded when they were asked for last. */
  const failed = new Set<string>();

  const isOfLock = (file: string): boolean =>
    lock.files.some((path) => path.replaceAll('\\', '/') === file.replaceAll('\\', '/'));

  /** True where the file says something else than what was read of it last. */
  async function isUnseen(file: string): Promise<boolean> {
    const [path = ''] = lock.files;
    if (path.replaceAll('\\', '/') !== file.replaceAll('\\', '/')) return false;
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) return false;
    return createHash('sha256').update(bytes).digest('hex') !== (await lock.hash());
  }

  async function mark(id: string): Promise<void> {
    markById.set(id, await lock.mark(id));
  }

  const findOutdated = createLooks(async ({ server }): Promise<ReadonlyMap<string, Reason>> => {
    const placed = icons.all();
    // What style sheets and pages hold was not loaded here: the lock that was read last is what they were made of.
    await Promise.all(placed.filter((id) => !markById.has(id)).map(mark));
    lock.refresh();
    const outdated = new Map<string, Reason>();
    for (const id of new Set([...idsOf(server), ...placed])) {
      const before = markById.get(id);
      if (failed.has(id)) outdated.set(id, 'failed');
      else if (before !== undefined && (await lock.isOutdated(id, before)))
        outdated.set(id, 'changed');
    }
    // Not said again before they were loaded anew.
    for (const id of outdated.keys()) {
      markById.delete(id);
      failed.delete(id);
    }
    return outdated;
  });

  const plugin: Plugin = {
    name: 'unplugin-icon-catalog:lock-updates',
    apply: 'serve',
    enforce: 'pre',
    configureServer(server) {
      const { watcher } = server;
      watcher.add([...lock.files]);
      const echoes = new Set<string>();
      watcher.on('change', (file) => {
        if (!isOfLock(file) || echoes.delete(file)) return;
        setTimeout(() => {
          void isUnseen(file).then((unseen) => {
            if (!unseen) return;
            echoes.add(file);
            watcher.emit('change', file);
          });
        }, AGAIN).unref();
      });
    },
    transform: {
      filter: { id: ICON },
      async handler(_code, id) {
        if (ICON.test(id)) await mark(id);
        return null;
      },
    },
    async hotUpdate(change) {
      if (!isOfLock(change.file)) return undefined;
      const outdated = await findOutdated(change);
      const { environment } = this;
      const holders = icons.modulesWith((id) => outdated.has(id));
      // Neither a page nor a module that the browser never got can be updated.
      const isReload =
        [...outdated.values()].includes('failed') || holders.some((name) => /\.html?$/.test(name));
      if (isReload && environment.name === 'client') environment.hot.send({ type: 'full-reload' });
      const ids = [...outdated.keys(), ...holders, ...(outdated.size > 0 ? [CREDITS] : [])];
      const affected = ids.map((id) => environment.moduleGraph.getModuleById(id));
      return [...change.modules, ...affected.filter(isThere)];
    },
  };
  return {
    plugin,
    loading(id, loaded) {
      failed.delete(id);
      void Promise.resolve(loaded).catch(() => failed.add(id));
    },
  };
}

function idsOf({ environments }: ViteDevServer): string[] {
  return Object.values(environments).flatMap(({ moduleGraph }) =>
    [...moduleGraph.idToModuleMap.keys()].filter((id) => ICON.test(id)),
  );
}

function isThere(module: EnvironmentModuleNode | undefined): module is EnvironmentModuleNode {
  return module !== undefined;
}
