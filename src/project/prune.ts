import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseList, readListBytes } from '../store/credit-lists.ts';
import type { IconRequest } from '../types.ts';
import { isObject, parseJson } from '../untrusted.ts';
import type { ProjectTools } from './open.ts';
import { type PinnedLine, toLine } from './pin.ts';
import { keysOfRequest, parseLockKey } from '../request/key.ts';

/** Folders that hold no output of this project: none at all, or outputs of other projects. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);
/** An output deeper than this belongs to no known build. */
const DEEPEST = 8;

/** What the last builds of a project shipped. */
export interface ShippedIcons {
  ids: Set<number>;
  /** Their lists, relative to the root, sorted. */
  lists: string[];
}

/**
 * Reads the list of icons in each output folder below the root. Packages, shortcodes and generated styles name icons that
 * no source of the project does; the list has them all.
 *
 * @throws Error for a list that cannot be read: its icons would be removed
 */
export async function readShipped({
  root,
  attribution,
}: ProjectTools['options']): Promise<ShippedIcons> {
  const name = (attribution !== false && attribution.json) || 'icon-attribution.json';
  const shipped: ShippedIcons = { ids: new Set(), lists: [] };

  async function search(folder: string, depth: number): Promise<void> {
    const list = join(folder, name);
    const called = relative(root, list).replaceAll('\\', '/');
    const bytes = await readListBytes(list, called);
    const isOther =
      isObject(parseJson(bytes?.toString() ?? '')) && !bytes?.includes('schemaVersion');
    const read = isOther ? undefined : parseList(bytes, called);
    if (read !== undefined) shipped.lists.push(called);
    for (const { id } of read?.icons ?? []) shipped.ids.add(Number(id));
    if (depth === DEEPEST) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries)
      if (entry.isDirectory() && !SKIPPED.has(entry.name))
        await search(join(folder, entry.name), depth + 1);
  }

  await search(root, 0);
  shipped.lists.sort();
  return shipped;
}

/**
 * Lines of the lock that none of these requests needs, in the order of the lock, and how many lines
 * are kept for shipped icons only.
 */
export async function findUnused(
  requests: readonly IconRequest[],
  { pipeline: { iconLock } }: Pick<ProjectTools, 'pipeline'>,
  shipped: ReadonlySet<number>,
): Promise<{ unused: PinnedLine[]; kept: PinnedLine[] }> {
  await iconLock.open();
  const isReferred = createKeyFilter(requests);
  const isUsed = createKeyFilter(requests, shipped);
  const others = [...iconLock.all().entries].filter(([key]) => !isReferred(key));
  return {
    unused: others.filter(([key]) => !isUsed(key)).map(toLine),
    kept: others.filter(([key]) => isUsed(key)).map(toLine),
  };
}

/**
 * Removes lines from the lock, and from the vendor file what only these lines named. Caches keep
 * it.
 */
export async function prunePins(
  lines: readonly PinnedLine[],
  { pipeline }: Pick<ProjectTools, 'pipeline'>,
): Promise<void> {
  const unused = new Set(lines.map(({ key }) => key));
  await pipeline.iconLock.replace((present) => ({
    catalog: present.catalog,
    entries: new Map([...present.entries].filter(([key]) => !unused.has(key))),
  }));
  (await pipeline.open()).vendor?.prune(pipeline.iconLock);
  await pipeline.flush();
}

/**
 * Returns a check that is true for lines of the lock that a source may need. It does not look at
 * whether a drawing has several colours: a line of one colour is kept while an svg of that colour
 * is requested, and a line of the original colours is kept while an svg without a colour is.
 * @param shipped ids of icons whose lines are all kept
 */
export function createKeyFilter(
  requests: Iterable<IconRequest>,
  shipped: ReadonlySet<number> = new Set(),
): (key: string) => boolean {
  const ids = new Set<number>(shipped);
  const keys = new Set<string>();
  for (const request of requests) {
    ids.add(request.id);
    for (const key of keysOfRequest(request)) keys.add(key);
  }
  return (key) => {
    const iconKey = parseLockKey(key);
    if (iconKey !== undefined && shipped.has(iconKey.id)) return true;
    return iconKey?.kind === 'meta' ? ids.has(iconKey.id) : keys.has(key);
  };
}
