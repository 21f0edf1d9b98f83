import { expect } from 'vitest';

// Vitest compares bytes as objects with a key each, which takes a second for every few megabytes.
expect.addEqualityTesters([
  (a, b) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor
      ? Buffer.compare(a, b) === 0
      : undefined,
]);
