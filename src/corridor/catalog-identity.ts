import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ResolvedOptions } from '../resolve-options.ts';

export interface CatalogIdentity {
  /** Keeps two catalogs apart in caches: a hash of the address, or of what the embedded catalog serves. */
  id: string;
  /** What manifests call the catalog. */
  name: string;
  /** Where the relative permalinks of its records lead. */
  siteUrl: string;
}

/** The embedded catalog's permalinks are paths of this site, which shows the same icon sets. */
const EMBEDDED_SITE = {
  name: 'Icon sets installed with the project',
  siteUrl: 'https://icon-sets.iconify.design/',
};
const UNKNOWN: CatalogIdentity = {
  id: 'none',
  name: 'Icon catalog',
  siteUrl: 'urn:icon-catalog:not-configured',
};

/**
 * Which catalog the caches are about. A machine without an address (CI on a warm cache) takes what this project used
 * last, so that it finds the same icons and writes the same credits.
 */
export async function catalogIdentity(options: ResolvedOptions): Promise<CatalogIdentity> {
  const note = join(options.cacheDir, 'projects', `${hash(options.root)}.json`);
  const before = await readFile(note, 'utf8').catch(() => '');
  const identity = await configured(options);
  if (identity === undefined) return parseNote(before) ?? UNKNOWN;
  const after = JSON.stringify(identity);
  if (after !== before) await remember(note, after);
  return identity;
}

async function configured({ catalog }: ResolvedOptions): Promise<CatalogIdentity | undefined> {
  if (catalog.kind === 'embedded') {
    const { embeddedIdentity } = await import('../server/identity.ts');
    return { id: hash(`embedded ${await embeddedIdentity(catalog.embedded)}`), ...EMBEDDED_SITE };
  }
  if (catalog.baseUrl === undefined) return undefined;
  const { origin, hostname } = new URL(catalog.baseUrl);
  return { id: hash(catalog.baseUrl), name: hostname, siteUrl: `${origin}/` };
}

function parseNote(text: string): CatalogIdentity | undefined {
  try {
    const { id, name, siteUrl } = JSON.parse(text) as CatalogIdentity;
    return typeof id === 'string' && typeof name === 'string' && URL.canParse(siteUrl)
      ? { id, name, siteUrl }
      : undefined;
  } catch {
    return undefined;
  }
}

async function remember(note: string, text: string): Promise<void> {
  const draft = `${note}.${process.pid}`;
  try {
    await mkdir(dirname(note), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, note);
  } catch {
    // A cache that cannot be written is reported once, by the store that needs it more.
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
