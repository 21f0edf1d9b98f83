import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { parseEnv } from 'node:util';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { isObject } from '../untrusted.ts';
import { isThere, readWhole } from '../store/files.ts';
import { sha256Hex } from '../store/hash.ts';
import type { Environment } from '../types.ts';
import { importDefault, importVite, readPackage } from './import-default.ts';
import type { Options } from './options.ts';
import { checkOptions } from './schema.ts';

/** Files that were written while they were loaded, in this process. */
let torn = 0;

export interface OptionsFile {
  /** Absolute. */
  path: string;
  /** Hash of its content; other files that it imports are not part of it. */
  version: string;
  /**
   * `undefined`: it was written meanwhile, and is to be looked for again.
   * @param check of what it exports, besides the shape
   * @throws IconCatalogError OPTIONS_INVALID, which names the file
   */
  load(check?: (options: Options) => void): Promise<Options | undefined>;
}

/** Paths at which a project may have its options. */
export function optionsPaths(root: string): string[] {
  return OPTIONS_FILES.map((name) => join(root, name));
}

/**
 * The root of a project whose bundler works in a folder of it, such as `root: 'src'` of Vite: the folder of the file of
 * options, up to that of the package, since commands read it there.
 * @param root of the bundler, absolute
 * @returns `root` if there is no such file
 */
export function rootWithOptions(root: string): string {
  const folders = [root];
  for (let folder = root; !isThere(join(folder, 'package.json')); folders.push(folder)) {
    if (folder === dirname(folder)) return root;
    folder = dirname(folder);
  }
  return folders.find((folder) => optionsPaths(folder).some(isThere)) ?? root;
}

/** The file of a project that exports the plugin's options; `undefined` if there is none. */
export async function findOptionsFile(root: string): Promise<OptionsFile | undefined> {
  const present = new Set(await readdir(root).catch(() => []));
  const name = OPTIONS_FILES.find((one) => present.has(one));
  if (name === undefined) return undefined;
  const path = join(root, name);
  const version = await versionOf(path);
  if (version === undefined) return undefined;
  return {
    path,
    version,
    async load(check = checkOptions) {
      const [loaded] = await Promise.allSettled([load({ name, path, root, version, check })]);
      // Node caches a module by its version: the exports of another text must not be found under this one.
      if ((await versionOf(path)) !== version) return void (torn += 1);
      if (loaded.status === 'rejected') throw loaded.reason;
      return loaded.value;
    },
  };
}

async function versionOf(path: string): Promise<string | undefined> {
  const bytes = await readWhole(path).catch(() => undefined);
  return bytes && sha256Hex(bytes).slice(0, 16);
}

/**
 * Options that the project's own file exports; none if there is no such file.
 * @throws IconCatalogError OPTIONS_INVALID, which names the file
 */
export async function readProjectOptions(root: string): Promise<Options> {
  const file = await findOptionsFile(root);
  if (file === undefined) return {};
  return (await file.load()) ?? readProjectOptions(root);
}

async function load({
  name,
  path,
  root,
  version,
  check,
}: {
  name: string;
  path: string;
  root: string;
  version: string;
  check: (options: Options) => void;
}): Promise<Options> {
  const exported = await loadExport(path, {
    readFile: (file) => readFile(file, 'utf8'),
    importDefault: (file) => importDefault(file, torn === 0 ? version : `${version}-${torn}`),
  }).catch((cause: unknown) => {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `${name} cannot be loaded: ${withoutRoot(cause, root)}`,
      remedy: remedyOf(cause, name),
      path: name,
      cause,
    });
  });
  if (!isObject(exported)) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `${name} exports no options: its default export is ${kindOf(exported)}.`,
      remedy: 'Write `export default { … }` with the options of the plugin.',
      path: name,
    });
  }
  try {
    check(exported);
  } catch (error) {
    if (!isIconCatalogError(error)) throw error;
    const { reason: message, remedy, path: option } = error;
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `${name}: ${message}`,
      remedy,
      path: option,
    });
  }
  return exported;
}

function remedyOf(cause: unknown, name: string): string {
  // "type" of package.json decides what a script is whose extension does not.
  const isModule = /\.[jt]s$/.test(name) && /Unexpected token 'export'/.test(String(cause));
  if (isModule) return `Rename it to ${name.replace(/(?=[jt]s$)/, 'm')}: it is a module.`;
  return `Correct ${name}, or pass the options to the plugin: then the file is not read.`;
}

/** Messages of Node name the importing file in full. */
function withoutRoot(cause: unknown, root: string): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  return said.replaceAll(join(root, '/'), '');
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** How files of the project are read. */
export interface ModuleReader {
  /** Reads the text of a file. Fails as the file system does. */
  readFile(path: string): Promise<string>;
  /** Loads the default export of a JavaScript module of the project. Fails as its import does. */
  importDefault(path: string): Promise<unknown>;
}

