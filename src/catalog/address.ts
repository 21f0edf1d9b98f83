import { IconCatalogError } from '../errors.ts';
import { isPublicHost } from '../public-host.ts';
import type { Call } from './arguments.ts';
import { percentEncode } from './oauth.ts';

/**
 * The base address without a trailing slash. @throws IconCatalogError OPTIONS_INVALID, without the address: it may hold
 * a password
 */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain =
    url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(baseUrl);
  if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message:
        'The base address of the catalog must be an http or https address without user, query and fragment.',
      path: 'baseUrl',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Whether an asset address of a record may be fetched. A record is untrusted: without `assetHosts` any https host counts, and
 * hosts of this machine and of private networks only if the catalog itself is on such a host.
 */
export function mayFetchAsset(
  address: string,
  { baseUrl, assetHosts }: { baseUrl: string; assetHosts?: readonly string[] | undefined },
): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, host, origin, username } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== '') return false;
  const catalog = new URL(baseUrl);
  if (origin === catalog.origin) return true;
  if (assetHosts !== undefined)
    return assetHosts.some((allowed) => allowed === hostname || allowed === host);
  if (!isPublicHost(hostname)) return !isPublicHost(catalog.hostname);
  return protocol === 'https:';
}

/**
 * A space is written `%20`, never `+`: servers answer the latter with 401.
 * @throws IconCatalogError CATALOG_BAD_REQUEST for a path that would lead to another host
 */
export function addressOf(base: string, { path, query }: Call): URL {
  if (!path.startsWith('/')) {
    const message = 'The path of a call must begin with "/". Nothing was sent.';
    throw new IconCatalogError('CATALOG_BAD_REQUEST', { message, path: 'path' });
  }
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`);
  const separator = path.includes('?') ? '&' : '?';
  return new URL(`${base}${path}${pairs.length === 0 ? '' : `${separator}${pairs.join('&')}`}`);
}
