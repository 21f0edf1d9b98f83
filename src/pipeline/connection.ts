import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogSession } from '../catalog/session.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { Environment, ResolvedCatalog, ResolvedOptions } from '../options/resolve-options.ts';
import { isPublicHost } from '../untrusted.ts';
import { writeWhole } from '../store/files.ts';
import { shortHash, sri512 } from '../store/hash.ts';
import type { FetchPort } from '../types.ts';
import { nameOfId } from '../request/reference.ts';

/** Where the catalog is, and who may call it. It never leaves the connection but for the address and `fetch`. */
interface Access {
  baseUrl: string;
  key: string;
  secret: string;
  /** Used instead of sockets: the embedded catalog of this process, or what the host brought. */
  fetch?: FetchPort | undefined;
}

export interface CatalogConnection {
  /**
   * The one client of this process for these options; loads the signer on first use.
   * @throws IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID; OFFLINE_MISSING for a service in the mode `offline`
   */
  session(): Promise<CatalogSession>;
  /** Settles once a build may send calls and add to the lock. To be awaited before anything that other processes wait for. */
  mayCall(): Promise<void>;
  /** Where the catalog is, for files that its records name. @throws as `session` does */
  access(): Promise<Pick<Access, 'baseUrl' | 'fetch'>>;
  /** Signed calls since the last `resetBuild`. */
  calls(): number;
  /** Calls of this month; `undefined` if no limit is stated. */
  usage(): { limit: number; usage: number } | undefined;
  /** True if an earlier failure keeps further calls from being sent. */
  isStopped(): boolean;
  resetBuild(): void;
  close(): Promise<void>;
}

export interface ConnectionInput {
  fetch?: FetchPort | undefined;
  warn(message: string): void;
  /** Where proxies are named. @default process.env */
  env?: Environment | undefined;
  /** Called for every signed call, before it is sent; what it throws keeps the call from being sent. */
  onCall?: (() => void) | undefined;
  /** Settles once calls may be sent and the lock may grow. */
  mayCall?: (() => Promise<void>) | undefined;
}

/**
 * The one place that opens a catalog, for builds, `createIcons` and commands. It does so at the first call that needs it:
 * a warm build loads neither client nor embedded catalog. Credentials go straight into the client's closure.
 */
export function createCatalogConnection(
  options: ResolvedOptions,
  { fetch, warn, env, onCall, mayCall }: ConnectionInput,
): CatalogConnection {
  let opened: Promise<{ session: CatalogSession; access: Access }> | undefined;
  let current: CatalogSession | undefined;
  let usage: ReturnType<CatalogConnection['usage']>;
  let isSkewReported = false;

  async function open(): Promise<{ session: CatalogSession; access: Access }> {
    const { createCatalogSession } = await import('../catalog/session.ts');
    const { concurrency, timeout, retries, budget } = options;
    const access = await accessOf(options, fetch);
    current = createCatalogSession(
      { ...access, concurrency, timeout, retries },
      {
        budget,
        env,
        onCall,
        isBuild: true,
        onUsage(monthly) {
          usage = monthly.limit < UNLIMITED ? monthly : undefined;
        },
        onSkew(milliseconds) {
          if (!isSkewReported) warn(describeSkew(milliseconds));
          isSkewReported = true;
        },
      },
    );
    return { session: current, access };
  }

  const openOnce = (): ReturnType<typeof open> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));

  return {
    session: async () => (await openOnce()).session,
    mayCall: async () => mayCall?.(),
    async access() {
      const { baseUrl, fetch } = (await openOnce()).access;
      return { baseUrl, fetch };
    },
    calls: () => current?.calls() ?? 0,
    usage: () => usage,
    isStopped: () => current?.isStopped() ?? false,
    resetBuild() {
      isSkewReported = false;
      current?.resetBuild();
    },
    async close() {
      const last = await opened?.catch(() => undefined);
      opened = undefined;
      current = undefined;
      await last?.session.close();
    },
  };
}

