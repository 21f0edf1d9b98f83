import { readFile } from 'node:fs/promises';

/** Text of a style sheet. Bun gives plugins a path, and takes a text. */
export function readStyle(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
