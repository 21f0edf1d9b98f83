import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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
  rootWithOptions,
  SCRIPTS,
} from '../options/file.ts';
import { importVite } from '../options/import-default.ts';
import type { Options } from '../options/options.ts';
import type { Environment } from '../types.ts';
import { UsageError } from './command.ts';
import type { Host } from './host.ts';
import { findPluginOptions, listConfigs, rootByPlugins } from './plugin-options.ts';

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
  /** Where the options come from, as a clause for messages. */
  source: string;
}

/** The names are tried in this order, and the first file that has options is used. A plugin with options reads no file. */
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

/**
 * Finds the options of the project in the host's folder: in `--config`, in `icon-catalog.config.*`,
 * which exports them, in the configuration of a bundler that has the plugin, in a VitePress site of the project, or in
 * another script. A folder without any of them that is no package is a part of the package around it.
 *
 * @throws UsageError if `--config` names a missing file or one without options; Error if a file
 * cannot be loaded
 */
export async function loadProject(
  machine: Host,
  config?: string,
  mode = 'production',
): Promise<Project> {
  const host: ModeHost = Object.assign(Object.create(machine) as Host, { mode });
  const here = await findProject(host, config);
  const found = (config === undefined && (await findAround(here, host))) || here;
  const project = { ...found, source: sourceOf(found) };
  if (project.options.framework !== undefined) return project;
  const framework = await usualFramework(project.root, host);
  return framework === undefined
    ? project
    : { ...project, options: { ...project.options, framework } };
}

function sourceOf({ config }: Found): string {
  if (config !== undefined) return `the options were read from ${config}`;
  return 'no configuration with the plugin was found in this folder or in the package around it: looked for icon-catalog.config.*, the configurations of Vite, Rolldown, Rollup, Rspack, webpack, Farm, electron-vite, VitePress and Storybook, and other scripts in the folder or named in package.json';
}

/** Before its source is put into words. */
type Found = Omit<Project, 'source'>;

async function findProject(host: ModeHost, config: string | undefined): Promise<Found> {
  const { cwd } = host;
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
    if (project === undefined) continue;
    return OPTIONS_FILES.includes(name) ? ((await givenToPlugin(host)) ?? project) : project;
  }
  for (const folder of SITES) {
    const project = await findSite(folder, host);
    if (project !== undefined) return project;
  }
  return findGenerator(host);
}

/** What the package around a folder without options says, as `npm run` would find it there. */
async function findAround(here: Found, host: ModeHost): Promise<Found | undefined> {
  let cwd = host.cwd;
  if (here.config !== undefined) return undefined;
  while (!(await host.exists(join(cwd, 'package.json')))) {
    const above = dirname(cwd);
    if (above === cwd) return undefined;
    cwd = above;
  }
  if (cwd === host.cwd) return undefined;
  const found = await findProject(
    Object.assign(Object.create(host) as ModeHost, { cwd }),
    undefined,
  );
  if (found.config === undefined) return undefined;
  return { ...found, config: relative(host.cwd, join(cwd, found.config)).replaceAll('\\', '/') };
}

async function findGenerator(host: ModeHost, { isOwnThere = false } = {}): Promise<Found> {
  const { findWrittenOptions } = await import('./written-options.ts');
  const { cwd, mode } = host;
  const env = await loadEnv(host.env, { mode, folder: cwd });
  const all = await loadEnv(host.env, { mode, folder: cwd, prefix: '' });
  const { name, options = {} } = (await findWrittenOptions(host, { isOwnThere, env: all })) ?? {};
  return { root: cwd, envFolder: cwd, options, env, config: name };
}

/** Options that a configuration gives the plugin, which then reads no file of its own. */
async function givenToPlugin(host: ModeHost): Promise<Found | undefined> {
  const { isCalledBare } = await import('./written-options.ts');
  const sites = SITES.flatMap((folder) => SITE_CONFIGS.map((name) => posix.join(folder, name)));
  for (const name of [...CANDIDATES, ...sites]) {
    const path = join(host.cwd, name);
    if (OPTIONS_FILES.includes(name) || !(await host.exists(path))) continue;
    const text = await host.readFile(path);
    if (!text.includes('unplugin-icon-catalog') || (await isCalledBare(text, path))) continue;
    const found = await loadConfig(name, host);
    if (found?.config === name) return found;
  }
  const generator = await findGenerator(host, { isOwnThere: true });
  return Object.keys(generator.options).length > 0 ? generator : undefined;
}

