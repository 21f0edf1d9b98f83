import { normalize } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { CREDITS_ID } from '../../build/session-types.ts';
import { createLooks, type Outdated, watchAgain } from './lock-updates.ts';
import { clientEnvironment, devEnvironments, hotUpdateHooks } from './environments.ts';
import type { Session } from '../../build/session-interface.ts';

const ICON = /^icon:/;
const IMAGE = /^icon:\d/;

/** What references stand for, by how they are spelled. */
interface Meaning {
  /** Of each import: id and shape of its module; empty where it is wrong. */
  imports: Map<string, string>;
  /** Of each icon of a style sheet. */
  images: Map<string, string>;
  /** Of each icon of a page, which may be an image or drawn into it. */
  pictures: Map<string, string>;
}

export interface ConfigUpdates {
  plugin: Plugin;
  /** A style sheet, or a style block, holds these icons. */
  styled(module: string, specifiers: readonly string[]): void;
  /** A page holds these icons. */
  paged(file: string, specifiers: readonly string[]): void;
}

/**
 * In dev servers, where the plugin was given no options: when the project's file of options changes, those modules and
 * style sheets are made anew whose icons are others by now, or are drawn otherwise; such pages are loaded again.
 *
 * @param ports.session of the server
 * @param ports.changed other options are in force
 * @param ports.outdated what another lock, or what else may be done with it, makes wrong
 */
export function createConfigUpdates({
  session,
  changed,
  outdated,
}: {
  session: Pick<Session, 'config' | 'optionsHashes' | 'resolve'>;
  changed(): void;
  outdated(server: ViteDevServer): Promise<Outdated>;
}): ConfigUpdates {
  const { config, optionsHashes } = session;
  const importersBySpecifier = new Map<string, Set<string>>();
  const imagesByModule = new Map<string, readonly string[]>();
  const picturesByPage = new Map<string, readonly string[]>();

  function idOf(specifier: string): string {
    try {
      return session.resolve(specifier);
    } catch {
      return '';
    }
  }

  function meaningOf(specifier: string): string {
    const id = idOf(specifier);
    return id === '' ? '' : `${id} ${optionsHashes.of(id)}`;
  }

  /** Of every icon that Vite has. */
  function optionsHashesOf(server: ViteDevServer): Map<string, string> {
    const known = devEnvironments(server).map(({ moduleGraph }) => moduleGraph.idToModuleMap);
    const ids = known.flatMap((byId) => Array.from(byId.keys())).filter((id) => IMAGE.test(id));
    return new Map(ids.map((id) => [id, optionsHashes.of(id)]));
  }

  function meaning(): Meaning {
    const images = [...imagesByModule.values()].flat();
    const pictures = [...picturesByPage.values()].flat();
    const inPage = (one: string): string => `${optionsHashes.ofImage(one)} ${meaningOf(one)}`;
    return {
      imports: new Map([...importersBySpecifier.keys()].map((one) => [one, meaningOf(one)])),
      images: new Map(images.map((one) => [one, optionsHashes.ofImage(one)])),
      pictures: new Map(pictures.map((one) => [one, inPage(one)])),
    };
  }

  const update = createLooks(async ({ server }): Promise<Update> => {
    const before = meaning();
    const hashesBefore = optionsHashesOf(server);
    try {
      if (!(await config.refresh())) return NOTHING;
    } catch (error) {
      report(server, error);
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
    const pages = [...picturesByPage.values()].filter((all) =>
      all.some((one) => isOther('pictures', one)),
    );
    const locked = await outdated(server);
    const ids = [
      ...others.flatMap(([specifier, importers]) => {
        const id = idOf(specifier);
        // The same icon drawn otherwise; of another one the importers alone know.
        const isSame = before.imports.get(specifier)?.startsWith(`${id} `) === true;
        return isSame ? [id] : [...importers];
      }),
      ...styles.map(([module]) => module),
      // Vite keeps what was imported before, and may be again.
      ...[...optionsHashesOf(server)].flatMap(([id, part]) =>
        hashesBefore.get(id) === part ? [] : [id],
      ),
      ...locked.modules,
      CREDITS_ID,
    ];
    // The browser never got what was wrong.
    const wasWrong =
      others.some(([name]) => before.imports.get(name) === '') ||
      styles.some(([, all]) => all.some((one) => before.images.get(one) === ''));
    return { ids, isReload: pages.length > 0 || wasWrong || locked.isReload };
  });

  const plugin: Plugin = {
    name: 'unplugin-icon-catalog:config-updates',
    apply: 'serve',
    enforce: 'pre',
    configureServer(server) {
      if (config.files.length === 0) return;
      watchAgain(server, {
        isOurs: (file) => config.files.includes(normalize(file)),
        isUnseen: () => config.isUnread(),
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
    ...hotUpdateHooks(async (change, environment) => {
      if (!config.files.includes(normalize(change.file))) return undefined;
      const { ids, isReload } = await update(change);
      if (isReload && environment.name === 'client') environment.hot.send({ type: 'full-reload' });
      return ids;
    }),
  };
  return {
    plugin,
    styled: (module, specifiers) => void imagesByModule.set(module, specifiers),
    paged: (file, specifiers) => void picturesByPage.set(file, specifiers),
  };
}

interface Update {
  ids: readonly string[];
  isReload: boolean;
}

const NOTHING: Update = { ids: [], isReload: false };

/** The icons stay as they are; whoever looks at the page or at the terminal is told why. */
function report(server: ViteDevServer, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  server.config.logger.error(`[icon-catalog] ${message}`);
  clientEnvironment(server).hot.send({ type: 'error', err: { message, stack: '' } });
}
