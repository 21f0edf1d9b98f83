import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOptions } from '../check-options.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Options } from '../options.ts';
import { readWhole } from '../store/read-whole.ts';
import { OPTIONS_FILES } from './file-names.ts';
import { importDefault } from './import-default.ts';
import { loadExport } from './load-export.ts';

/** Files that were written while they were loaded, in this process. */
let torn = 0;

export interface OptionsFile {
  /** Absolute. */
  path: string;
  /** Hash of what is in it; other files that it imports do not count. */
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

/** The file of a project that exports the plugin's options; `undefined` where there is none. */
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
      // A module is known by its version: what another text gave must not be found again under this one.
      if ((await versionOf(path)) !== version) return void (torn += 1);
      if (loaded.status === 'rejected') throw loaded.reason;
      return loaded.value;
    },
  };
}

async function versionOf(path: string): Promise<string | undefined> {
  const bytes = await readWhole(path).catch(() => undefined);
  return bytes && createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/**
 * Options that the project's own file exports; none where it has no such file.
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
  if (!isPlain(exported)) {
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
  // "type" of package.json says what a script is that has no letter for it.
  const isModule = /\.[jt]s$/.test(name) && /Unexpected token 'export'/.test(String(cause));
  if (isModule) return `Rename it to ${name.replace(/(?=[jt]s$)/, 'm')}: it is a module.`;
  return `Correct ${name}, or pass the options to the plugin: then it is not read.`;
}

/** Messages of Node name the importing file in full. */
function withoutRoot(cause: unknown, root: string): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  return said.replaceAll(join(root, '/'), '');
}

function isPlain(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
