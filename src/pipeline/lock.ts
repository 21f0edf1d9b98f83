import { IconCatalogError, isIconCatalogError } from '../errors.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { reasonOf } from '../store/files.ts';
import { EMPTY_LOCKFILE, lockedRecord, type Lockfile } from '../store/lockfile-format.ts';
import {
  type LockfileOnDisk,
  mergeLockfiles,
  readLockfile,
  updateLockfile,
} from '../store/lockfile.ts';
import type { IconRecord, LockEntry, Log } from '../types.ts';
import { parseLockKey } from '../request/key.ts';

/**
 * The project's lock file, and what this run adds to it. Everything but `refresh` needs `open` to have settled, and what
 * reads or writes entries fails with LOCK_MISMATCH if one does not say what was written into it.
 */
export interface IconLock {
  /** A build begins: the file may have changed. */
  refresh(): void;
  /** Reads the file if it may have changed. */
  open(): Promise<void>;
  /** SHA-256 of the file as read or written last, hex; empty if there is none. */
  hash(): string;
  /** @throws IconCatalogError LOCK_INVALID */
  catalog(): string | undefined;
  /** @throws IconCatalogError LOCK_INVALID */
  find(key: string): LockEntry | undefined;
  /**
   * The record of an icon that any entry is about; if entries differ, that of the highest `rev`.
   * @throws IconCatalogError LOCK_INVALID
   */
  record(id: number): IconRecord | undefined;
  /** Keys of all lines that have a file. Lines are not parsed for it, since there may be thousands. */
  keys(): string[];
  /** @throws IconCatalogError LOCK_INVALID */
  all(): Lockfile;
  /**
   * From now on, entries that do not say what was written into them are accepted as they are instead of being an error, and
   * `replace` writes them again: for commands that report or repair them. Returns their line numbers by their keys.
   * @throws IconCatalogError LOCK_INVALID
   */
  acceptAltered(): ReadonlyMap<string, number>;
  /** Remembers a line for `flush`. */
  add(key: string, file: { integrity: string; size: number } | undefined, record: IconRecord): void;
  readonly isChanged: boolean;
  /**
   * Replaces the lock of the file, which only the user asks for. `change` gets the lock as it is then.
   * @throws IconCatalogError LOCK_INVALID; as the file system does
   */
  replace(change: (present: Lockfile) => Lockfile): Promise<void>;
  /**
   * Writes what was added, beside what others have written meanwhile. A file that cannot be written is a warning.
   * @param catalog digest of the catalog's description; `undefined`: not known
   * @throws IconCatalogError LOCK_INVALID; LOCK_MISMATCH if another process locked other bytes meanwhile
   */
  flush(catalog: string | undefined): Promise<void>;
}

export function createIconLock({ lockfile: { path, name } }: ResolvedOptions, log: Log): IconLock {
  const file = createReading(path, name);
  let linesOf: { lock: Lockfile; lines: Map<number, LockEntry> } | undefined;
  const added = new Map<string, LockEntry>();
  let acceptsAltered = false;
  /** Of what is added, until it is written. */
  let share = createShare();

  const content = (): Lockfile =>
    acceptsAltered ? file.opened().found().lock : file.opened().content();

  /** Of each icon the line of the highest `rev`. */
  function lines(): Map<number, LockEntry> {
    const lock = content();
    if (linesOf?.lock === lock) return linesOf.lines;
    const found = latestLines(lock, added);
    linesOf = { lock, lines: found };
    return found;
  }

  return {
    refresh: file.refresh,
    open: file.open,
    hash: () => file.disk()?.hash ?? '',
    catalog: () => file.disk()?.catalog(),
    find: (key) => content().entries.get(key) ?? added.get(key),
    record(id) {
      const line = lines().get(id);
      if (line === undefined) return undefined;
      const { rev: _rev, integrity: _integrity, size: _size, ...record } = line;
      return { id: String(id), ...record };
    },
    keys: () =>
      [...(file.disk()?.keys() ?? []), ...added.keys()].filter((key) => !key.endsWith(':meta')),
    all: content,
    acceptAltered() {
      acceptsAltered = true;
      return file.opened().found().altered;
    },
    add(key, sent, record) {
      const { id } = parseLockKey(key) ?? {};
      if (id === undefined || this.find(key) !== undefined) return;
      const before = lines().get(id);
      if (sent === undefined && before !== undefined) return;
      if (added.size === 0 && file.opened().isEmptied())
        log.warn(
          `${name} is empty: each icon is locked again as the catalog sends it now. If the file was emptied by mistake, restore it and build again.`,
        );
      const entry = toEntry({ rev: before?.rev ?? 1, sent, record, share });
      added.set(key, entry);
      note(lines(), key, entry);
    },
    get isChanged() {
      return added.size > 0;
    },
    async replace(change) {
      const repairs = acceptsAltered;
      file.wrote(await updateLockfile(path, { name, repairs, change, warn: log.warn }));
    },
    async flush(catalog) {
      if (added.size === 0) return;
      const entries = new Map(added);
      let written = EMPTY_LOCKFILE;
      const change = (present: Lockfile): Lockfile =>
        (written = mergeLockfiles(present, { catalog, entries }));
      try {
        file.wrote(await updateLockfile(path, { name, change, warn: log.warn }));
        // There may be no further question: the file is parsed when there is one.
        linesOf = undefined;
        share = createShare();
      } catch (error) {
        if (isIconCatalogError(error)) throw error;
        log.warn(notWritten(name, entries.size, error));
        return;
      }
      for (const key of entries.keys()) added.delete(key);
      checkWritten(written, entries, name);
    },
  };
}

