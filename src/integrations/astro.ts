import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ViteDevServer } from 'vite';
import type { BuildOutput } from '../build/finish-build.ts';
import type { Session } from '../build/session-interface.ts';
import { pluginApi } from '../build/session-state.ts';
import { createSession } from '../build/session.ts';
import { createVitePlugin } from '../bundlers/vite/plugin.ts';
import {
  loadEnv,
  optionsPaths,
  readProjectOptions,
  rootWithOptions,
  SCRIPTS,
} from '../options/file.ts';
import { typesEntry } from '../component.ts';
import type { Options } from '../options/options.ts';
import { attributionFileNames } from '../options/resolve-attribution.ts';
import { resolveOptions } from '../options/resolve-options.ts';
import { listPages, readHolders, rewriteSite } from './html.ts';
import { isCi, MARK } from '../picker/shell.ts';
import { readList } from '../store/credit-lists.ts';

const NAME = 'unplugin-icon-catalog';
/** Beside this file in the package, and in its sources. */
const TOOLBAR_APP = new URL(
  import.meta.url.endsWith('.ts') ? './astro-toolbar.ts' : './astro-toolbar.js',
  import.meta.url,
);

/**
 * Astro's own plugins stand before those of integrations, and the dev server of Astro 6 and 7 takes the styles of a page
 * from their transforms: icons must be in place before that, right after Vite has compiled the style sheet.
 */
const stylesFirst: Plugin = {
  name: `${NAME}:styles-first`,
  configResolved({ plugins }) {
    const all = plugins as Plugin[];
    const [styles] = all.splice(
      all.findIndex(({ name }) => name === `${NAME}:styles`),
      1,
    );
    if (styles !== undefined)
      all.splice(all.findIndex(({ name }) => name === 'vite:css') + 1, 0, styles);
  },
};

/**
 * The Vite plugin, with components of Astro as the default form and the types of both; and, once pages are rendered, the
 * icons of what no module imports, such as images of Markdown. Without options it takes those of the project's own file,
 * and has Astro start again when that changes.
 */
export function createAstroIntegration(given?: Options): AstroIntegration {
  const usual = { framework: 'astro' } as const;
  let options: Options = { ...usual, ...given };
  // Made here, so that wrong options are an error where they are written.
  let session = createSession(options, 'vite');
  let root = '';
  let config: AstroConfig | undefined;
  let server: Pick<ViteDevServer, 'resolvedUrls'> | undefined;
  let rendered: Holders | undefined;
  let listen: (site: { url: string; isOpen: boolean }) => void = () => {};
  /** What is published: all builds of Astro are one site. */
  const siteFolder = (): string | undefined =>
    config && fileURLToPath(config.output === 'static' ? config.outDir : config.build.client);
  const integration: AstroIntegration = {
    name: NAME,
    hooks: {
      async 'astro:config:setup'(setup) {
        const { command, config: astro, updateConfig, addWatchFile } = setup;
        // Without the slash at its end, as Vite has it: what Vite loaded is found under the same name.
        const folder = resolve(fileURLToPath(astro.root));
        root = given === undefined ? rootWithOptions(folder) : folder;
        const own = SCRIPTS.map((extension) => join(folder, `astro.config.${extension}`));
        let startsBroken = false;
        if (given === undefined) {
          for (const path of optionsPaths(root)) addWatchFile(path);
          try {
            options = { ...usual, ...(await readProjectOptions(root)) };
          } catch (error) {
            // A server that does not start watches no files, and could not restart once the file is fixed.
            if (command !== 'dev') throw error;
            startsBroken = true;
          }
          session = createSession(startsBroken ? undefined : options, 'vite', usual);
        }
        const plugins = createVitePlugin(options, session, {
          root,
          startsBroken,
          site: siteFolder,
          base: () => config?.base,
          framework: {
            configs: given === undefined ? [...optionsPaths(root), ...own] : own,
            listening: new Promise((resolve) => (listen = resolve)),
          },
        });
        updateConfig({ vite: { plugins: [...plugins, stylesFirst] as never[] } });
        if (command === 'dev' && options.picker !== false && !isCi(process.env))
          setup.addDevToolbarApp({ id: NAME, name: 'Icons', icon: MARK, entrypoint: TOOLBAR_APP });
      },
      'astro:config:done': (done) => {
        config = done.config;
        // Adapters come first, and that of Vercel takes the server's folder away.
        const program = fileURLToPath(done.config.build.server);
        const [first] = done.config.integrations;
        if (first !== undefined && first !== integration)
          beforeDone(first, async () => {
            rendered = await readHolders(program, []).catch(() => []);
          });
        const content = `/// <reference types="${typesEntry(options.framework)}" />\n`;
        done.injectTypes({ filename: 'icons.d.ts', content });
      },
      'astro:server:setup': (setup) => {
        ({ server } = setup);
      },
      'astro:server:start'() {
        const [url] = server?.resolvedUrls?.local ?? [];
        if (server === undefined || url === undefined) return;
        const isOpen = server.resolvedUrls?.network.length !== 0;
        listen({ url: new URL(config?.base ?? '/', url).href, isOpen });
      },
      async 'astro:build:done'(done) {
        if (config !== undefined)
          await finishSite(done, { root, config, options, session, rendered });
      },
    },
  };
  // For commands. It may hold a secret, so nothing prints it.
  return Object.defineProperty(integration, 'api', { value: pluginApi(given).api });
}

