import { onTestFinished } from 'vitest';
import type { Options } from '../../../src/options/options.ts';
import { sri512 } from '../../../src/store/hash.ts';
import {
  createSharedCache,
  type SharedCache,
} from '../../../src/store/shared-cache/create-shared-cache.ts';
import { parseAddress } from '../../../src/store/shared-cache/parse-address.ts';
import { recordingLog } from '../../support/recording-log.ts';

export interface File {
  integrity: string;
  bytes: Buffer;
}

/** Files that no text survives unless it is handled as bytes. */
export function files(count: number, from = 0): File[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.from([0, 255, 128, 13, 10, from + index, 34, 92, 0xed, 0xa0, 0x80]);
    return { integrity: sri512(bytes), bytes };
  });
}

/** One machine of the fleet. */
export function machine(
  sharedCache: Options['sharedCache'],
  {
    env = {},
    root = '/project',
    project = 'shop',
    ...more
  }: {
    env?: Record<string, string>;
    root?: string;
    project?: string;
    timeout?: number;
    wanted?: () => ReadonlySet<string>;
  } = {},
): SharedCache & { lines: string[] } {
  const log = recordingLog();
  const address = parseAddress(sharedCache, { root, env });
  if (address === undefined) throw new Error('no address');
  const cache = createSharedCache({ address, project, log, ...more });
  onTestFinished(() => cache.close());
  return { ...cache, lines: log.lines };
}

export async function give(cache: SharedCache, given: File[]): Promise<void> {
  for (const { integrity, bytes } of given) await cache.put(integrity, bytes);
  await cache.flush();
}

export async function take(
  cache: SharedCache,
  wanted: File[],
): Promise<(Uint8Array | undefined)[]> {
  return Promise.all(wanted.map(({ integrity }) => cache.get(integrity)));
}

export const bytesOf = (given: File[]): Uint8Array[] => given.map(({ bytes }) => bytes);
