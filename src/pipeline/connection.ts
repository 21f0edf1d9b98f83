import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { CatalogSession } from '../catalog/session.ts';
import type { Environment, ResolvedCatalog, ResolvedOptions } from '../options/resolve-options.ts';
import { nameOfId } from '../request/reference.ts';
import type { FetchPort } from '../types.ts';

interface CatalogUsage {
  limit: number;
  usage: number;
}

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
   * The one client of this process for these options; loads the signer and undici on first use.
   * @throws IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID
   */
  session(): Promise<CatalogSession>;
  /** Where the catalog is, for files that its records name. @throws as `session` does */
  access(): Promise<Pick<Access, 'baseUrl' | 'fetch'>>;
  /** Signed calls since the last `resetBuild`. */
  calls(): number;
  usage(): CatalogUsage | undefined;
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
  /** Whether a call is certain, so that sockets are loaded together with the signer. @default true */
  isCalled?: boolean | undefined;
  /** Called for every signed call, before it is sent; what it throws keeps the call from being sent. */
  onCall?: (() => void) | undefined;
}

/**
 * The one place that opens a catalog, for builds, `createIcons` and commands. It does so at the first call that needs it:
 * a warm build loads neither client nor embedded catalog. Credentials go straight into the client's closure.
 */
export function createCatalogConnection(
  options: ResolvedOptions,
  { fetch, warn, env, isCalled = true, onCall }: ConnectionInput,
): CatalogConnection {
  let opened: Promise<{ session: CatalogSession; access: Access }> | undefined;
  let current: CatalogSession | undefined;
  let usage: CatalogUsage | undefined;
  let isSkewReported = false;

  async function open(): Promise<{ session: CatalogSession; access: Access }> {
    // The first call needs sockets as well as a signature. Code that others load once it is made must not hold it up.
    const needsSockets = isCalled && options.catalog.kind === 'remote' && fetch === undefined;
    const [{ createCatalogSession }] = await Promise.all([
      import('../catalog/session.ts'),
      needsSockets && import('../catalog/undici-wire.ts').then((wire) => wire.prepareSockets()),
    ]);
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
  const [count, unit] =
    seconds >= 7200
      ? [Math.round(seconds / 3600), 'hours']
      : seconds >= 120
        ? [Math.round(seconds / 60), 'minutes']
        : [seconds, 'seconds'];
  const side = milliseconds > 0 ? 'behind' : 'ahead of';
  return `The clock of this machine is ${count} ${unit} ${side} the catalog's. Calls were refused for it and sent again with the catalog's time, and each of them counts. Set the clock right.`;
}

async function accessOf(
  { catalog }: ResolvedOptions,
  fetch: FetchPort | undefined,
): Promise<Access> {
  if (catalog.kind === 'none') {
    throw new IconCatalogError('CATALOG_NOT_CONFIGURED', {
      message: `No catalog is configured: ${catalog.missing.join(', ')} not set.`,
    });
  }
  if (catalog.kind === 'remote') {
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

/**
 * The error that a catalog gave for an icon. If the project wrote a name of the embedded catalog, the result says what is
 * wrong with that name instead of speaking of its id.
 */
export async function explainName(
  error: unknown,
  { id, catalog }: { id: number; catalog: ResolvedCatalog },
): Promise<unknown> {
  const name = nameOfId(id);
  if (name === undefined || catalog.kind !== 'embedded' || !isIconCatalogError(error)) return error;
  const { code, icon, path } = error;
  const hasNoIcons = code === 'OPTIONS_INVALID' && icon === undefined && path === undefined;
  if (code !== 'CATALOG_NOT_FOUND' && !hasNoIcons) return error;
  const { explainUnknownName } = await import('../server/unknown-name.ts');
  return (await explainUnknownName(name, catalog.embedded)) ?? error;
}
