import type { FetchPort } from '../types.ts';
import { createFetchWire, type Environment, mayFetchAsset, type Wire } from './wire.ts';
import { withDeadline } from './retry.ts';

const TIMEOUT = 5000;
/** The size limit in bytes. Thumbnails have at most 200 px a side. */
const LARGEST = 256 * 1024;
const SIGNATURE = '89504e470d0a1a0a';

/**
 * The PNG files of the addresses in records, or `undefined` for each that cannot or may not be
 * fetched. Redirects are not followed.
 */
export async function fetchImages(
  addresses: readonly string[],
  {
    embedded,
    env,
    ...allowed
  }: {
    embedded: FetchPort | undefined;
    env: Environment;
    baseUrl: string;
    assetHosts: readonly string[] | undefined;
  },
): Promise<(Uint8Array | undefined)[]> {
  const wire = embedded ? createFetchWire(embedded) : await openSockets(env);
  try {
    return await Promise.all(
      addresses.map(async (address) =>
        mayFetchAsset(address, allowed) ? fetchImage(address, wire) : undefined,
      ),
    );
  } finally {
    await wire.close();
  }
}

async function openSockets(env: Environment): Promise<Wire> {
  const { createUndiciWire } = await import('./undici-wire.ts');
  return createUndiciWire({ concurrency: 8, env });
}

async function fetchImage(address: string, wire: Wire): Promise<Uint8Array | undefined> {
  const request = { method: 'GET', url: new URL(address), headers: {}, body: undefined };
  try {
    const { status, body } = await withDeadline((signal) => wire.send({ ...request, signal }), {
      milliseconds: TIMEOUT,
      outer: new AbortController().signal,
    });
    return status === 200 && isPng(body) && body.length <= LARGEST ? body : undefined;
  } catch {
    // A list without one of its pictures is still a list.
    return undefined;
  }
}

export function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).toString('hex') === SIGNATURE;
}
