import type { CatalogSession } from '../catalog/session.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { nameOfId } from '../request/reference.ts';
import { resolveOptions } from '../options/resolve-options.ts';
import type { FetchPort } from '../types.ts';
import type { Host } from './host.ts';

export interface Catalog extends Pick<CatalogSession, 'client' | 'send' | 'close'> {
  /** What the last answer stated about the usage of the key. */
  usage(): { limit: number; usage: number } | undefined;
  /**
   * Adds to the error about an icon that the catalog lacks what is wrong with the name that was
   * given.
   */
  explain(id: string): (error: unknown) => Promise<never>;
  /** Where pictures of icons may be fetched from. */
  assets: { baseUrl: string; assetHosts: readonly string[] | undefined };
  /** In-process requests of the embedded catalog; `undefined` for a service. */
  embedded: FetchPort | undefined;
}

/** This host is never resolved: requests to it end in this process. */
const EMBEDDED_BASE_URL = 'http://embedded.invalid';

/**
 * The catalog that the environment names, or the embedded one over the sets that are installed in
 * the host's folder.
 * @throws IconCatalogError CATALOG_NOT_CONFIGURED, OPTIONS_INVALID
 */
export async function connect(
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
  { embedded }: { embedded: boolean },
): Promise<Catalog> {
  const { catalog, timeout, retries, concurrency } = resolveOptions(
    embedded ? { catalog: 'embedded' } : {},
    { root: cwd, env },
  );
  if (catalog.kind === 'none') {
    throw new IconCatalogError('CATALOG_NOT_CONFIGURED', {
      message: `No catalog is configured: ${catalog.missing.join(', ')} not set.`,
      remedy:
        'Set ICON_CATALOG_URL, ICON_CATALOG_KEY and ICON_CATALOG_SECRET in the environment, or add --embedded to use the icon sets installed in this folder.',
    });
  }
  const { createCatalogSession } = await import('../catalog/session.ts');
  const connection =
    catalog.kind === 'embedded' ? await openEmbedded(cwd) : { ...catalog, fetch: undefined };
  let usage: { limit: number; usage: number } | undefined;
  const { baseUrl, key, secret, fetch } = connection;
  const { client, send, close } = createCatalogSession(
    { baseUrl, key, secret, fetch, timeout, retries, concurrency },
    { env, isBuild: true, onUsage: (monthly) => (usage = monthly) },
  );
  const explain = (id: string) => async (error: unknown) => {
    const name = nameOfId(Number(id));
    const isUnknown = isIconCatalogError(error) && error.code === 'CATALOG_NOT_FOUND';
    if (name === undefined || !isUnknown || catalog.kind !== 'embedded') throw error;
    const { explainUnknownName } = await import('../server/unknown-name.ts');
    throw (await explainUnknownName(name, { root: cwd })) ?? error;
  };
  const assets = {
    baseUrl,
    assetHosts: catalog.kind === 'remote' ? catalog.assetHosts : undefined,
  };
  return { client, send, close, explain, assets, embedded: fetch, usage: () => usage };
}

async function openEmbedded(
  root: string,
): Promise<{ baseUrl: string; key: string; secret: string; fetch: FetchPort }> {
  const { createCatalogServer } = await import('../server.ts');
  const server = createCatalogServer({ root });
  await server.ready();
  return {
    baseUrl: EMBEDDED_BASE_URL,
    ...server.credentials(),
    fetch: (request) => server.fetch(request),
  };
}
