import { IconCatalogError } from '../errors.ts';
import type { CatalogSession } from '../catalog/session.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { FetchPort } from '../types.ts';

interface CatalogUsage {
  limit: number;
  usage: number;
}

export interface CatalogConnection {
  /** The one client of this process for these options; loads the signer and undici on first use. */
  session(): Promise<CatalogSession>;
  /** Signed calls since the last `resetBuild`. */
  calls(): number;
  usage(): CatalogUsage | undefined;
  /** True where an earlier failure keeps further calls from being sent. */
  isStopped(): boolean;
  resetBuild(): void;
  close(): Promise<void>;
}

/**
 * Opens the catalog only when an icon must be fetched: a warm build loads neither client nor embedded catalog.
 * Credentials go straight into the client's closure.
 */
export function createCatalogConnection(
  options: ResolvedOptions,
  { fetch, warn }: { fetch: FetchPort | undefined; warn: (message: string) => void },
): CatalogConnection {
  let opened: Promise<CatalogSession> | undefined;
  let current: CatalogSession | undefined;
  let usage: CatalogUsage | undefined;
  let isSkewReported = false;

  async function open(): Promise<CatalogSession> {
    // The first call needs sockets as well as a signature. Code that others load once it is made must not hold it up.
    const needsSockets = options.catalog.kind === 'remote' && fetch === undefined;
    const [{ createCatalogSession }] = await Promise.all([
      import('../catalog/session.ts'),
      needsSockets && import('../catalog/undici-wire.ts').then((wire) => wire.prepareSockets()),
    ]);
    const { concurrency, timeout, retries, budget } = options;
    current = createCatalogSession(
      { ...(await credentials(options, fetch)), concurrency, timeout, retries },
      {
        budget,
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
    return current;
  }

  return {
    session() {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    calls: () => current?.calls() ?? 0,
    usage: () => usage,
    isStopped: () => current?.isStopped() ?? false,
    resetBuild() {
      isSkewReported = false;
      current?.resetBuild();
    },
    async close() {
      const session = await opened?.catch(() => undefined);
      opened = undefined;
      current = undefined;
      await session?.close();
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

async function credentials(
  { catalog }: ResolvedOptions,
  fetch: FetchPort | undefined,
): Promise<{ baseUrl: string; key: string; secret: string; fetch?: FetchPort }> {
  if (catalog.kind === 'none') {
    throw new IconCatalogError('CATALOG_NOT_CONFIGURED', {
      message: `An icon must be fetched, but no catalog is configured (${catalog.missing.join(', ')} not set).`,
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
  // Metering oneself makes no sense, unless the project gave keys to try just that.
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
