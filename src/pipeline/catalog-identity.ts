import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPublicHost } from '../public-host.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { writeWhole } from '../store/files.ts';
import { sha256Hex, sri512 } from '../store/hash.ts';

export interface CatalogDescription {
  /** What manifests call the catalog. */
  name: string;
  /** Where the relative permalinks of its records lead. */
  siteUrl: string;
}

export interface CatalogIdentity extends CatalogDescription {
  /** Keeps two catalogs apart in caches: a hash of the address, or of what the embedded catalog serves. */
  id: string;
}

/** The embedded catalog's permalinks are paths of this site, which shows the same icon sets. */
const EMBEDDED_SITE = {
  name: 'Icon sets installed with the project',
  siteUrl: 'https://icon-sets.iconify.design/',
};
/** Stands for the site of a catalog that has no public address: nothing links there. */
const NO_PUBLIC_SITE = 'urn:icon-catalog:no-public-site';
/** Stands for a site that the project names itself and that not everybody can reach. */
const PRIVATE_SITE = 'urn:icon-catalog:private-site';
const UNKNOWN: CatalogIdentity = {
  id: 'none',
  name: 'Icon catalog',
  siteUrl: 'urn:icon-catalog:not-configured',
};

export interface PinnedCatalog {
  /** Digest of the description that the lock names; `undefined`: it names none. Asked for last, as a lock takes time to read. */
  digest(): Promise<string | undefined>;
  /** The description of that digest, from wherever bytes lie. */
  find(integrity: string): Promise<Uint8Array | undefined>;
  warn(message: string): void;
}

/**
 * Which catalog the caches are about. A machine without an address (CI on a warm cache) takes what this project used
 * last, so that it finds the same icons and writes the same credits. Where the lock names a catalog, that one counts:
 * all builds from one lock write the same addresses into credits.
 */
export async function catalogIdentity(
  options: ResolvedOptions,
  pinned: PinnedCatalog,
): Promise<CatalogIdentity> {
  const note = join(options.cacheDir, 'projects', `${hash(options.root)}.json`);
  const before = await readFile(note, 'utf8').catch(() => '');
  const given = await configuredCatalog(options);
  const identity = await asPinned(given ?? parseNote(before), pinned);
  const after = JSON.stringify(identity);
  if (given !== undefined && after !== before) await remember(note, after);
  return identity;
}

/**
 * Where the permalinks of a record lead. Its own word counts only if the catalog has no public address and the project names no
 * site, and only if everybody can open the address.
 */
export function siteOfRecord(
  { site_url = '' }: { site_url?: string | undefined },
  siteUrl: string,
): string {
  if (siteUrl !== NO_PUBLIC_SITE || !URL.canParse(site_url)) return siteUrl;
  const { origin, protocol, hostname } = new URL(site_url);
  return protocol === 'https:' && isPublicHost(hostname) ? `${origin}/` : siteUrl;
}

/** Why credits have no links, if that is so; said once a build that makes credits. */
export function warnOfNoSite({ name, siteUrl }: CatalogDescription): string | undefined {
  if (siteUrl !== NO_PUBLIC_SITE && siteUrl !== PRIVATE_SITE) return undefined;
  return `Credits have no links to the catalog, because ${name} is on this machine or in a private network. If the catalog has a public website, name it in \`catalog.site\` or ICON_CATALOG_SITE_URL.`;
}

/** What the lock names by its digest: the same text wherever it is written. */
export function describeCatalog({
  name,
  siteUrl,
  id,
}: CatalogIdentity): { digest: string; bytes: Uint8Array } | undefined {
  if (id === UNKNOWN.id) return undefined;
  const bytes = Buffer.from(JSON.stringify({ name, siteUrl }));
  return { digest: sri512(bytes), bytes };
}

async function asPinned(
  identity: CatalogIdentity | undefined,
  { digest: named, find, warn }: PinnedCatalog,
): Promise<CatalogIdentity> {
  const digest = await named();
  if (digest === undefined) return identity ?? UNKNOWN;
  if (identity !== undefined && describeCatalog(identity)?.digest === digest) return identity;
  const found = parseDescription(await find(digest));
  if (found !== undefined) return { id: identity?.id ?? hash(digest), ...found };
  warn(
    identity === undefined
      ? 'Nothing on this machine tells where the catalog of the lock file is, so credits lead nowhere. Configure the catalog, or commit a vendor file.'
      : `The lock file was written with another catalog than ${identity.name}. Credits lead to ${identity.siteUrl}. If the catalog has moved, run \`npx icon-catalog update\`.`,
  );
  return identity ?? UNKNOWN;
}

/** The catalog that the options name; `undefined` if they name none. */
export async function configuredCatalog({
  catalog,
}: ResolvedOptions): Promise<CatalogIdentity | undefined> {
  if (catalog.kind === 'embedded') {
    const { embeddedIdentity } = await import('../server/installed-sets.ts');
    return { id: hash(`embedded ${await embeddedIdentity(catalog.embedded)}`), ...EMBEDDED_SITE };
  }
  if (catalog.baseUrl === undefined) return undefined;
  const { origin, hostname } = new URL(catalog.site?.url ?? catalog.baseUrl);
  const none = catalog.site === undefined ? NO_PUBLIC_SITE : PRIVATE_SITE;
  const siteUrl = isPublicHost(hostname) ? `${origin}/` : none;
  return { id: hash(catalog.baseUrl), name: catalog.site?.name ?? hostname, siteUrl };
}

function parseNote(text: string): CatalogIdentity | undefined {
  const description = parseDescription(Buffer.from(text));
  if (description === undefined) return undefined;
  const { id } = JSON.parse(text) as Partial<CatalogIdentity>;
  return typeof id === 'string' ? { id, ...description } : undefined;
}

function parseDescription(bytes: Uint8Array | undefined): CatalogDescription | undefined {
  try {
    const { name, siteUrl } = JSON.parse(String(bytes && Buffer.from(bytes))) as CatalogDescription;
    return typeof name === 'string' && URL.canParse(siteUrl) ? { name, siteUrl } : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written is reported once, by the store that needs it more. */
async function remember(note: string, text: string): Promise<void> {
  await writeWhole(note, text).catch(() => undefined);
}

function hash(text: string): string {
  return sha256Hex(text).slice(0, 32);
}
