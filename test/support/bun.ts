import { join } from 'node:path';

/** Bun itself, which npm's package calls so on every system. */
export const BUN: string = join(import.meta.dirname, '../../node_modules/bun/bin/bun.exe');
