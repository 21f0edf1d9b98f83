import { join } from 'node:path';
import { IconCatalogError } from '../errors.ts';
import { loadExport, scriptsOf } from '../options/file.ts';
import type { Options } from '../options/options.ts';
import type { Environment } from '../types.ts';
import type { Host } from './host.ts';
import { findPluginOptions } from './plugin-options.ts';

/** A script that has the plugin. */
export interface WrittenOptions {
  name: string;
  options: Options;
}

/** An import of the plugin, and not of the client, the server or a type. */
const HAS_PLUGIN =
  /['"]unplugin-icon-catalog(?:\/(?!client|server|credits|types|schema|package)\w+)?['"]/;

/** Configurations of tests, whose options may be others than those of the build. */
const OF_TESTS = /^(?:vitest|jest|playwright|cypress)\b/;

const EXPORTS = /\bexport\s+default\b|\bmodule\.exports\b/;

/**
 * The options that a script gives the plugin: the configuration of a tool that is none of the bundlers (Astro, Nuxt,
 * Eleventy, Next.js, tsup, …), or the script that runs a build. They are read from its text, as nothing but the tool can run
 * it; of a configuration whose options are not written out, the plugins that it exports are taken.
 *
 * @param how.isOwnThere the project has a file of options, which a plugin that is called with nothing reads
 * @param how.env for the script, which tools give it with the variables of the `.env` files
 * @returns `undefined` if no script of the folder or of its `package.json` has the plugin
 * @throws IconCatalogError OPTIONS_INVALID if a script computes the options: no command runs with other ones than the build
 */
export async function findWrittenOptions(
  host: Host,
  { isOwnThere = false, env }: { isOwnThere?: boolean; env: Environment },
): Promise<WrittenOptions | undefined> {
  const scripts = await scriptsOf(host.cwd);
  const tests = isOwnThere ? [] : scripts.filter((name) => OF_TESTS.test(name));
  for (const name of [...scripts.filter((one) => !OF_TESTS.test(one)), ...tests]) {
    const text = await host.readFile(join(host.cwd, name));
    if (!HAS_PLUGIN.test(text)) continue;
    const options = await readOptions(text, name, { host, env, isOwnThere });
    if (options instanceof Error)
      throw new IconCatalogError('OPTIONS_INVALID', {
        message: `The command line cannot read the options in ${name}: ${options.message.replace(/\.$/, '')}.`,
        remedy:
          'Put the options into icon-catalog.config.ts (or .js, .json) in this folder, and call the plugin without any: both then read that file.',
        path: name,
      });
    if (options && !(isOwnThere && Object.keys(options).length === 0)) return { name, options };
  }
  return undefined;
}

/** `undefined` if the script only names the plugin; an error if its options cannot be read. */
async function readOptions(
  text: string,
  name: string,
  { host, env, isOwnThere }: { host: Host; env: Environment; isOwnThere: boolean },
): Promise<Options | Error | undefined> {
  // The parser is loaded for the few projects that need it.
  const { PassedOn, readOptionsIn } = await import('../project/read-options.ts');
  const path = join(host.cwd, name);
  const readFile = (file: string): Promise<string> => host.readFile(file);
  const written = await readOptionsIn({ text, path, root: host.cwd, env, readFile });
  // A script that exports nothing is one that builds, whatever its name is.
  const isConfig = name.includes('.config.') && EXPORTS.test(text);
  if (!(written instanceof Error)) return written;
  // A project with a file of options has done what is advised.
  const unread = isOwnThere && written instanceof PassedOn ? undefined : written;
  if (!isConfig) return unread;
  try {
    const found = await findPluginOptions(await evaluate(path, host));
    // Nuxt merges the options under its key with those beside the name of the module.
    const options = name.startsWith('nuxt.') ? Object.assign({}, ...found) : found[0];
    return found.length === 0 ? unread : options;
  } catch {
    return unread;
  }
}

/** Whether a configuration leaves the options to the file of the project. It need not be run then. */
export async function isCalledBare(text: string, path: string): Promise<boolean> {
  const { readOptionsIn } = await import('../project/read-options.ts');
  const readFile = (): Promise<never> => Promise.reject(new Error('not needed'));
  const written = await readOptionsIn({ text, path, root: '', env: {}, readFile });
  return !(written instanceof Error) && Object.keys(written ?? {}).length === 0;
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
