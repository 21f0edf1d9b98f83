import { Buffer } from 'node:buffer';
import { IconCatalogError } from '../errors.ts';
import { readProjectFile, replaceFile } from './files.ts';
import { sha256Hex } from './hash.ts';
import { EMPTY_LOCKFILE, encodeLockfile, type Lockfile } from './lockfile-format.ts';
import { parseLockfile } from './parse-lockfile.ts';

/** A lock file as it is on disk; its content is parsed on first use. */
export interface LockfileOnDisk {
  /** SHA-256 of the file, hex; empty if there is none. */
  hash: string;
  /**
   * Digest of the catalog's description, which is found without parsing the rest.
   * @throws IconCatalogError LOCK_INVALID
   */
  catalog(): string | undefined;
  /** @throws IconCatalogError LOCK_INVALID; LOCK_MISMATCH if lines were changed by hand; at every call */
  content(): Lockfile;
  /** Keys of the lines that have a file. What else these lines say is neither parsed nor checked. */
  keys(): string[];
  /** True for a file that exists and is empty: it does not even name a catalog. */
  isEmptied(): boolean;
  /**
   * The same, but with the lines that were changed by hand, whose numbers are in `altered`: for commands that repair
   * them.
   * @throws IconCatalogError LOCK_INVALID, at every call
   */
  found(): { lock: Lockfile; altered: ReadonlyMap<string, number> };
}

const FILE_KEY = /^\s*"?(\d+:(?:svg|png)[^"\n]*)/;
/** What stands before a key, and the longest key of a file. */
const LONGEST_KEY = 48;
/** As a number it is found in half the time. */
const NEWLINE = 0x0a;
const CATALOG = /^\n"catalog":"(sha512-[^"]{88})",\n"lockfileVersion":1\n\}\n$/;

/**
 * @param path absolute
 * @param name as messages should name the file
 * @throws as the file system does, unless the file does not exist
 */
export async function readLockfile(path: string, name: string): Promise<LockfileOnDisk> {
  return asLockfile(await readProjectFile(path), name);
}

/**
 * Changes the file, one process at a time: `change` gets its present content, with the additions of other processes,
 * and returns the new content. A file that would stay the same is not
 * touched, and none is created for an empty lock.
 * @param repairs lines that were changed by hand are passed on too, and rewritten
 * @returns the present content of the file
 * @throws IconCatalogError LOCK_INVALID, LOCK_MISMATCH; or as the file system does
 */
export async function updateLockfile(
  path: string,
  {
    name,
    repairs = false,
    change,
    warn,
  }: {
    name: string;
    repairs?: boolean;
    change: (present: Lockfile) => Lockfile;
    warn?: (message: string) => void;
  },
): Promise<LockfileOnDisk> {
  const changed = (present: Buffer | undefined): Buffer | undefined => {
    const file = asLockfile(present, name);
    const before = repairs ? file.found().lock : file.content();
    const after = change(before);
    if (after === before || (present === undefined && isEmpty(after))) return present;
    return Buffer.from(encodeLockfile(after));
  };
  const held = (description: string): void => warn?.(`${name}.lock ${description}`);
  return asLockfile(await replaceFile(path, changed, { held }), name);
}

/** Both locks in one: of two entries that of the higher `rev`. Returns `present` itself if nothing is added. */
export function mergeLockfiles(present: Lockfile, added: Lockfile): Lockfile {
  const entries = new Map(present.entries);
  let isMore = present.catalog === undefined && added.catalog !== undefined;
  for (const [key, entry] of added.entries) {
    const before = entries.get(key);
    if (before !== undefined && before.rev >= entry.rev) continue;
    entries.set(key, entry);
    isMore = true;
  }
  return isMore ? { catalog: present.catalog ?? added.catalog, entries } : present;
}

function asLockfile(read: Buffer | undefined, name: string): LockfileOnDisk {
  const isThere = read !== undefined;
  /** Dropped once the lock was parsed from them. */
  let bytes = read;
  let parsed: ReturnType<LockfileOnDisk['found']> | undefined;
  function found(): ReturnType<LockfileOnDisk['found']> {
    if (parsed !== undefined) return parsed;
    const altered = new Map<string, number>();
    const lock = bytes === undefined ? EMPTY_LOCKFILE : parseLockfile(bytes, name, altered);
    bytes = undefined;
    return (parsed = { lock, altered });
  }
  function content(): Lockfile {
    const { lock, altered } = found();
    if (altered.size > 0) throw alteredLines(altered, name);
    return lock;
  }
  return {
    hash: isThere ? sha256Hex(read) : '',
    content,
    keys() {
      const keys: string[] = [];
      // Megabytes need not become text for the beginnings of their lines.
      const lines = bytes ?? Buffer.from([...found().lock.entries.keys()].join('\n'));
      for (let at = 0, end = 0; end !== -1; at = end + 1) {
        const key = FILE_KEY.exec(lines.toString('latin1', at, at + LONGEST_KEY))?.[1];
        if (key !== undefined) keys.push(key);
        end = lines.indexOf(NEWLINE, at);
      }
      return keys;
    },
    isEmptied: () => isThere && isEmpty(content()),
    found,
    catalog() {
      if (bytes === undefined) return parsed?.lock.catalog;
      const start = bytes.lastIndexOf('\n"catalog":');
      const line = start === -1 ? null : CATALOG.exec(bytes.toString('utf8', start));
      return line === null ? found().lock.catalog : line[1];
    },
  };
}

function isEmpty({ catalog, entries }: Lockfile): boolean {
  return catalog === undefined && entries.size === 0;
}

/** The number of lines that a message names. */
const LISTED = 20;

/**
 * The error about lines whose content was changed after it was written: a letter was damaged, or the line was edited.
 * @param altered numbers of lines by their keys, at least one
 * @param name of the lock file, as messages show it
 */
export function alteredLines(altered: ReadonlyMap<string, number>, name: string): IconCatalogError {
  const places = [...altered].map(([key, line]) => `${name}:${line} (${key})`);
  const ids = [...new Set([...altered.keys()].map((key) => Number.parseInt(key, 10)))];
  const more = places.length > LISTED ? ` and ${places.length - LISTED} more` : '';
  const lines =
    places.length === 1 ? `A line of ${name} was` : `${places.length} lines of ${name} were`;
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `${lines} changed after icon-catalog wrote ${places.length === 1 ? 'it' : 'them'}, as \`check\` shows: ${places.slice(0, LISTED).join(', ')}${more}. A credit made from this text may be wrong.`,
    remedy: `Restore ${name} from version control, or take over what the catalog states with \`npx icon-catalog update ${ids.slice(0, LISTED).join(' ')}\`.`,
    icon: ids.length === 1 ? ids[0] : undefined,
    path: `${name}:${[...altered.values()][0] ?? 0}`,
  });
}
