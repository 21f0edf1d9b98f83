import type { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds until a file that stays empty counts as one. */
const PATIENCE = 100;
const STEP = 10;

/**
 * Bytes of a file that people, their editors and version control write too. Those empty it first and fill it then: what
 * is empty is looked at again, as an empty lock pins nothing and would be written anew without what was in it. Fails as
 * the file system does.
 */
export async function readWhole(path: string): Promise<Buffer> {
  let bytes = await readFile(path);
  for (let waited = 0; bytes.length === 0 && waited < PATIENCE; waited += STEP) {
    await delay(STEP);
    bytes = await readFile(path);
  }
  return bytes;
}
