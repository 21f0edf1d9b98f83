import { checkLicense, checkStatements } from '../attribution/license/policy.ts';
import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import { encodeEntry, lockedRecord, type Lockfile } from '../store/lockfile-format.ts';
import { alteredLines } from '../store/lockfile.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import type { Assets } from '../pipeline/assets.ts';
import type { IconLock } from '../pipeline/lock.ts';
import type { IconRecord, LockEntry } from '../types.ts';
import type { ProjectTools } from './open.ts';
import { describeDrift, type Drift, findDrift } from '../attribution/credit/drift.ts';
import { parseLockKey } from '../request/key.ts';
import { nameOfId } from '../request/reference.ts';

export interface UpdateReport {
  /** Icons that were asked for. */
  icons: number;
  /** Changes of rights first, then by icon. */
  differences: Difference[];
  /** Icons whose lines were rewritten. */
  updated: number[];
  failed: IconCatalogError[];
  calls: number;
}

/** What the catalog now sends for the lines of one icon. */
interface Fresh {
  record: IconRecord;
  entries: Map<string, LockEntry>;
}

/**
 * Asks the catalog again for pinned icons, and writes what differs with a higher `rev`, bytes
 * included. A new licence that the policy refuses is a failure, and leaves the icon as it was.
 * @param options.ids the icons; all pinned icons if there are none
 * @param options.check compares only
 * @param options.progress gets the number of icons, and returns what is called for each of them
 * @throws IconCatalogError LOCK_INVALID; LOCK_MISSING for an icon without a line; LOCK_MISMATCH if the line of another
 * icon was changed by hand
 */
export async function updatePins(
  { pipeline, options }: ProjectTools,
  {
    ids,
    check,
    progress,
  }: { ids: readonly number[]; check: boolean; progress: (total: number) => () => void },
): Promise<UpdateReport> {
  const { iconLock } = pipeline;
  await iconLock.open();
  const altered = iconLock.acceptAltered();
  const pinned = groupById(iconLock.all());
  const lost = ids.find((id) => !pinned.has(id));
  if (lost !== undefined) {
    const name = nameOfId(lost, options.catalog) ?? lost;
    throw new IconCatalogError('LOCK_MISSING', {
      message: `Icon ${name} has no line in ${options.lockfile.name}, so there is nothing to update.`,
      remedy: `Run \`npx icon-catalog add ${name}\`, or \`npx icon-catalog sync\` if a source refers to it.`,
      icon: lost,
    });
  }
  const wanted = [...new Set(ids.length > 0 ? ids : pinned.keys())];
  const advance = progress(wanted.length);
  const assets = await pipeline.assets();
  // Writing the file writes the check of every line, and would confirm text that was changed by
  // hand.
  const strange = alteredBut(altered, new Set(wanted));
  if (strange.size > 0 && !check) throw alteredLines(strange, options.lockfile.name);
  const differences: Difference[] = [];
  const failed: IconCatalogError[] = [];
  const fresh = new Map<number, Fresh>();

  await Promise.all(
    wanted.map(async (id) => {
      try {
        const lines = pinned.get(id) ?? new Map<string, LockEntry>();
        const found = await askAgain(id, lines, { assets, options, keep: !check });
        const changed = changesOf(found, lines, altered);
        if (changed.length === 0) return;
        differences.push(...changed);
        fresh.set(id, found);
      } catch (error) {
        if (!isIconCatalogError(error)) throw error;
        failed.push(error);
      } finally {
        advance();
      }
    }),
  );
  const isWritten = !check && alteredBut(altered, fresh).size === 0;
  const updated = isWritten ? [...fresh.keys()].toSorted((a, b) => a - b) : [];
  // Permalinks of icons that were not asked for still belong to the catalog that the lock names.
  const isWhole = isWritten && failed.length === 0 && wanted.length === pinned.size;
  const catalog = isWhole ? await pipeline.movedCatalog() : undefined;
  if (updated.length > 0 || catalog !== undefined)
    await replaceEntries(fresh.values(), { assets, iconLock, catalog });
  // The earlier bytes are in version control, if they are needed.
  if (updated.length > 0) (await pipeline.open()).vendor?.prune(iconLock);
  if (!check) await pipeline.flush();
  return {
    icons: wanted.length,
    differences: differences.toSorted(byWeight),
    updated,
    failed,
    calls: pipeline.connection.calls(),
  };
}

/** What the catalog says and sends now for the lines of an icon. */
async function askAgain(
  id: number,
  lines: ReadonlyMap<string, LockEntry>,
  { assets, options, keep }: { assets: Assets; options: ResolvedOptions; keep: boolean },
): Promise<Fresh> {
  const record = await assets.freshRecord(id);
  checkLicense(record, options.licenses);
  checkStatements(record, options.licenses);
  const rev = Math.max(...[...lines.values()].map((line) => line.rev)) + 1;
  const entries = new Map<string, LockEntry>();
  for (const [key, line] of lines) {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined) continue;
    const file = line.integrity === undefined ? {} : await assets.freshBytes(iconKey, { keep });
    entries.set(key, { rev, ...file, ...lockedRecord(record) });
  }
  return { record, entries };
}

function changesOf(
  { entries }: Fresh,
  lines: ReadonlyMap<string, LockEntry>,
  altered: ReadonlyMap<string, number>,
): Difference[] {
  const changed = [...entries].flatMap(([key, entry]) => {
    const before = lines.get(key);
    return before === undefined ? [] : compareEntries(key, before, entry);
  });
  for (const key of entries.keys()) if (altered.has(key)) changed.push(rewrittenLine(key));
  return changed;
}

