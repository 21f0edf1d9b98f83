import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Says which files are ours, and what they were when we left them. */
const LEDGER = '.icon-catalog.json';

export interface Settled {
  written: string[];
  removed: string[];
  /** Files of ours that somebody has changed since: they are in the way, and stay. */
  foreign: string[];
}

/**
 * Brings a folder to hold these files: writes what differs, removes what an earlier run wrote and nobody wants any
 * more, and leaves everything else alone. A file that is not ours is never overwritten.
 *
 * @param isTrial tells what would be done, and does nothing
 */
export async function settleFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { isTrial = false }: { isTrial?: boolean } = {},
): Promise<Settled> {
  const ledger = await readLedger(folder);
  const settled: Settled = { written: [], removed: [], foreign: [] };
  for (const [name, text] of files) {
    const present = await read(join(folder, name));
    if (present === text) continue;
    const isOurs = present === undefined || ledger.get(name) === hash(present);
    settled[isOurs ? 'written' : 'foreign'].push(name);
  }
  for (const [name, digest] of ledger) {
    if (files.has(name)) continue;
    const present = await read(join(folder, name));
    if (present !== undefined) settled[digest === hash(present) ? 'removed' : 'foreign'].push(name);
  }
  if (isTrial || settled.foreign.length > 0) return settled;
  await mkdir(folder, { recursive: true });
  const digests = [...files].map(([name, text]) => [name, hash(text)] as const);
  const lines = Object.fromEntries(digests.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const record = `${JSON.stringify({ version: 1, files: lines }, undefined, 2)}\n`;
  for (const name of settled.written) await put(join(folder, name), files.get(name) ?? '');
  for (const name of settled.removed) await rm(join(folder, name), { force: true });
  if ((await read(join(folder, LEDGER))) !== record) await put(join(folder, LEDGER), record);
  return settled;
}

async function readLedger(folder: string): Promise<Map<string, string>> {
  try {
    const { files } = JSON.parse((await read(join(folder, LEDGER))) ?? '{}') as { files?: object };
    return new Map(
      Object.entries(files ?? {}).filter(
        (entry): entry is [string, string] =>
          typeof entry[1] === 'string' && /^[^/\\]+$/.test(entry[0]),
      ),
    );
  } catch {
    return new Map();
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function put(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, file);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
