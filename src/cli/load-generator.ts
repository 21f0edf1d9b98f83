import { join } from 'node:path';
import { loadExport, SCRIPTS } from '../options/file.ts';
import type { Options } from '../options/options.ts';
import { isObject } from '../untrusted.ts';
import type { Host } from './host.ts';
import { optionsIn } from './plugin-options.ts';

/** The configuration of a generator that has the plugin, and why its options cannot be used, if so. */
export type GeneratorConfig = { name: string } & (
  | { options: Options }
  | { unread: { message: string; remedy: string } }
);

/**
 * By the file's name without its extension: lists, however deep, with plugins of ours among others, of what the file
 * exports.
 */
const READERS: Readonly<Record<string, (exported: unknown) => unknown>> = {
  'astro.config': (exported) => [field(exported, 'integrations'), pluginsOfVite(exported)],
  'nuxt.config': (exported) => [modulesOfNuxt(exported), pluginsOfVite(exported)],
  'eleventy.config': pluginsOfEleventy,
  '.eleventy': pluginsOfEleventy,
  'docusaurus.config': pluginsOfDocusaurus,
  'rsbuild.config': pluginsOfRsbuild,
  'app.config': pluginsOfVite,
  'next.config': pluginsOfNext,
  '.storybook/main': async (exported) => [
    await afterCall(exported, 'viteFinal'),
    await afterCall(exported, 'webpackFinal'),
  ],
};

/**
 * A plugin that is called with nothing, or a module of Nuxt that stands by itself: such a file holds no options, and
 * it does not matter whether it can be evaluated.
 */
