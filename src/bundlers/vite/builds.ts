import { join, resolve } from 'node:path';
import type { ResolvedConfig, ViteDevServer } from 'vite';
import { slug } from '../../build/other-builds.ts';
import type { DevDialect, RollupDialect, RunningBuild } from '../rollup/types.ts';
import type { PublishedSite } from '../../build/session-types.ts';
import type { Made } from '../../build/outdated.ts';
import type { Session } from '../../build/session-interface.ts';
import type { DevFiles } from './dev-server.ts';
import type { DevRequests } from './dev-requests.ts';
import type { PlacedIcons } from '../../build/images.ts';
import type { StylePlugin } from '../rollup/styles.ts';
import type { Updates } from './updates.ts';
import type { TypeDeclarations } from '../../build/session.ts';

/** What an integration knows of the site that Vite builds or serves. */
export interface ViteProject {
  /** Root folder of the lock file, if it is not the root that Vite has. */
  root?: string;
  /** Files of all dev servers of one site, if it has several. */
  files?: DevFiles;
  /** The folder of the site's one list, absolute. */
  site?: () => string | undefined;
  /** The public path of that folder, if Vite's `base` is that of its scripts alone. */
  base?: () => string | undefined;
  /** A dev server starts although the file of options cannot be read; each import says why. */
  startsBroken?: boolean;
  /** What the icon browser needs of a framework that does not leave the dev server to Vite's command. */
  framework?: PickerFramework;
}

export interface PickerFramework {
  /** Where the framework looks for its configuration, absolute: it may hold the options. */
  configs: readonly string[];
  /** The address of the site once its server listens, as Vite's own list of addresses is not printed. */
  listening?: Promise<{ url: string; isOpen: boolean }>;
}

/** What the plugins of one call share. */
export interface ViteBuilds {
  session: Session;
  project: ViteProject;
  requests: DevRequests;
  updates: Updates;
  icons: PlacedIcons;
  config?: ResolvedConfig;
  /** Absent in builds. */
  dev?: DevDialect | undefined;
  /** Servers that run, the last one last: Astro has one of a moment beside the one that browsers ask. */
  servers: { server: ViteDevServer; dialect: DevDialect }[];
  declarations?: TypeDeclarations | undefined;
  /** Icons that a dev server has made. */
  loaded: Set<string>;
}

export function dialectOfBuilds(
  builds: ViteBuilds,
  key: (context: object) => object,
): RollupDialect {
  const isLibrary = (context: object): boolean => Boolean(buildOptions(builds, context)?.lib);
  const build = (context: object): RunningBuild => {
    const { config } = builds;
    const environment = environmentOf(context);
    return {
      id: slug(environment?.name ?? 'vite'),
      bundler: 'vite',
      consumer: environment?.config.consumer ?? (config?.build.ssr ? 'server' : 'client'),
      expected: builtTogether(config).map(([name]) => slug(name)),
      site: siteOf(builds),
      called: rendererFolder(config),
    };
  };
  return {
    key,
    build,
    // Vite's own mark for an emitted file: `base`, `renderBuiltUrl` and server builds are then right without more.
    fileUrl: (reference) => `"__VITE_ASSET__${reference}__"`,
    publicPath: () => builds.config?.base,
    lateUrl: (reference) => `__VITE_ASSET__${reference}__`,
    // A dev server makes a map of its own, as long as the module, for each module without one.
    hasMaps: (context) =>
      builds.dev !== undefined || buildOptions(builds, context)?.sourcemap !== false,
    dev: () => builds.dev,
    isNested: () => builds.config?.isWorker === true,
    isLibrary,
    // Astro 6 and 7 have an environment for pages that are rendered ahead, and one for the rest.
    isOnRequest: (context) =>
      environmentOf(context)?.name === 'ssr' &&
      builds.config?.environments['prerender'] !== undefined,
    site(context): PublishedSite {
      const { config } = builds;
      const isClient = build(context).consumer === 'client' && !isLibrary(context);
      const own = isClient ? outputFolder(config, environmentOf(context)?.config) : undefined;
      return {
        folder: siteOf(builds) ?? own,
        base: baseOf(builds),
      };
    },
    folder: (context) => outputFolder(builds.config, environmentOf(context)?.config),
  };
}

/** What is read of Vite's build options. */
export interface ViteBuild {
  sourcemap?: unknown;
  lib?: unknown;
  assetsInlineLimit?: number | ((file: string, content: Buffer) => boolean | undefined);
}

export function buildOptions({ config }: ViteBuilds, context: object): ViteBuild | undefined {
  return environmentOf(context)?.config.build ?? config?.build;
}

function outputFolder(
  config: ResolvedConfig | undefined,
  of: EnvironmentConfig | undefined,
): string | undefined {
  const outDir = (of?.build ?? config?.build)?.outDir;
  return config === undefined || outDir === undefined ? undefined : resolve(config.root, outDir);
}

