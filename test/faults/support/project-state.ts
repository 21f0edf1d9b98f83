import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parseLockfile } from '../../../src/store/parse-lockfile.ts';
import { createVendorFile } from '../../../src/store/vendor-file.ts';

export const LOCK = 'icons.lock';
export const VENDOR = 'icons.vendor.ndjson';

export interface ProjectState {
  /** Text of the lock file; empty if it does not exist. */
  lock: string;
  vendor: string;
  /** Keys that the lock holds. */
  keys: string[];
}

/** What lies in a project; fails if a lock file or a vendor file is anything but whole. */
export async function wholeState(root: string): Promise<ProjectState> {
  const read = (name: string): Promise<string> =>
    readFile(join(root, name), 'utf8').catch(() => '');
  const [lock, vendor] = await Promise.all([read(LOCK), read(VENDOR)]);
  const { entries } =
    lock === '' ? { entries: new Map<string, never>() } : parseLockfile(Buffer.from(lock), LOCK);
  const file = createVendorFile({ file: join(root, VENDOR), name: VENDOR });
  await file.open();
  expect(file.problems()).toEqual([]);
  return { lock, vendor, keys: [...entries.keys()] };
}

/** Names of files beside lock and vendor file that our writers make and remove again. */
export async function leftovers(root: string): Promise<string[]> {
  const names = await readdir(root);
  return names.filter((name) => name.startsWith('icons.') && name !== LOCK && name !== VENDOR);
}
