import { existsSync } from 'node:fs';

/** Synchronous, since options are resolved before anything waits. */
export function isThere(file: string): boolean {
  return existsSync(file);
}
