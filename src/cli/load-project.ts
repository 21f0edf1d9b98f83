import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import type { UserConfig } from 'vite';
import type { Framework } from '../component.ts';
import { isObject } from '../untrusted.ts';
import {
  findOptionsFile,
  loadEnv,
  loadExport,
  OPTIONS_FILES,
  OWN,
  readProjectOptions,
  SCRIPTS,
} from '../options/file.ts';
import { importVite } from '../options/import-default.ts';
import type { Options } from '../options/options.ts';
import type { Environment } from '../types.ts';
import { UsageError } from './command.ts';
import type { Host } from './host.ts';

export interface Project {
  root: string;
  options: Options;
  /**
   * The environment, with the `.env` files of the root or of Vite's `envDir`: by Vite's rules, whatever the bundler is, so that
   * a command needs nothing exported.
   */
  env: Environment;
  envFolder: string;
  /**
   * The file that the options come from, relative to the folder of the command; `undefined` if no file sets options.
   */
  config: string | undefined;
}

/** The names are tried in this order, and the first file that has options is used. */
const CANDIDATES: readonly string[] = [
  ...OPTIONS_FILES,
  ...['electron.vite', 'vite', 'rolldown', 'rollup', 'rspack', 'webpack', 'farm'].flatMap(
    (bundler) => SCRIPTS.map((extension) => `${bundler}.config.${extension}`),
  ),
];

/** Folders of a VitePress site, seen from the folder of a command. */
const SITES: readonly string[] = ['.', 'docs'];

/** The configuration of a VitePress site, in its order; it has Vite's configuration in `vite`. */
const SITE_CONFIGS: readonly string[] = ['config/index', 'config'].flatMap((name) =>
  ['js', 'ts', 'mjs', 'mts'].map((extension) => `.vitepress/${name}.${extension}`),
);

/** Configurations that hold options of this package which only their own tool can read. */
const GENERATORS: readonly string[] = [
  ...['astro', 'nuxt', 'eleventy', 'docusaurus', 'rsbuild', 'app', 'next'].flatMap((name) =>
    SCRIPTS.map((extension) => `${name}.config.${extension}`),
  ),
  '.eleventy.js',
  ...SCRIPTS.map((extension) => `.storybook/main.${extension}`),
];

