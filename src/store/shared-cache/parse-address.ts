import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { IconCatalogError } from '../../errors.ts';
import type { Environment, SharedStorage } from '../../types.ts';

/** Where the shared cache is. Holds credentials: never to be printed. */
export type SharedCacheAddress = { readonly: boolean } & (
  | { kind: 'redis'; url: string }
  | ({ kind: 's3' } & S3Address)
  /** `folder` is absolute. */
  | { kind: 'folder'; folder: string }
  | { kind: 'storage'; storage: SharedStorage }
);

export interface S3Address {
  /** Address of the objects, with bucket and prefix, without a slash at its end. */
  base: string;
  region: string;
  /** Without them the bucket is read anonymously. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
  /** For proxies. */
  env: Environment;
}

/** Two letters or more: `C:` is a drive. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;
const READONLY = /\?readonly(=[^&]*)?$/i;

/**
 * Reads the option `sharedCache`, or ICON_CATALOG_SHARED_CACHE where the option is not given.
 *
 * @param from.root folders are relative to it
 * @throws IconCatalogError OPTIONS_INVALID; never repeats an address, since addresses hold passwords
 */
export function parseAddress(
  option: SharedStorage | string | undefined,
  { root, env }: { root: string; env: Environment },
): SharedCacheAddress | undefined {
  const readonly = isSet(env['ICON_CATALOG_SHARED_CACHE_READONLY']);
  if (typeof option === 'object') return { kind: 'storage', storage: option, readonly };
  const text = (option ?? env['ICON_CATALOG_SHARED_CACHE'] ?? '').trim();
  if (text === '') return undefined;
  const where = option === undefined ? 'ICON_CATALOG_SHARED_CACHE' : '`sharedCache`';
  const address = parseText(text, { where, root, env });
  return { ...address, readonly: readonly || address.readonly };
}

function parseText(
  text: string,
  { where, root, env }: { where: string; root: string; env: Environment },
): SharedCacheAddress {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const readonly = READONLY.exec(text);
    const folder = path.resolve(root, text.replace(READONLY, ''));
    return { kind: 'folder', folder, readonly: readonly !== null && isAsked(readonly[1]) };
  }
  if (!URL.canParse(text)) throw refusal(`${where} is an address that cannot be read.`);
  const url = new URL(text);
  const readonly = url.searchParams.get('readonly');
  const common = { readonly: readonly !== null && isAsked(`=${readonly}`) };
  const allow = (...names: string[]): void => {
    const unknown = [...url.searchParams.keys()].find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw refusal(
        `${where} has a parameter ${JSON.stringify(unknown)}, which a ${scheme} address does not know (${names.join(', ')}).`,
      );
    }
  };
  switch (scheme) {
    case 'redis':
    case 'rediss':
      allow('readonly');
      if (url.hostname === '') throw refusal(`${where} is a Redis address without a host.`);
      // The driver's library would take every parameter for an option of its own.
      url.search = '';
      return { kind: 'redis', url: url.href, ...common };
    case 's3':
      allow('endpoint', 'region', 'readonly');
      return { kind: 's3', ...parseS3(url, { where, env }), ...common };
    case 'file':
      allow('readonly');
      url.search = '';
      return { kind: 'folder', folder: toPath(url, where), ...common };
    default:
      throw refusal(`${where} has the scheme ${JSON.stringify(scheme)}, which is not known.`);
  }
}

function toPath(url: URL, where: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw refusal(`${where} is a file: address that is no path on this machine.`);
  }
}

function parseS3(
  url: URL,
  { where, env }: { where: string; env: Environment },
): Omit<S3Address, 'kind'> {
  const bucket = url.hostname;
  if (bucket === '') throw refusal(`${where} is an S3 address without a bucket.`);
  if (url.username !== '' || url.password !== '') {
    throw refusal(`${where} holds credentials, which for S3 come from the environment.`);
  }
  const endpoint =
    url.searchParams.get('endpoint') ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const region = url.searchParams.get('region') ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  if (!endpoint && !region) {
    throw refusal(`${where} is an S3 address without a region or an endpoint.`);
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  const service = endpoint
    ? `${checkEndpoint(endpoint, where)}/${bucket}`
    : amazon(bucket, region ?? '');
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const credentials =
    accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
      : undefined;
  return { base: `${service}${prefix}`, region: region ?? 'us-east-1', credentials, env };
}

/** A dot in the bucket's name does not fit the certificate of its own host. */
function amazon(bucket: string, region: string): string {
  return bucket.includes('.')
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
}

function checkEndpoint(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw refusal(
    `${where} has an endpoint that is no http or https address, or holds a user or parameters.`,
  );
}

function isAsked(value = ''): boolean {
  return isSet(value.replace(/^=/, '') || '1');
}

function isSet(value = ''): boolean {
  return !['', '0', 'false'].includes(value.trim().toLowerCase());
}

function refusal(message: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message,
    remedy:
      'Write redis://host:6379, rediss://user:password@host:6379, s3://bucket/prefix?region=eu-central-1 or s3://bucket?endpoint=https://s3.example, the path of a folder, or give a storage with `getItem` and `setItem`, such as one of unstorage.',
    path: 'sharedCache',
  });
}

/** A storage of texts by key. An operation fails with the error of the storage behind it. */
export interface OpenStorage {
  /** `null` or `undefined`: not there. Anything else is what somebody stored. */
  get(key: string): Promise<unknown>;
  set(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}
