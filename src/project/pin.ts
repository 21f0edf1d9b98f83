import { isIconCatalogError, type IconCatalogError } from '../errors.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { IconRequest, LockEntry } from '../types.ts';
import type { ProjectTools } from './open.ts';
import { parseLockKey } from '../request/key.ts';

export interface PinnedLine {
  /** `123:svg` */
  key: string;
  id: number;
  term: string;
  license_description: string;
  rev: number;
  /** Bytes of the file; `undefined` for a record alone. */
  size: number | undefined;
}

export interface PinReport {
  added: PinnedLine[];
  failed: IconCatalogError[];
  calls: number;
}

export interface WantedIcon {
  request: IconRequest;
  importer?: string | undefined;
}

/**
 * Adds icons to the lock: afterwards it has their lines, and the cache and the vendor file hold the
 * bytes of every line. What fails stops nothing else.
 *
 * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH
 */
export async function pinIcons(
  wanted: readonly WantedIcon[],
  { pipeline }: Pick<ProjectTools, 'pipeline'>,
  onIcon: () => void = () => undefined,
): Promise<PinReport> {
  await pipeline.iconLock.open();
  const before = new Set(pipeline.iconLock.all().entries.keys());
  const failed: IconCatalogError[] = [];
  const attempt = async (task: () => Promise<unknown>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      if (!isIconCatalogError(error)) throw error;
      failed.push(error);
    }
  };
  try {
    await Promise.all(
      wanted.map(async ({ request, importer }) => {
        await attempt(async () => {
          try {
            await pipeline.source(request, importer);
          } catch (error) {
            throw isIconCatalogError(error) ? error.withImporter(importer) : error;
          }
        });
        onIcon();
      }),
    );
    await Promise.all([...before].map((key) => attempt(() => fetchLine(key, pipeline))));
  } finally {
    await pipeline.flush();
  }
  const added = [...pipeline.iconLock.all().entries]
    .filter(([key]) => !before.has(key))
    .map(toLine);
  return { added, failed, calls: pipeline.connection.calls() };
}

/**
 * Files that this machine's render pack replaces are fetched too: other machines have no such pack.
 */
async function fetchLine(key: string, pipeline: Pipeline): Promise<void> {
  const iconKey = parseLockKey(key);
  if (iconKey === undefined || iconKey.kind === 'meta') return;
  await (await pipeline.assets()).bytes(iconKey);
}

export function toLine([key, entry]: readonly [string, LockEntry]): PinnedLine {
  const { term, license_description, rev, size } = entry;
  return { key, id: Number.parseInt(key, 10), term, license_description, rev, size };
}