/** A plugin that is called with nothing, or a module of Nuxt that stands by itself: such a file holds no options. */
const WITHOUT_OPTIONS =
  /import (\w+) from ['"]unplugin-icon-catalog\/[^]*\b\1\(\)|unplugin-icon-catalog\/nuxt['"](?!,\s*\{)/;

/**
 * Where the options come from, as a clause for messages.
 *
 * @param config as `loadProject` found it
 * @returns unread: the options are in a file that no command can read
 */
export async function describeSource(
  config: string | undefined,
  { cwd, exists, readFile }: Pick<Host, 'cwd' | 'exists' | 'readFile'>,
): Promise<{ source: string; unread?: { message: string; remedy: string } }> {
  if (config !== undefined) return { source: `the options were read from ${config}` };
  for (const name of GENERATORS) {
    const path = join(cwd, name);
    const text = (await exists(path)) ? await readFile(path) : '';
    if (!text.includes('unplugin-icon-catalog') || WITHOUT_OPTIONS.test(text)) continue;
    return {
      source: `no options were found: the command line cannot read those in ${name}`,
      unread: {
        message: `The command line cannot read the options in ${name}.`,
        remedy:
          'Put the options into icon-catalog.config.ts (or .js, .json) in this folder, and call the plugin without any: both then read that file.',
      },
    };
  }
  return {
    source:
      'no configuration with the plugin was found in this folder: looked for icon-catalog.config.*, the vite, rolldown, rollup, rspack, webpack and farm.config.*, electron.vite.config.* and .vitepress/config.*',
  };
}

/**
 * Finds the options of the project in the host's folder: in `--config`, in `icon-catalog.config.*`,
 * which exports them, in the configuration of a bundler that has the plugin, or in a VitePress site of the project.
 *
 * @throws UsageError if `--config` names a missing file or one without options; Error if a file
 * cannot be loaded
 */
export async function loadProject(host: Host, config: string | undefined): Promise<Project> {
  const project = await findProject(host, config);
  if (project.options.framework !== undefined) return project;
  const framework = await usualFramework(project.root, host);
  return framework === undefined
    ? project
    : { ...project, options: { ...project.options, framework } };
}

async function findProject(host: Host, config: string | undefined): Promise<Project> {
  const { cwd, env } = host;
  if (config !== undefined) {
    if (!(await host.exists(resolve(cwd, config))))
      throw new UsageError(`There is no file ${JSON.stringify(config)}.`);
    const project = await loadConfig(config, host);
    if (project !== undefined) return project;
    throw new UsageError(
      `${config} has no plugin of unplugin-icon-catalog, and exports no options of it.`,
    );
  }
  for (const name of CANDIDATES) {
    if (!(await host.exists(join(cwd, name)))) continue;
    const project = await loadConfig(name, host);
    if (project !== undefined) return project;
  }
  for (const folder of SITES) {
    const project = await findSite(folder, host);
    if (project !== undefined) return project;
  }
  return {
    root: cwd,
    envFolder: cwd,
    options: {},
    env: await loadEnv(env, { mode: MODE, folder: cwd }),
    config: undefined,
  };
}

/** A VitePress site whose configuration names this package. Its pages are the root. */
async function findSite(folder: string, host: Host): Promise<Project | undefined> {
  for (const one of SITE_CONFIGS) {
    const name = posix.join(folder, one);
    const file = join(host.cwd, name);
    if (!(await host.exists(file))) continue;
    // What other sites do while they are configured is of no use here.
    const isOurs = (await host.readFile(file)).includes('unplugin-icon-catalog');
    return isOurs ? loadConfig(name, host) : undefined;
  }
  return undefined;
}

/** Commands read what a build for production reads. */
const MODE = 'production';

async function loadConfig(name: string, host: Host): Promise<Project | undefined> {
  try {
    const isVite = /^(?:electron\.)?vite\.config\./.test(basename(name));
    if (isVite || isSite(name)) return await loadWithVite(name, host);
    return await loadPlain(name, host);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const absent = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(reason)?.[1];
    const remedy =
      absent === undefined
        ? 'Correct the file, or name another one with --config.'
        : `Install ${absent} in this project.`;
    throw new Error(`${name} cannot be loaded: ${reason}\n  ${remedy}`, { cause });
  }
}

async function loadWithVite(name: string, host: Host): Promise<Project | undefined> {
  const { cwd, env } = host;
  const vite = await importVite(cwd);
  if (vite === undefined)
    throw new Error('it needs Vite, which cannot be loaded from this project.');
  const file = resolve(cwd, name);
  const loaded = await vite.loadConfigFromFile(
    { command: 'build', mode: MODE },
    file,
    dirname(file),
    'silent',
  );
  const config = viteOf(name, loaded?.config, cwd);
  const [options] = await findPluginOptions(config);
  if (options === undefined) return undefined;
  const { root: written = '', envDir } = config ?? {};
  const root = resolve(cwd, written);
  const folder = resolve(root, envDir === false ? '' : (envDir ?? ''));
  return {
    root,
    envFolder: folder,
    ...(await orOwn(options, { root, config: name, cwd })),
    env: envDir === false ? env : await loadEnv(env, { mode: MODE, folder }),
  };
}

const isSite = (name: string): boolean => SITE_CONFIGS.some((one) => name.endsWith(one));

/** Vite's configuration, which VitePress and electron-vite hold as a part of theirs. */
function viteOf(name: string, config: object = {}, cwd: string): UserConfig {
  if (isSite(name)) {
    const { srcDir = '', vite } = config as { srcDir?: string; vite?: UserConfig };
    const [folder = ''] = name.split('.vitepress');
    return { ...vite, root: join(folder, srcDir) };
  }
  if (!basename(name).startsWith('electron.')) return config;
  const { renderer } = config as { renderer?: UserConfig };
  return { root: 'src/renderer', envDir: cwd, ...renderer };
}

async function loadPlain(name: string, host: Host): Promise<Project | undefined> {
  const { cwd: root, env } = host;
  const exported = await loadExport(resolve(root, name), host);
  const [fromPlugin] = await findPluginOptions(exported);
  const options = fromPlugin ?? (isBundlerConfig(name, exported) ? undefined : await exported);
  if (typeof options !== 'object' || options === null) return undefined;
  return {
    root,
    envFolder: root,
    ...(await orOwn(options, { root, config: name, cwd: root })),
    env: await loadEnv(env, { mode: MODE, folder: root }),
  };
}

/**
 * A plugin without options reads the file in its root, which need not be the folder of the command.
 */
async function orOwn(
  options: Options,
  { root, config, cwd }: { root: string; config: string; cwd: string },
): Promise<Pick<Project, 'options' | 'config'>> {
  const isOwn = basename(config).startsWith(OWN) || Object.keys(options).length > 0;
  const own = isOwn ? undefined : await findOptionsFile(root);
  if (own === undefined) return { options, config };
  const name = relative(cwd, own.path).replaceAll('\\', '/');
  return { options: await readProjectOptions(root), config: name };
}

/** A file of options has neither a list of plugins nor the name of a bundler. */
function isBundlerConfig(name: string, exported: unknown): boolean {
  const isOwn = basename(name).startsWith(OWN);
  if (isOwn || !isObject(exported)) return !isOwn;
  return 'plugins' in exported || CANDIDATES.includes(basename(name));
}

/** Configurations nest plugins in lists of lists. This is the deepest level that is searched. */
const DEEPEST = 6;

/**
 * Options of every plugin of ours in a bundler's configuration: one object, a list of them (webpack, Rollup), a
 * function or a promise of it.
 */
export async function findPluginOptions(config: unknown): Promise<Options[]> {
  const found: Options[] = [];
  for (const one of await listed(config)) {
    if (isObject(one)) await collect(one['plugins'], found, 0);
  }
  return found;
}

async function listed(config: unknown): Promise<unknown[]> {
  const settled: unknown = await config;
  if (typeof settled === 'function') {
    // The arguments that bundlers pass to a configuration that is a function, as far as they agree.
    const made: unknown = await settled(
      { production: true, command: 'build', mode: 'production' },
      {
        mode: 'production',
      },
    );
    return listed(made);
  }
  return Array.isArray(settled) ? (await Promise.all(settled.map(listed))).flat() : [settled];
}

async function collect(plugins: unknown, found: Options[], depth: number): Promise<void> {
  const settled: unknown = await plugins;
  if (Array.isArray(settled) && depth < DEEPEST) {
    for (const plugin of settled) await collect(plugin, found, depth + 1);
    return;
  }
  if (!isObject(settled) || !isObject(settled['api'])) return;
  const { name, options } = settled['api'];
  if (name === 'unplugin-icon-catalog' && isObject(options)) found.push(options);
}

/** Integrations that imply a framework, by the generator whose configuration names them. */
const INTEGRATIONS: readonly { generator: string; entry: string; framework: Framework }[] = [
  { generator: 'astro', entry: 'unplugin-icon-catalog/astro', framework: 'astro' },
  { generator: 'nuxt', entry: 'unplugin-icon-catalog/nuxt', framework: 'vue' },
];

/** The framework of the project's imports if its options name none; `undefined`: no framework. */
async function usualFramework(
  root: string,
  host: Pick<Host, 'exists' | 'readFile'>,
): Promise<Framework | undefined> {
  for (const { generator, entry, framework } of INTEGRATIONS) {
    for (const extension of SCRIPTS) {
      const file = join(root, `${generator}.config.${extension}`);
      // Only the tools themselves can load their configurations.
      if ((await host.exists(file)) && (await host.readFile(file)).includes(entry))
        return framework;
    }
  }
  return undefined;
}