/**
 * The default export of a configuration.
 * @param file absolute path of a script or of a JSON file
 * @throws Error as the file itself or its import does
 */
export async function loadExport(file: string, reader: ModuleReader): Promise<unknown> {
  if (file.endsWith('.json')) return withoutSchema(parseJson(await reader.readFile(file)));
  try {
    return await reader.importDefault(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    return bundled(file);
  }
}

/** `$schema` is for editors. */
function withoutSchema(options: unknown): unknown {
  if (!isObject(options)) return options;
  const { $schema: _, ...rest } = options;
  return rest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Some messages quote the text around the fault, which may be a secret.
    const { message } = error as SyntaxError;
    throw new SyntaxError(message.replace(/,? (?:\.{3})?".*" is not valid JSON/s, ''));
  }
}

/** Node before 22.18 does not read TypeScript by itself; Vite does if it is installed. */
async function bundled(file: string): Promise<unknown> {
  const vite = await importVite(dirname(file));
  if (vite === undefined) {
    throw new Error(
      'this Node reads no TypeScript. Use Node 22.18 or newer, install vite, or write the configuration in JavaScript.',
    );
  }
  const env = { command: 'build', mode: 'production' } as const;
  const loaded = await vite.loadConfigFromFile(env, file, dirname(file), 'silent');
  return loaded?.config;
}

export const SCRIPTS: readonly string[] = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];

/** Scripts that the commands of a `package.json` run: `node ./tools/build.mjs` runs `tools/build.mjs`. */
export function scriptsIn(commands: Readonly<Record<string, string>>): string[] {
  const all = Object.values(commands).join('\n');
  return (all.match(/[\w@./-]+\.[cm]?[jt]s\b/g) ?? []).map((name) => posix.normalize(name));
}

/** Scripts at the top of a folder, those of Storybook, and those that commands of its `package.json` run. */
export async function scriptsOf(root: string): Promise<string[]> {
  const top = (await readdir(root).catch(() => [])).filter((name) => /\.[cm]?[jt]s$/.test(name));
  const storybook = SCRIPTS.map((extension) => `.storybook/main.${extension}`);
  const run = scriptsIn((await readPackage(root))?.manifest.scripts ?? {});
  const others = [...storybook, ...run].filter((name) => isThere(join(root, name)));
  return [...new Set([...top.toSorted(), ...others])];
}

/** The names of files of options, without their extension. */
export const OWN = 'icon-catalog.config';

/** They are tried in this order; the first that exists is used. */
export const OPTIONS_FILES: readonly string[] = [...SCRIPTS, 'json'].map(
  (extension) => `${OWN}.${extension}`,
);

const PREFIX = 'ICON_CATALOG_';

/** `$NAME`, `${NAME}` or `${NAME:-default}`, unless a backslash precedes it. */
const REFERENCE = /(?<!\\)\$(?:\{([^{}]+)\}|([A-Za-z_]\w*))/;

/** The most references that one value may need. Only a value that refers to itself needs more. */
const MOST_REFERENCES = 100;

/**
 * The environment with our variables of the `.env` files in `folder`, by Vite's rules: `.env`, `.env.local`,
 * `.env.[mode]`, `.env.[mode].local`, later files win, and the environment wins over all of them. Vite's own `loadEnv`
 * is not used, because it prints what it returns under `--debug`, and what it returns here is a secret.
 * @param how.prefix of the variables that are read. @default ICON_CATALOG_
 */
export async function loadEnv(
  env: Environment,
  { mode, folder, prefix = PREFIX }: { mode: string; folder: string; prefix?: string },
): Promise<Environment> {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  const written: Environment = Object.assign({}, ...texts.map((text) => parseEnv(text)));
  const known = { ...written, ...env };
  const ours = Object.keys(written).filter((name) => name.startsWith(prefix));
  return {
    ...Object.fromEntries(ours.map((name) => [name, expand(written[name] ?? '', known)])),
    ...env,
  };
}

function expand(value: string, known: Environment): string {
  let expanded = value;
  for (let count = 0; ; count += 1) {
    const [reference, braced, name = ''] = REFERENCE.exec(expanded) ?? [];
    if (reference === undefined) return expanded.replaceAll('\\$', '$');
    const next = count < MOST_REFERENCES ? resolve(braced ?? name, known) : '';
    expanded = expanded.replace(reference, () => next);
  }
}

/** @param expression `NAME`, `NAME:-default`, `NAME-default`, `NAME:+value` or `NAME+value` */
function resolve(expression: string, known: Environment): string {
  const [, name = '', operator = '', word = ''] =
    /^(.*?)(?:(:?[-+])(.*))?$/s.exec(expression) ?? [];
  if (operator.endsWith('+')) return known[name] ? word : '';
  return known[name] || word;
}
