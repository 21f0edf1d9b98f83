import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { replaceFile } from '../store/files.ts';
import { shortHash } from '../store/hash.ts';

/** What a local catalog keeps between its starts, so that `.env.local` stays right. */
export interface Serving {
  host: string;
  port: number;
  /** A made-up pair; `undefined`: the environment has one, which is kept nowhere else. */
  key?: string | undefined;
  secret?: string | undefined;
}

/** Beside the key of the cache, because people copy and share cache folders, and this file has a secret. */
function stateFile({ cacheKey, root }: Pick<ResolvedOptions, 'cacheKey' | 'root'>): string {
  if (cacheKey.file === undefined) throw new Error('there is no home folder.');
  return join(dirname(cacheKey.file), 'serve', `${shortHash(root)}.json`);
}

/** What the last start in this project kept; `undefined` if there is nothing that can be used. */
export async function readServing(
  options: Pick<ResolvedOptions, 'cacheKey' | 'root'>,
): Promise<Serving | undefined> {
  try {
    const { host, port, key, secret } = JSON.parse(
      await readFile(stateFile(options), 'utf8'),
    ) as Partial<Serving>;
    if (typeof host !== 'string' || !Number.isInteger(port) || !port || port > 65_535)
      return undefined;
    const hasPair = [key, secret].every((text) => typeof text === 'string' && text.length >= 16);
    return { host, port, ...(hasPair && { key, secret }) };
  } catch {
    return undefined;
  }
}

/** Fails as the file system does. */
export async function keepServing(
  options: Pick<ResolvedOptions, 'cacheKey' | 'root'>,
  serving: Serving,
): Promise<void> {
  const file = stateFile(options);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, () => Buffer.from(JSON.stringify(serving)));
}

/**
 * Sets variables in the text of an `.env` file. Lines of other variables and comments stay as they are.
 * @returns the new text; the same text if all values are there
 */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const present = parseEnv(text);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  let changed = text;
  for (const [name, value] of Object.entries(variables)) {
    if (present[name] === value) continue;
    const line = `${name}=${value}`;
    const own = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm');
    if (own.test(changed)) changed = changed.replace(own, () => line);
    else changed = `${changed}${changed === '' || changed.endsWith('\n') ? '' : end}${line}${end}`;
  }
  return changed;
}

/**
 * Writes the variables of a local catalog into `.env.local` of a folder.
 *
 * @returns the name of the file; `undefined` if the file names a catalog elsewhere, whose credentials would be lost
 */
export async function writeLocalEnv(
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  let isOurs = true;
  await replaceFile(join(folder, LOCAL_ENV), (present) => {
    const text = present?.toString('utf8') ?? '';
    const url = parseEnv(text)['ICON_CATALOG_URL'] ?? '';
    isOurs = url === '' || (URL.canParse(url) && LOOPBACK.test(new URL(url).hostname));
    return isOurs ? Buffer.from(withVariables(text, variables)) : present;
  });
  return isOurs ? LOCAL_ENV : undefined;
}

const LOCAL_ENV = '.env.local';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;
