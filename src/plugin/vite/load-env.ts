import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const PREFIX = 'ICON_CATALOG_';

/**
 * Our variables of the project's `.env` files, as Vite reads them. Where Vite is a dependency of a dependency (VitePress,
 * Astro with strict package managers), this package cannot reach it; then the same files are read without expanding
 * variables in values.
 */
export async function loadEnv(mode: string, folder: string): Promise<Record<string, string>> {
  const vite = await import('vite').catch(() => undefined);
  if (vite !== undefined) return vite.loadEnv(mode, folder, PREFIX);
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  const entries = texts.flatMap((text) => Object.entries(parseEnv(text)));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[0].startsWith(PREFIX)),
  );
}