/** Storybook builds with the plugins of a project, and what it builds is no part of the project's site. */
const isStorybook = (config: ResolvedConfig | undefined): boolean => uses(config, 'storybook:');

function siteOf({ config, project }: ViteBuilds): string | undefined {
  return isStorybook(config) ? undefined : (project.site?.() ?? siteFolder(config));
}

function baseOf({ config, project }: ViteBuilds): string | undefined {
  return (
    (isStorybook(config) ? undefined : project.base?.()) ?? svelteKitBase(config) ?? config?.base
  );
}

/**
 * vite-ssg and vite-react-ssg build for browsers, then a server that renders the pages. It lies in a folder in this one, whose
 * name is another one each time, and is deleted in the end.
 */
function rendererFolder(config: ResolvedConfig | undefined): string | undefined {
  const own = outputFolder(config, undefined) ?? '';
  return /^.*[\\/]\.vite-(?:react-)?ssg-temp(?=[\\/])/.exec(own)?.[0];
}

/** Where this process has last built for browsers, by root. */
const clientFolders = new Map<string, string>();

export function noteClient(config: ResolvedConfig): void {
  const folder = outputFolder(config, undefined);
  if (folder !== undefined && !config.build.ssr) clientFolders.set(config.root, folder);
}

/** What browsers get, if the configuration says that several outputs are one site. */
function siteFolder(config: ResolvedConfig | undefined): string | undefined {
  const client = builtTogether(config).find(([, { consumer }]) => consumer === 'client');
  if (client !== undefined) return outputFolder(config, client[1]);
  const own = outputFolder(config, undefined) ?? '';
  // SvelteKit 2 builds each side by itself; SvelteKit 3 has environments.
  if (uses(config, 'vite-plugin-sveltekit')) return join(own, '../client');
  if (rendererFolder(config) !== undefined) return clientFolders.get(config?.root ?? '');
  // `build/server`, or a folder in it for each bundle of the server.
  return uses(config, 'react-router')
    ? own.replace(/\bserver(?:[\\/][^\\/]+)?$/, 'client')
    : undefined;
}

/** Its client has a relative base, and pages an absolute one all the same. */
function svelteKitBase(config: ResolvedConfig | undefined): string | undefined {
  const defined: unknown = config?.define?.['__SVELTEKIT_PATHS_BASE__'];
  return typeof defined === 'string' ? defined.replaceAll('"', '') || '/' : undefined;
}

/** Whether a framework takes part, by the beginning of its plugins' names. */
export function uses(config: ResolvedConfig | undefined, framework: string): boolean {
  return config?.plugins.some(({ name }) => name.startsWith(framework)) === true;
}

/** A style sheet of UnoCSS, which has one for each of its layers, or for all of them. */
const OF_UNOCSS = /[\\/]__uno(?:_[^\\/?]*)?\.css(?:$|\?)/;

/**
 * UnoCSS builds its style sheets once all modules are known, and shows them to two of Vite's own plugins alone, which it
 * finds by name. The second one gets what the plugin for style sheets makes of them.
 */
export function joinUnoCss(config: ResolvedConfig, styles: StylePlugin): void {
  const { transform } = config.plugins.find(({ name }) => name === 'vite:css-post') ?? {};
  if (typeof transform !== 'object' || !uses(config, 'unocss:global:build')) return;
  const { handler } = transform;
  transform.handler = async function takeStyles(css, id, ...more) {
    const made = OF_UNOCSS.test(id) ? await styles.transform.handler.call(this, css, id) : null;
    return handler.call(this, made?.code ?? css, id, ...more);
  };
}

/**
 * With a builder Vite builds every environment that is configured, each into a folder of its own. React Router names a builder
 * and starts a build for each side all the same, in which all environments have one folder.
 */
function builtTogether(config: ResolvedConfig | undefined): [string, EnvironmentConfig][] {
  if (config?.builder === undefined) return [];
  const environments = Object.entries(config.environments);
  const folders = new Set(environments.map(([, { build }]) => build.outDir));
  return folders.size > 1 ? environments : [];
}

/** Makes a module, style sheet or page; in a dev server again if lock or options changed meanwhile. */
export async function made<Outcome>(
  { dev, updates }: ViteBuilds,
  context: object,
  module: string,
  make: () => Promise<Made<Outcome>>,
): Promise<Outcome> {
  if (dev === undefined) return (await make()).outcome;
  return updates.made(module, environmentOf(context)?.name ?? '', make);
}

interface EnvironmentConfig {
  consumer: 'client' | 'server';
  build?: ViteBuild & { outDir?: string };
}

interface Environment {
  name: string;
  config: EnvironmentConfig;
}

export function environmentOf(context: object): Environment | undefined {
  return 'environment' in context ? (context.environment as Environment) : undefined;
}