/** The file as it was read or written last. */
function createReading(path: string, name: string) {
  let disk: LockfileOnDisk | undefined;
  let reading: Promise<void> | undefined;
  /** Grows whenever the file may be another one: what is being read meanwhile is read again. */
  let edition = 0;

  async function read(): Promise<void> {
    try {
      let found: LockfileOnDisk;
      let before: number;
      do {
        before = edition;
        found = await readLockfile(path, name);
      } while (before !== edition);
      // What was parsed is kept if the file is the same.
      if (found.hash !== disk?.hash) disk = found;
    } catch (cause) {
      throw new IconCatalogError('LOCK_INVALID', {
        message: `The lock file ${name} cannot be read (${reasonOf(cause)}).`,
        remedy: 'Give the build the right to read it.',
        path: name,
        cause,
      });
    }
  }

  function opened(): LockfileOnDisk {
    if (disk === undefined) throw new TypeError('the lock file was not opened');
    return disk;
  }

  return {
    disk: () => disk,
    opened,
    open: () => (reading ??= read()),
    refresh() {
      reading = undefined;
      edition += 1;
    },
    wrote(written: LockfileOnDisk) {
      disk = written;
      edition += 1;
    },
  };
}

function latestLines(
  { entries }: Lockfile,
  added: ReadonlyMap<string, LockEntry>,
): Map<number, LockEntry> {
  const found = new Map<number, LockEntry>();
  for (const [key, entry] of [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    note(found, key, entry);
  for (const [key, entry] of added) note(found, key, entry);
  return found;
}

/** In the order of the file: what is read back later is the same to the order of its fields. Tags are seldom equal. */
function toEntry({
  rev,
  sent,
  record,
  share,
}: {
  rev: number;
  sent: { integrity: string; size: number } | undefined;
  record: IconRecord;
  share: ReturnType<typeof createShare>;
}): LockEntry {
  const locked = lockedRecord(record);
  return {
    rev,
    ...(sent && { integrity: sent.integrity, size: sent.size }),
    ...locked,
    creator: share(locked.creator),
    collections: share(locked.collections),
    styles: share(locked.styles),
  };
}

function notWritten(name: string, count: number, error: unknown): string {
  const icons = count === 1 ? 'an icon stays' : `${count} icons stay`;
  return `${name} cannot be written (${reasonOf(error)}): ${icons} out of it. This build is right, but the next one, here or elsewhere, gets what the catalog sends later.`;
}

/** @throws IconCatalogError LOCK_MISMATCH if another process locked other bytes meanwhile */
function checkWritten(
  { entries: written }: Lockfile,
  added: ReadonlyMap<string, LockEntry>,
  name: string,
): void {
  for (const [key, { integrity }] of added) {
    if (written.get(key)?.integrity !== integrity && !key.endsWith(':meta'))
      throw changedMeanwhile(key, name);
  }
}

function note(lines: Map<number, LockEntry>, key: string, entry: LockEntry): void {
  const id = Number.parseInt(key, 10);
  const before = lines.get(id);
  if (before === undefined || before.rev < entry.rev) lines.set(id, entry);
}

function changedMeanwhile(key: string, name: string): IconCatalogError {
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `Another process wrote other bytes for ${JSON.stringify(key)} into ${name} while this build had those that the catalog sent it.`,
    remedy: 'Build again: the build then uses what is in the lock file.',
    icon: parseLockKey(key)?.id,
  });
}

/** The remedy for every icon that is missing. */
export const SYNC = 'Run `npx icon-catalog sync` where the catalog can be reached';

type Context = Pick<ResolvedOptions, 'lockfile' | 'mode'>;

export function notInLock(key: string, { lockfile, mode }: Context): IconCatalogError {
  return new IconCatalogError('LOCK_MISSING', {
    message: `${lockfile.name} has no line ${JSON.stringify(key)}, and in the mode \`${mode}\` none is added.`,
    remedy: `${SYNC}, and commit ${lockfile.name}.`,
    icon: parseLockKey(key)?.id,
  });
}

export function notOnMachine(key: string): IconCatalogError {
  return new IconCatalogError('OFFLINE_MISSING', {
    message: `No place on this machine has the bytes of ${JSON.stringify(key)}, and in the mode \`offline\` nothing is fetched.`,
    remedy: `${SYNC}, or commit a vendor file.`,
    icon: parseLockKey(key)?.id,
  });
}

export function notAsLocked(key: string, { lockfile }: Context): IconCatalogError {
  const { id } = parseLockKey(key) ?? {};
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `The catalog sends other bytes for ${JSON.stringify(key)} than ${lockfile.name} says.`,
    remedy: `See what changed with \`npx icon-catalog update --check ${id ?? ''}\`, and run it without --check if the change is wanted.`,
    icon: id,
  });
}

/**
 * Makes one object of equal ones, so that thousands of icons by one creator hold that creator once.
 *
 * @returns a copy of what was seen first of all that say the same as `value`; it is not to be changed
 */
export function createShare(): <Value extends object>(value: Value) => Value {
  const seen = new Map<string, object>();
  return <Value extends object>(value: Value): Value => {
    const text = JSON.stringify(value);
    const first = seen.get(text) as Value | undefined;
    if (first !== undefined) return first;
    const own = structuredClone(value);
    seen.set(text, own);
    return own;
  };
}
