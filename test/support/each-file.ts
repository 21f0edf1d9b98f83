import os from 'node:os';
import { expect } from 'vitest';

// Runs before each file.

// Vitest compares bytes as objects with a key each, which takes a second for every few megabytes.
expect.addEqualityTesters([
  (a, b) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor
      ? Buffer.compare(a, b) === 0
      : undefined,
]);

// For each build webpack starts a thread that loads its minifier again, if the machine has more than one core. Two test
// files run side by side anyway.
Object.assign(os, { availableParallelism: () => 1 });

// A file that shares its process finds the environment as the first one did. Bundlers write NODE_ENV.
const ENVIRONMENT = Symbol.for('icon-catalog-tests.environment');
const shared = globalThis as { [ENVIRONMENT]?: NodeJS.ProcessEnv };
const before = (shared[ENVIRONMENT] ??= { ...process.env });
for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
Object.assign(process.env, before);

// Nor does it find what scripts of the file before left behind: a `require` of Farm's output breaks packages that look for
// one. Packages that stay loaded mark their own names.
const GLOBALS = Symbol.for('icon-catalog-tests.globals');
const marked = globalThis as { [GLOBALS]?: Set<string> };
const known = (marked[GLOBALS] ??= new Set(Object.getOwnPropertyNames(globalThis)));
for (const name of Object.getOwnPropertyNames(globalThis))
  if (!known.has(name) && !name.startsWith('__')) Reflect.deleteProperty(globalThis, name);