function describeSkew(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  const [size, unit] =
    seconds >= 7200 ? [3600, 'hours'] : seconds >= 120 ? [60, 'minutes'] : [1, 'seconds'];
  const count = Math.round(seconds / size);
  const side = milliseconds > 0 ? 'behind' : 'ahead of';
  return `The clock of this machine is ${count} ${unit} ${side} the catalog's. Calls were refused for it and sent again with the catalog's time, and each of them counts. Set the clock right.`;
}

async function accessOf(
  { catalog, mode }: ResolvedOptions,
  fetch: FetchPort | undefined,
): Promise<Access> {
  if (catalog.kind === 'none') {
    throw new IconCatalogError('CATALOG_NOT_CONFIGURED', { message: catalog.reason });
  }
  if (catalog.kind === 'remote') {
    if (mode === 'offline')
      throw new IconCatalogError('OFFLINE_MISSING', {
        message: 'The mode is `offline`, in which the catalog is not asked.',
        remedy:
          'The mode comes from `mode` in the options or from ICON_CATALOG_MODE. Set it to `online` for what needs the catalog.',
      });
    const { baseUrl, key, secret } = catalog;
    return { baseUrl, key, secret, ...(fetch && { fetch }) };
  }
  const [{ createCatalogServer }, { randomUUID }] = await Promise.all([
    import('../server.ts'),
    import('node:crypto'),
  ]);
  // The embedded catalog has no limits, unless the project gave keys to try them.
  const own = { key: randomUUID(), secret: randomUUID(), monthlyLimit: UNLIMITED };
  const server = createCatalogServer({ ...catalog.embedded, keys: catalog.embedded.keys ?? [own] });
  // A set that is not installed is a mistake in the options, not a catalog that fails to answer.
  await server.ready();
  return {
    baseUrl: EMBEDDED_BASE_URL,
    ...server.credentials(),
    fetch: (request) => server.fetch(request),
  };
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Never resolved: requests to it end in this process. */
const EMBEDDED_BASE_URL = 'http://embedded.invalid';

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

interface PinnedCatalog {
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
  const note = join(options.cacheDir, 'projects', `${shortHash(options.root)}.json`);
  const before = await readFile(note, 'utf8').catch(() => '');
  const given = await configuredCatalog(options);
  const identity = await asPinned(given ?? parseNote(before), pinned);
  const after = JSON.stringify(identity);
  // A cache that cannot be written is reported once, by the store that needs it more.
  if (given !== undefined && after !== before) await writeWhole(note, after).catch(() => undefined);
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
  if (found !== undefined) return { id: identity?.id ?? shortHash(digest), ...found };
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
    return {
      id: shortHash(`embedded ${await embeddedIdentity(catalog.embedded)}`),
      ...EMBEDDED_SITE,
    };
  }
  if (catalog.baseUrl === undefined) return undefined;
  const { origin, hostname } = new URL(catalog.site?.url ?? catalog.baseUrl);
  const none = catalog.site === undefined ? NO_PUBLIC_SITE : PRIVATE_SITE;
  const siteUrl = isPublicHost(hostname) ? `${origin}/` : none;
  return { id: shortHash(catalog.baseUrl), name: catalog.site?.name ?? hostname, siteUrl };
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

/**
 * The error that a catalog gave for an icon. If the project wrote a name of the embedded catalog, the result says what is
 * wrong with that name instead of speaking of its id.
 */
export async function explainName(
  error: unknown,
  { id, catalog }: { id: number; catalog: ResolvedCatalog },
): Promise<unknown> {
  const name = nameOfId(id, catalog);
  if (name === undefined || catalog.kind !== 'embedded' || !isIconCatalogError(error)) return error;
  const { code, icon, path } = error;
  const hasNoIcons = code === 'OPTIONS_INVALID' && icon === undefined && path === undefined;
  if (code !== 'CATALOG_NOT_FOUND' && !hasNoIcons) return error;
  const { explainUnknownName } = await import('../server/unknown-name.ts');
  return (await explainUnknownName(name, catalog.embedded)) ?? error;
}
