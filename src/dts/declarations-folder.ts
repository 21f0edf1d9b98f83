import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isThere } from '../store/files.ts';
import { isObject } from '../untrusted.ts';

/**
 * The folder of a project for a file of declarations that TypeScript is to find by itself: `usual`, unless the configuration
 * includes others only, such as `resources/js` of Laravel or `app` of Ember.
 * @param name of the file
 * @param usual from the root, with a slash at its end; empty: the root
 * @returns a folder of the same form
 */
export async function declarationsFolder(
  root: string,
  name: string,
  usual: string,
): Promise<string> {
  const included = await includedBy(root);
  const isRead = (folder: string): boolean => included.some(({ test }) => test(folder + name));
  if (isRead(usual)) return usual;
  const folders = included.map(({ folder }) => folder);
  return folders.find((folder) => isRead(folder) && isThere(join(root, folder))) ?? usual;
}

/**
 * Whether the configuration of TypeScript includes a file of declarations.
 * @param file from the root, with slashes
 */
export async function includesDeclarations(root: string, file: string): Promise<boolean> {
  return (await includedBy(root)).some(({ test }) => test(file));
}

interface Included {
  /** Whether a file is meant, from the root. */
  test(file: string): boolean;
  /** The folder before the first wildcard, with a slash at its end; empty: the root. */
  folder: string;
}

/** As where nothing is said, or only by a configuration that is extended. */
const EVERYTHING = '**/*';

/** What `tsconfig.json` or `jsconfig.json` and the configurations that it references include. */
async function includedBy(root: string): Promise<Included[]> {
  const config =
    (await readConfig(root, 'tsconfig.json')) ?? (await readConfig(root, 'jsconfig.json'));
  const referenced = await Promise.all(
    // One that is yet to be generated may include anything.
    (config?.references ?? []).map(
      async (path) => (await readConfig(root, path))?.patterns ?? [EVERYTHING],
    ),
  );
  return [...(config?.patterns ?? [EVERYTHING]), ...referenced.flat()].map(parsePattern);
}

/** Patterns of what a configuration includes, and paths of those that it references; all from the root. */
async function readConfig(
  root: string,
  path: string,
): Promise<{ patterns: string[]; references: string[] } | undefined> {
  const text = await readFile(join(root, path), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { include, files, references } = parseConfig(text);
  const within = (names: unknown[]): string[] =>
    names
      .filter((name) => typeof name === 'string')
      .map((name) => posix.join(posix.dirname(path), name.replace(/^\$\{configDir\}/, '.')));
  const byDefault = Array.isArray(files) ? [] : [EVERYTHING];
  return {
    patterns: within([
      ...(Array.isArray(include) ? include : byDefault),
      ...(Array.isArray(files) ? files : []),
    ]),
    references: within(
      (Array.isArray(references) ? references : []).map((one) => isObject(one) && one['path']),
    ).map((one) => (one.endsWith('.json') ? one : `${one}/tsconfig.json`)),
  };
}

function parsePattern(pattern: string): Included {
  const named = pattern.split('/').filter((part) => part !== '.' && part !== '');
  // A name without an extension is a folder.
  const parts = /[*?.]/.test(named.at(-1) ?? '') ? named : [...named, '**', '*'];
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  const before = parts.slice(0, wild === -1 ? -1 : wild);
  const sources = parts.map((part, at) => {
    if (part === '**') return '(?:[^/]+/)*';
    const escaped = part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    const name = escaped.replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
    return at === parts.length - 1 ? name : `${name}/`;
  });
  const expression = new RegExp(`^${sources.join('')}$`);
  return {
    test: (file) => expression.test(file),
    folder: before.map((part) => `${part}/`).join(''),
  };
}

/** Comments and commas before a bracket are allowed there; strings such as `@/*` hold what looks like a comment. */
function parseConfig(text: string): Record<string, unknown> {
  const without = (source: string, pattern: RegExp): string =>
    source.replace(pattern, (found) => (found.startsWith('"') ? found : ''));
  const plain = without(text, /"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[^]*?\*\/|^\uFEFF/g);
  try {
    const config: unknown = JSON.parse(without(plain, /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g));
    return isObject(config) ? config : {};
  } catch {
    // The compiler reports it.
    return {};
  }
}
