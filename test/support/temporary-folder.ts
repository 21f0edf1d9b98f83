import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What a test offers for its end. Tests that run side by side must hand over their own. */
export type TestEnd = (handler: () => Promise<void> | void) => void;

/** A folder that is gone when the test is over. */
export async function temporaryFolder(atEnd: TestEnd = onTestFinished): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-')));
  atEnd(() => removeFolder(folder));
  return folder;
}

/** For the end of a test. A server or a browser that was just closed may still write its last file meanwhile. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 10 });
}
