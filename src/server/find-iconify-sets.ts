import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { IconifyJSON } from '@iconify/types';

export const SCOPE = '@iconify-json';

/** Folders of the installed `@iconify-json/*` packages that `root` can see, by prefix; the nearest wins. */
export function findIconifySets(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const scope = join(folder, 'node_modules', SCOPE);
    for (const prefix of existsSync(scope) ? readdirSync(scope).sort() : []) {
      if (!found.has(prefix) && existsSync(join(scope, prefix, 'icons.json'))) {
        found.set(prefix, join(scope, prefix));
      }
    }
    if (dirname(folder) === folder) return found;
  }
}

/** The folder of one set as Node resolves it, for package managers without a `node_modules` to look into. */
export function resolveIconifySet(root: string, prefix: string): string | undefined {
  try {
    return dirname(
      createRequire(join(resolve(root), 'package.json')).resolve(`${SCOPE}/${prefix}/icons.json`),
    );
  } catch {
    // Not installed.
    return undefined;
  }
}

const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;

/** What the licence file of a set's package, or of a folder of drawings, says; `undefined` if there is none. */
export async function readLicenseText(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const [name] = names.filter((each) => LICENSE_FILE.test(each)).sort();
  if (name === undefined) return undefined;
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}

/** Names of the icons of an installed set, hidden ones left out; none if its file cannot be read. */
export function readSetNames(folder: string): string[] {
  try {
    const set = JSON.parse(readFileSync(join(folder, 'icons.json'), 'utf8')) as IconifyJSON;
    const icons = Object.entries({ ...set.aliases, ...set.icons });
    return icons.flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]));
  } catch {
    // The embedded catalog reports it when an icon is asked for.
    return [];
  }
}