async function replaceEntries(
  fresh: Iterable<Fresh>,
  {
    assets,
    iconLock,
    catalog,
  }: { assets: Assets; iconLock: IconLock; catalog: string | undefined },
): Promise<void> {
  const entries = new Map<string, LockEntry>();
  for (const one of fresh) {
    assets.keepRecord(one.record);
    for (const [key, entry] of one.entries) entries.set(key, entry);
  }
  await iconLock.replace((present) => ({
    catalog: catalog ?? present.catalog,
    entries: new Map([...present.entries, ...newer(entries, present)]),
  }));
}

/** The altered lines that belong to other icons. */
function alteredBut(
  altered: ReadonlyMap<string, number>,
  ids: Pick<ReadonlySet<number>, 'has'>,
): Map<string, number> {
  return new Map([...altered].filter(([key]) => !ids.has(Number.parseInt(key, 10))));
}

/** An altered line is rewritten, whatever the catalog states. */
function rewrittenLine(key: string): Difference {
  const [locked, current] = ['changed by hand', 'rewritten'];
  return { key, field: 'check', locked, current, legal: false };
}

/** Another process may have updated the same icon meanwhile: the higher `rev` stays. */
function newer(entries: ReadonlyMap<string, LockEntry>, present: Lockfile): [string, LockEntry][] {
  return [...entries].filter(([key, { rev }]) => {
    const before = present.entries.get(key);
    return before !== undefined && before.rev < rev;
  });
}

function groupById({ entries }: Lockfile): Map<number, Map<string, LockEntry>> {
  const groups = new Map<number, Map<string, LockEntry>>();
  for (const [key, entry] of entries) {
    const id = Number.parseInt(key, 10);
    const group = groups.get(id) ?? new Map<string, LockEntry>();
    groups.set(id, group.set(key, entry));
  }
  return groups;
}

function byWeight(one: Difference, other: Difference): number {
  if (one.legal !== other.legal) return one.legal ? -1 : 1;
  return Number.parseInt(one.key, 10) - Number.parseInt(other.key, 10);
}

/** One field of a line for which the catalog now has another value. */
export interface Difference {
  key: string;
  /**
   * The name of the field in the interface, `creator.name` within a record; `integrity` if the
   * bytes differ.
   */
  field: string;
  locked: string;
  current: string;
  /** True if rights change: licence, credit text, creator. */
  legal: boolean;
}

const LISTS = [
  'site_url',
  'creator_url',
  'license_url',
  'own_color',
  'collections',
  'styles',
  'tags',
] as const;

/** The differences between two lines of one key: rights first, then the drawing. */
function compareEntries(key: string, locked: LockEntry, current: LockEntry): Difference[] {
  // The order of these lists is up to the catalog, and may change at any time.
  const same = { ...current, rev: locked.rev };
  if (encodeEntry(locked) === encodeEntry(same)) return [];
  const words = findDrift(locked, current).map((drift) => Object.assign(drift, { key }));
  const bytes =
    locked.integrity === current.integrity
      ? []
      : [
          {
            key,
            field: 'integrity',
            locked: describeBytes(locked),
            current: describeBytes(current),
            legal: false,
          },
        ];
  const lists = LISTS.flatMap((field) => {
    const [before, after] = [
      JSON.stringify(locked[field] ?? ''),
      JSON.stringify(current[field] ?? ''),
    ];
    return before === after ? [] : [{ key, field, locked: before, current: after, legal: false }];
  });
  return [
    ...words.filter(({ legal }) => legal),
    ...bytes,
    ...words.filter(({ legal }) => !legal),
    ...lists,
  ];
}

function describeBytes({ integrity = 'none', size = 0 }: LockEntry): string {
  return `${integrity.slice(0, 19)}… (${size} bytes)`;
}

/**
 * Icons whose licence, credit text or creator differs between the catalog and the lock. It makes
 * one call an icon; nothing is written.
 *
 * @throws IconCatalogError LOCK_INVALID
 */
export async function findCatalogDrift({
  pipeline,
  options,
}: ProjectTools): Promise<{ problems: IconCatalogError[]; calls: number }> {
  const { iconLock } = pipeline;
  await iconLock.open();
  // A line that was changed by hand deserves a comparison all the more.
  iconLock.acceptAltered();
  const ids = new Set([...iconLock.all().entries.keys()].map((key) => Number.parseInt(key, 10)));
  const assets = await pipeline.assets();
  const found = await Promise.all(
    [...ids].map(async (id): Promise<IconCatalogError[]> => {
      try {
        const locked = iconLock.record(id);
        const current = await assets.freshRecord(id);
        const drift = locked === undefined ? [] : findDrift(locked, current);
        const legal = drift.filter((each) => each.legal);
        return legal.length === 0 ? [] : [rightsDrift(id, legal, options.lockfile.name)];
      } catch (error) {
        if (isIconCatalogError(error)) return [error];
        throw error;
      }
    }),
  );
  return { problems: found.flat(), calls: pipeline.connection.calls() };
}

/**
 * The message of `verify --online` and `update --check` for an icon whose rights differ in the
 * catalog.
 */
export function rightsDrift(
  id: number,
  drifts: readonly Omit<Drift, 'legal'>[],
  lockfile: string,
): IconCatalogError {
  const words = new Set(drifts.map(describeDrift));
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The catalog states other rights for icon ${id} than ${lockfile}: ${[...words].join('; ')}.`,
    remedy: `See all differences with \`npx icon-catalog update --check ${id}\`, and run it without --check if the change is wanted.`,
    icon: id,
  });
}
