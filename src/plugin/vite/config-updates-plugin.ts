import { normalize } from 'node:path';
import type { EnvironmentModuleNode, Plugin, ViteDevServer } from 'vite';
import { CREDITS_ID, type Session } from '../session-types.ts';
import { createLooks } from './create-looks.ts';

const ICON = /^icon:/;

/** Milliseconds after a change until it is looked at once more: Vite's watcher drops one that comes within 50 of another. */
const AGAIN = 100;

/** What references stand for, by how they are spelled. */
interface Meaning {
  /** Of each import: id and shape of its module; empty where it is wrong. */
  imports: Map<string, string>;
  /** Of each icon of a style sheet. */
  images: Map<string, string>;
}

export interface ConfigUpdates {
  plugin: Plugin;
  /** A style sheet, or a style block, holds these icons. */
  styled(module: string, specifiers: readonly string[]): void;
}

/**
 * In dev servers, where the plugin was given no options: when the project's file of options changes, those modules and
 * style sheets are made anew whose icons are others by now, or are drawn otherwise.
 *
 * @param ports.session of the server
 * @param ports.changed other options are in force
 * @param ports.pages files of those pages that hold icons: they are loaded again
 */
export function createConfigUpdates({
  session,
  changed,
  pages,
}: {
  session: Pick<Session, 'config' | 'shapes' | 'resolve'>;
  changed(): void;
  pages(): readonly string[];
}): ConfigUpdates {
  const { config, shapes } = session;
  const importersBySpecifier = new Map<string, Set<string>>();
  const imagesByModule = new Map<string, readonly string[]>();

  function idOf(specifier: string): string {
    try {
      return session.resolve(specifier);
    } catch {
      return '';
    }
  }

  function meaning(): Meaning {
    const imports = [...importersBySpecifier.keys()].map((specifier): [string, string] => {
      const id = idOf(specifier);
      return [specifier, id === '' ? '' : `${id} ${shapes.of(id)}`];
    });
    const images = [...imagesByModule.values()]
      .flat()
      .map((specifier): [string, string] => [specifier, shapes.ofImage(specifier)]);
    return { imports: new Map(imports), images: new Map(images) };
  }

  const update = createLooks(async ({ server }): Promise<Update> => {
    const before = meaning();
    try {
      if (!(await config.refresh())) return NOTHING;
    } catch (error) {
      tell(server, error);
      return NOTHING;
    }
    changed();
    const after = meaning();
    const isOther = (kind: keyof Meaning, specifier: string): boolean =>
      before[kind].get(specifier) !== after[kind].get(specifier);
    const others = [...importersBySpecifier].filter(([specifier]) => isOther('imports', specifier));
    const styles = [...imagesByModule].filter(([, all]) =>
      all.some((one) => isOther('images', one)),
    );
    const ids = [
      ...others.flatMap(([specifier, importers]) => {
        const id = idOf(specifier);
        // The same icon drawn otherwise; of another one the importers alone know.
        const isSame = before.imports.get(specifier)?.startsWith(`${id} `) === true;
        return isSame ? [id] : [...importers];
      }),
      ...styles.map(([module]) => module),
      CREDITS_ID,
    ];
    // The browser never got a module whose import led nowhere.
    const isReload = pages().length > 0 || others.some(([name]) => before.imports.get(name) === '');
    return { ids, isReload };
  });

  const plugin: Plugin = {
    name: 'unplugin-icon-catalog:config-updates',
    apply: 'serve',
    enforce: 'pre',
    configureServer({ watcher }) {
      if (config.files.length === 0) return;
      let isEcho = false;
      watcher.on('change', (file) => {
        if (isEcho || !config.files.includes(normalize(file))) return;
        setTimeout(() => {
          void config.isUnread().then((unread) => {
            if (!unread) return;
            isEcho = true;
            watcher.emit('change', file);
            isEcho = false;
          });
        }, AGAIN).unref();
      });
    },
    resolveId: {
      order: 'pre',
      filter: { id: ICON },
      handler(source, importer) {
        if (!ICON.test(source) || importer === undefined || config.files.length === 0) return null;
        const importers = importersBySpecifier.get(source) ?? new Set();
        importersBySpecifier.set(source, importers.add(importer));
        return null;
      },
    },
    async hotUpdate(change) {
      if (!config.files.includes(normalize(change.file))) return undefined;
      const { ids, isReload } = await update(change);
      const { environment } = this;
      if (isReload && environment.name === 'client') environment.hot.send({ type: 'full-reload' });
      const affected = ids.map((id) => environment.moduleGraph.getModuleById(id));
      return [...change.modules, ...affected.filter(isThere)];
    },
  };
  return { plugin, styled: (module, specifiers) => void imagesByModule.set(module, specifiers) };
}

interface Update {
  ids: readonly string[];
  isReload: boolean;
}

const NOTHING: Update = { ids: [], isReload: false };

/** The icons stay as they are; whoever looks at the page or at the terminal is told why. */
function tell(server: ViteDevServer, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  server.config.logger.error(`[icon-catalog] ${message}`);
  server.environments.client.hot.send({ type: 'error', err: { message, stack: '' } });
}

function isThere(module: EnvironmentModuleNode | undefined): module is EnvironmentModuleNode {
  return module !== undefined;
}