export const WITHOUT_OPTIONS: RegExp =
  /import (\w+) from ['"]unplugin-icon-catalog\/[^]*\b\1\(\)|unplugin-icon-catalog\/nuxt['"](?!,\s*[\w{])(?![^]*iconCatalog)/;

/**
 * The options that stand in the configuration of Astro, Nuxt, Eleventy, Docusaurus, Rsbuild, Next.js or Storybook. The
 * file is evaluated, and functions that its tool would call with its own configuration are called with a stand-in.
 *
 * @param how.isOwnThere a file that calls the plugin with nothing need not be evaluated. @default false
 * @returns `undefined` if no such file of the folder has options of ours
 */
export async function loadGenerator(
  host: Host,
  { isOwnThere = false }: { isOwnThere?: boolean },
): Promise<GeneratorConfig | undefined> {
  for (const [tool, read] of Object.entries(READERS)) {
    for (const extension of SCRIPTS) {
      const name = `${tool}.${extension}`;
      const path = join(host.cwd, name);
      const text = (await host.exists(path)) ? await host.readFile(path) : '';
      const isBare = WITHOUT_OPTIONS.test(text);
      if (!text.includes('unplugin-icon-catalog') || (isBare && isOwnThere)) continue;
      let reason = 'it exports no plugin in a place that is known';
      try {
        const [options] = await optionsIn(await read(await evaluate(path, host)));
        if (options !== undefined) return { name, options };
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
      return isBare ? undefined : { name, unread: describeUnread(name, reason) };
    }
  }
  return undefined;
}

export function describeUnread(
  name: string,
  reason: string,
  remedy = 'Put the options into icon-catalog.config.ts (or .js, .json) in this folder, and call the plugin without any: both then read that file.',
): { message: string; remedy: string } {
  const [line = ''] = reason.replace(/^.* cannot be loaded: /, '').split('\n');
  const why = line.replace(/\.$/, '');
  return { message: `The command line cannot read the options in ${name} (${why}).`, remedy };
}

async function evaluate(file: string, host: Host): Promise<unknown> {
  // Nuxt itself makes this global while it reads the file.
  const global = globalThis as { defineNuxtConfig?: (config: unknown) => unknown };
  const isOurs = global.defineNuxtConfig === undefined;
  global.defineNuxtConfig ??= (config) => config;
  try {
    return await loadExport(file, host);
  } finally {
    if (isOurs) delete global.defineNuxtConfig;
  }
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function call(value: unknown, ...args: unknown[]): unknown {
  return typeof value === 'function' ? (value as (...given: unknown[]) => unknown)(...args) : value;
}

function pluginsOfVite(exported: unknown): unknown {
  return field(field(exported, 'vite'), 'plugins');
}

/** In the shape of a plugin: a module of Nuxt is only named. */
function modulesOfNuxt(exported: unknown): unknown {
  const shared = field(exported, 'iconCatalog');
  const modules = field(exported, 'modules');
  const ours = (Array.isArray(modules) ? (modules as unknown[]) : [])
    .map((each) => [each].flat())
    .find(([name]) => name === 'unplugin-icon-catalog/nuxt') as [string, object?] | undefined;
  return ours && asPlugin({ ...(isObject(shared) && shared), ...ours[1] });
}

async function pluginsOfEleventy(exported: unknown): Promise<unknown> {
  const found: unknown[] = [];
  const addPlugin = (plugin: unknown, options: object = {}): void => {
    const { eleventyPackage } = Object(plugin) as { eleventyPackage?: unknown };
    if (eleventyPackage === 'unplugin-icon-catalog') found.push(asPlugin(options));
  };
  await call(exported, standIn({ addPlugin }));
  return found;
}

async function pluginsOfDocusaurus(exported: unknown): Promise<unknown> {
  const config = await call(exported);
  const plugins = field(config, 'plugins');
  const found: unknown[] = [];
  for (const each of Array.isArray(plugins) ? (plugins as unknown[]) : []) {
    if (typeof each !== 'function') continue;
    const plugin = await call(each, standIn(), {});
    const configure = field(plugin, 'configureWebpack');
    found.push(field(await call(configure, standIn(), false, standIn(), undefined), 'plugins'));
  }
  return found;
}

async function pluginsOfRsbuild(exported: unknown): Promise<unknown> {
  const config = await call(exported, {
    env: 'production',
    command: 'build',
    envMode: 'production',
  });
  const found: unknown[] = [];
  const rspack = field(field(config, 'tools'), 'rspack');
  const append = (plugins: unknown): void => void found.push(plugins);
  for (const each of [rspack].flat()) {
    const given = standIn({ plugins: [] });
    const utilities = standIn({ appendPlugins: append, prependPlugins: append });
    found.push(field(await call(each, given, utilities), 'plugins'), field(given, 'plugins'));
  }
  return found;
}

async function pluginsOfNext(exported: unknown): Promise<unknown> {
  const phase = 'phase-production-build';
  return afterCall(await call(exported, phase, { defaultConfig: standIn() }), 'webpack');
}

/** Plugins of a configuration that a function has changed, in place or in what it returns. */
async function afterCall(exported: unknown, name: string): Promise<unknown> {
  const change = field(exported, name);
  if (typeof change !== 'function') return [];
  const given = standIn({ plugins: [] });
  const returned = await call(change.bind(exported), given, standIn());
  return [given.plugins, field(returned, 'plugins')];
}

function asPlugin(options: object): { api: object } {
  return { api: { name: 'unplugin-icon-catalog', options } };
}

/**
 * Stands for what a tool hands to its configuration: everything that is read from it, and every call of it, gives
 * another stand-in.
 */
function standIn<Known extends object>(known?: Known): Known {
  const values = new Map<PropertyKey, unknown>(Object.entries(known ?? {}));
  // Some tools refuse a configuration that is a function.
  return new Proxy(known === undefined ? () => undefined : {}, {
    get(_, name) {
      if (name === Symbol.iterator) return () => [][Symbol.iterator]();
      if (name === Symbol.toPrimitive) return () => '';
      // It is no promise.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      if (!values.has(name)) values.set(name, standIn());
      return values.get(name);
    },
    set: (_, name, value) => Boolean(values.set(name, value)),
    apply: () => standIn(),
    construct: () => standIn(),
  }) as unknown as Known;
}
