import { expect, it } from 'vitest';
import { createByteSources } from '../../src/pipeline/byte-sources.ts';
import type { ByteSource } from '../../src/store/content-store.ts';
import { sri512 } from '../../src/store/hash.ts';

const RIGHT = Buffer.from('<svg/>');
const WRONG = Buffer.from('<svg onload="alert(1)"/>');
const INTEGRITY = sri512(RIGHT);

/** A place that gives these bytes for every digest, unchecked. */
function byteSourceOf(
  bytes: Uint8Array | undefined,
  more: Partial<ByteSource> = {},
): ByteSource & { reported: string[] } {
  const reported: string[] = [];
  return {
    name: 'place',
    reported,
    get: async () => bytes,
    put: async (integrity) => void reported.push(`put ${integrity === INTEGRITY}`),
    ...more,
  };
}

it('bytes without the digest that was asked for are replaced by those of the next place', async () => {
  const [first, second, third] = [
    byteSourceOf(WRONG),
    byteSourceOf(undefined),
    byteSourceOf(RIGHT),
  ];
  const byteSources = createByteSources([first, second, third], 'locked');
  expect(await byteSources.get(INTEGRITY)).toBe(RIGHT);
  expect([first.reported, second.reported, third.reported]).toEqual([
    ['put true'],
    ['put true'],
    [],
  ]);
  expect(await createByteSources([byteSourceOf(WRONG)], 'offline').get(INTEGRITY)).toBeUndefined();
});

it('they are an error in a place that is committed', async () => {
  const byteSources = createByteSources(
    [byteSourceOf(WRONG, { committed: true }), byteSourceOf(RIGHT)],
    'locked',
  );
  await expect(byteSources.get(INTEGRITY)).rejects.toThrow(
    /LOCK_MISMATCH.*The place holds other bytes/s,
  );
});
