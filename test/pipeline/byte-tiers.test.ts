import { expect, it } from 'vitest';
import { createByteTiers } from '../../src/pipeline/byte-sources.ts';
import type { ByteTier } from '../../src/store/byte-source.ts';
import { sri512 } from '../../src/store/hash.ts';

const RIGHT = Buffer.from('<svg/>');
const WRONG = Buffer.from('<svg onload="alert(1)"/>');
const INTEGRITY = sri512(RIGHT);

/** A place that gives these bytes for every digest, checked by nobody. */
function tierOf(
  bytes: Uint8Array | undefined,
  more: Partial<ByteTier> = {},
): ByteTier & { told: string[] } {
  const told: string[] = [];
  return {
    name: 'place',
    told,
    get: async () => bytes,
    put: async (integrity) => void told.push(`put ${integrity === INTEGRITY}`),
    discard: async (integrity) => void told.push(`discard ${integrity === INTEGRITY}`),
    ...more,
  };
}

it('bytes without the digest that was asked for are discarded, and the next place is asked', async () => {
  const [first, second, third] = [tierOf(WRONG), tierOf(undefined), tierOf(RIGHT)];
  const tiers = createByteTiers([first, second, third], 'locked');
  expect(await tiers.get(INTEGRITY)).toBe(RIGHT);
  expect([first.told, second.told, third.told]).toEqual([
    ['discard true', 'put true'],
    ['put true'],
    [],
  ]);
  expect(await createByteTiers([tierOf(WRONG)], 'offline').get(INTEGRITY)).toBeUndefined();
});

it('they are an error in a place that is committed', async () => {
  const tiers = createByteTiers([tierOf(WRONG, { committed: true }), tierOf(RIGHT)], 'locked');
  await expect(tiers.get(INTEGRITY)).rejects.toThrow(/LOCK_MISMATCH.*The place holds other bytes/s);
});
