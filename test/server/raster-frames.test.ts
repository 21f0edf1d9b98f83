import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameReader, toFrame } from '../../src/server/raster-process.ts';

test('messages arrive whole and in order, however a pipe cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 })),
      fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(toFrame));
        const read: Buffer[] = [];
        const take = createFrameReader((message) => read.push(Buffer.from(message)));
        let at = 0;
        for (const size of sizes) {
          if (at >= bytes.length) break;
          take(bytes.subarray(at, at + size));
          at += size;
        }
        expect(read).toEqual(messages.map((message) => Buffer.from(message)));
      },
    ),
  );
});

test('text is measured in bytes', () => {
  expect(Buffer.from(toFrame('é')).toString('hex')).toBe('00000002c3a9');
});