/** A VitePress site whose configuration names this package. Its pages are the root. */
async function findSite(folder: string, host: ModeHost): Promise<Found | undefined> {
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

/** Commands read what a build reads, for production unless another mode is named. */
type ModeHost = Host & { mode: string };

async function loadConfig(name: string, host: ModeHost): Promise<Found | undefined> {
  try {
    const isVite = /^(?:electron\.)?vite\.config\./.test(basename(name));
    if (isVite || isSite(name)) return await loadWithVite(name, host);
    return await loadPlain(name, host);
  } catch (cause) {
    // Compilers draw the line in colours.
    const reason = stripVTControlCharacters(cause instanceof Error ? cause.message : String(cause));
    const absent = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(reason)?.[1];
    const remedy =
      absent === undefined
        ? 'Correct the file, or name another one with --config.'
        : `Install ${absent} in this project.`;
    throw new Error(`${name} cannot be loaded: ${reason}\n  ${remedy}`, { cause });
  }
}

async function loadWithVite(name: string, host: ModeHost): Promise<Found | undefined> {
  const { cwd, env } = host;
  const vite = await importVite(cwd);
  if (vite === undefined)
    throw new Error('it needs Vite, which cannot be loaded from this project.');
  const file = resolve(cwd, name);
  const loaded = await vite.loadConfigFromFile(
    { command: 'build', mode: host.mode },
    file,
    dirname(file),
    'silent',
  );
  const config = viteOf(name, loaded?.config, cwd);
  const [options] = await findPluginOptions(config, host.mode);
  if (options === undefined) return undefined;
  const { envDir } = config;
  const root = resolve(cwd, (await rootByPlugins(config, host.mode)) ?? '');
  const project = await orOwn(options, { root, config: name, cwd });
  const folder = envDir === undefined || envDir === false ? project.root : resolve(root, envDir);
  return {
    ...project,
    envFolder: folder,
    env: envDir === false ? env : await loadEnv(env, { mode: host.mode, folder }),
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

async function loadPlain(name: string, host: ModeHost): Promise<Found | undefined> {
  const { cwd, env } = host;
  const exported = await loadExport(resolve(cwd, name), host);
  const configs = await listConfigs(exported, host.mode);
  const [fromPlugin] = await findPluginOptions(configs);
  const root = fromPlugin === undefined ? cwd : resolve(cwd, folderOf(configs));
  const options = fromPlugin ?? (isBundlerConfig(name, exported) ? undefined : await exported);
  if (typeof options !== 'object' || options === null) return undefined;
  return {
    ...(await orOwn(options, { root, config: name, cwd })),
    envFolder: cwd,
    env: await loadEnv(env, { mode: host.mode, folder: cwd }),
  };
}

/** The folder in which webpack, Rspack (`context`) or Farm (`root`) work; empty: that of their configuration. */
function folderOf([config]: readonly unknown[]): string {
  const { context, root = context } = isObject(config) ? config : {};
  return typeof root === 'string' ? root : '';
}

/** A plugin without options reads the file of its project, which need not be in the folder of the command. */
async function orOwn(
  options: Options,
  { root, config, cwd }: { root: string; config: string; cwd: string },
): Promise<Pick<Project, 'root' | 'options' | 'config'>> {
  const isOwn = basename(config).startsWith(OWN) || Object.keys(options).length > 0;
  const folder = isOwn ? root : rootWithOptions(root);
  const own = isOwn ? undefined : await findOptionsFile(folder);
  if (own === undefined) return { root, options, config };
  const name = relative(cwd, own.path).replaceAll('\\', '/');
  return { root: folder, options: await readProjectOptions(folder), config: name };
}

/** A file of options has neither a list of plugins nor the name of a bundler. */
function isBundlerConfig(name: string, exported: unknown): boolean {
  const isOwn = basename(name).startsWith(OWN);
  if (isOwn || !isObject(exported)) return !isOwn;
  return 'plugins' in exported || CANDIDATES.includes(basename(name));
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
      if ((await host.exists(file)) && (await host.readFile(file)).includes(entry))
        return framework;
    }
  }
  return undefined;
}
