import path from 'node:path';
import type { AwsClient } from 'aws4fetch';
import type { Redis } from 'ioredis';
import { createHttpWire } from '../../catalog/wire.ts';
import { IconCatalogError } from '../../errors.ts';
import { readText, writeWhole } from '../files.ts';
import { sha256Hex } from '../hash.ts';
import { CONCURRENCY, HttpFailure } from './guard.ts';
import type { OpenStorage, S3Address, SharedCacheAddress } from './parse-address.ts';

export function nameStorage({ kind }: SharedCacheAddress): string {
  return { redis: 'Redis', s3: 'S3', folder: 'a folder', storage: 'the given storage' }[kind];
}

/**
 * Loads the driver, and nothing of the others. No module imports a package at its top that need not be installed:
 * webpack follows imports from a project's configuration, and keeps no cache where it finds one that leads nowhere.
 *
 * @param options.timeout ms for one answer, where the driver can end it by itself
 * @throws IconCatalogError OPTIONS_INVALID if its package is not installed
 */
export async function openStorage(
  address: SharedCacheAddress,
  options: { timeout: number },
): Promise<OpenStorage> {
  const name = nameStorage(address);
  switch (address.kind) {
    case 'redis': {
      const loading = import('ioredis');
      const Redis = await needing('Redis', { package: 'ioredis', oldest: '5.4', loading }, name);
      return openRedisStorage(address.url, Redis);
    }
    case 's3': {
      const loading = import('aws4fetch');
      const from = { package: 'aws4fetch', oldest: '1.0', loading };
      const Client = await needing('AwsClient', from, name);
      return openS3Storage(address, { ...options, Client });
    }
    case 'folder':
      return openFolderStorage(address.folder);
    case 'storage': {
      const { storage } = address;
      return {
        get: async (key) => storage.getItem(key),
        set: async (key, value) => void (await storage.setItem(key, value)),
        // The project made it and closes it.
        close: async () => undefined,
      };
    }
  }
}

/**
 * A file for each key, in the layout of unstorage's drivers for files: `:` becomes `/`. A file is written aside and
 * renamed, so that no machine reads half of one. A key that leads out of the folder fails.
 */
export function openFolderStorage(folder: string): OpenStorage {
  function fileOf(key: string): string {
    if (!/^[a-z\d-]+(?::[a-z\d-]+)*$/.test(key))
      throw new Error('The key is not a name of a file.');
    return path.join(folder, ...key.split(':'));
  }

  return {
    get: async (key) => readText(fileOf(key)),
    set: async (key, value) => writeWhole(fileOf(key), value),
    close: async () => undefined,
  };
}

/** What a package exports that need not be installed. Projects may have an old version of it for another purpose. */
async function needing<Module, Name extends keyof Module>(
  exported: Name,
  needed: { package: string; oldest: string; loading: Promise<Module> },
  name: string,
): Promise<Module[Name]> {
  try {
    const { [exported]: value } = await needed.loading;
    if (value !== undefined) return value;
  } catch (error) {
    if (!isMissing(error, needed.package)) throw error;
  }
  throw new IconCatalogError('OPTIONS_INVALID', {
    message: `The shared cache is ${name}, which needs the package \`${needed.package}\` (${needed.oldest} or later), and that is not installed.`,
    remedy: `Install it (npm install --save-dev ${needed.package}), or leave \`sharedCache\` and ICON_CATALOG_SHARED_CACHE out.`,
    path: 'sharedCache',
  });
}

function isMissing(error: unknown, dependency: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)) &&
    error.message.includes(dependency)
  );
}

/** Milliseconds until a server must have taken the connection. */
const CONNECT_TIMEOUT = 3000;

/**
 * A Redis server. It connects with the first operation, keeps no process alive, and does not connect again by itself:
 * an operation that finds the connection closed tries once, and what fails counts.
 */
export function openRedisStorage(url: string, Client: typeof Redis): OpenStorage {
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    retryStrategy: () => null,
    reconnectOnError: null,
    maxRetriesPerRequest: 1,
    // Users who may only read and write a few keys may not call INFO and CLIENT.
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  let lastError: Error | undefined;
  let connecting: Promise<unknown> | undefined;
  // Without a listener the library writes to the console.
  client.on('error', (error) => (lastError = error));
  client.on('connect', () => client.stream?.unref?.());

  async function connected(): Promise<void> {
    if (client.status !== 'end') return;
    connecting ??= client.connect().finally(() => (connecting = undefined));
    await connecting;
  }

  async function run<Result>(operation: () => Promise<Result>): Promise<Result> {
    try {
      await connected();
      return await operation();
    } catch (error) {
      // A closed connection says nothing; what closed it does.
      const isClosed = error instanceof Error && /connection is closed/i.test(error.message);
      throw isClosed && lastError !== undefined ? lastError : error;
    }
  }

  return {
    get: (key) => run(() => client.get(key)),
    set: (key, value) => run(async () => void (await client.set(key, value))),
    async close() {
      client.disconnect();
    },
  };
}

/**
 * A bucket of Amazon S3 or of a service that speaks its protocol, with time-outs and with the session tokens that CI
 * systems hand out. No answer is repeated in an error.
 *
 * @param options.timeout ms for an answer
 * @param options.Client of `aws4fetch`, which need not be installed
 */
function openS3Storage(
  { base, region, credentials, env }: S3Address,
  { timeout, Client }: { timeout: number; Client: typeof AwsClient },
): OpenStorage {
  const client = credentials && new Client({ service: 's3', region, ...credentials });
  const wire = createHttpWire({ concurrency: CONCURRENCY, env });

  /** The object's text; `null`: there is none. */
  async function call(method: 'GET' | 'PUT', key: string, body?: string): Promise<string | null> {
    const url = `${base}/${key.replaceAll(':', '/')}`;
    const headers = { 'x-amz-content-sha256': sha256Hex(body ?? '') };
    const request = { method, headers, ...(body !== undefined && { body }) };
    const signed = client && (await client.sign(url, request));
    // A redirect is an answer: a signature is for one address, and a bucket in another region is a mistake in the options.
    const response = await wire.send({
      method,
      url: new URL(url),
      headers: Object.fromEntries(signed?.headers ?? Object.entries(headers)),
      body,
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status >= 200 && response.status < 300)
      return Buffer.from(response.body).toString();
    if (response.status === 404 && method === 'GET') return null;
    throw new HttpFailure(response.status);
  }

  return {
    get: (key) => call('GET', key),
    set: async (key, value) => void (await call('PUT', key, value)),
    close: () => wire.close(),
  };
}