/** Puts icons into what no module imports, and writes the site's one list. */
async function finishSite(
  { dir, logger }: BuildDone,
  {
    root,
    config,
    options,
    session,
    rendered,
  }: {
    root: string;
    config: AstroConfig;
    options: Options;
    session: Session;
    rendered: Holders | undefined;
  },
): Promise<void> {
  const site = fileURLToPath(dir);
  const env = await loadEnv(process.env, { mode: 'production', folder: root });
  const { attribution } = resolveOptions(options, { root, env });
  const ours = attribution ? attributionFileNames(attribution) : [];
  session.configure({
    root,
    env,
    // Its methods are those of a class.
    log: {
      info: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
      error: (message) => logger.warn(message),
    },
  });
  try {
    await rewriteSite(
      (await listPages(site, ['.'])).filter((path) => !ours.includes(relative(site, path))),
      {
        session,
        site,
        assets: config.build.assets,
        base: config.base,
        dry: false,
        isPart: true,
        // Astro renders pages in the middle of its builds and puts scripts and styles into them.
        outputs: () => readHolders(site, ours),
        parts:
          dir.href === config.build.client.href
            ? [serverPart(config, { site, ours, rendered })]
            : [],
      },
    );
  } finally {
    await session.close();
  }
}

type Holders = Awaited<ReturnType<typeof readHolders>>;

function beforeDone({ hooks }: OtherIntegration, work: () => Promise<void>): void {
  const { 'astro:build:done': done } = hooks;
  hooks['astro:build:done'] = async (given) => {
    await work();
    await done?.(given);
  };
}

/**
 * Astro puts small style sheets into the program of its server once Vite has written it. What the builds of Vite list is
 * in the site's list already.
 */
function serverPart(
  { build }: AstroConfig,
  {
    site,
    ours: [name = ''],
    rendered,
  }: { site: string; ours: readonly string[]; rendered: Holders | undefined },
): BuildOutput {
  const folder = fileURLToPath(build.server);
  return {
    build: { id: 'rendered', bundler: 'icon-catalog', consumer: 'server', precision: 'emitted' },
    report: { folder, site, wrote: [] },
    usages: () => [],
    async files() {
      const present = await readHolders(folder, []).catch(() => undefined);
      // What Vite's builds list of a program that is gone is in the site's list no more.
      if (present === undefined) return rendered ?? [];
      const { builds = [], icons = [] } =
        (await readList(join(site, name)).catch(() => undefined)) ?? {};
      const inFolder = builds.filter(
        (each) => resolve(site, each.folder ?? '') === resolve(folder),
      );
      const ids = new Set(inFolder.map(({ id }) => id));
      const uses = icons.flatMap(({ usedIn }) => usedIn.filter((use) => ids.has(use.build)));
      const listed = new Set(uses.map(({ file }) => file));
      return present.filter(({ fileName }) => !listed.has(fileName));
    },
    write: () => [],
  };
}

/** What we use of Astro's configuration. */
interface AstroConfig {
  root: URL;
  /** Public path of the site. */
  base: string;
  /** `static`: all of `outDir` is published. */
  output?: string;
  outDir: URL;
  build: {
    /** Folder of emitted files in the site. */
    assets: string;
    /** Folder that is published beside a server. */
    client: URL;
    /** The server's own. */
    server: URL;
  };
  /** In the order in which their hooks run. */
  integrations: OtherIntegration[];
}

interface OtherIntegration {
  hooks: { 'astro:build:done'?: (done: BuildDone) => Promise<void> | void };
}

interface BuildDone {
  /** Folder of the finished site. */
  dir: URL;
  logger: { info(message: string): void; warn(message: string): void };
}

/** What we use of Astro's integration interface (versions 5 to 7), which is then no dependency of these types. */
export interface AstroIntegration {
  name: string;
  hooks: {
    'astro:config:setup'(setup: {
      command: 'dev' | 'build' | 'preview' | 'sync';
      config: Pick<AstroConfig, 'root'>;
      /** The types of plugins are those of Astro's own Vite, which need not be the project's. */
      updateConfig(change: { vite: { plugins: never[] } }): unknown;
      addDevToolbarApp(app: { id: string; name: string; icon: string; entrypoint: URL }): void;
      /** A file whose change has the dev server start again. */
      addWatchFile(path: string): void;
    }): Promise<void>;
    'astro:config:done'(done: {
      config: AstroConfig;
      injectTypes(types: { filename: string; content: string }): unknown;
    }): void;
    'astro:server:setup'(setup: { server: Pick<ViteDevServer, 'resolvedUrls'> }): void;
    'astro:server:start'(): void;
    'astro:build:done'(done: BuildDone): Promise<void>;
  };
}
