import { unacceptedConditions } from '../attribution/license/policy.ts';
import { joinPart, type ModulePart, type ModuleParts, needsRecords } from '../emit/module-code.ts';
import type { ResolvedOptions } from '../options/resolve-options.ts';
import { iconIdOf, toDefaultId, toIconId, toSvgKeys } from '../request/key.ts';
import { sha256Hex, shortHash } from '../store/hash.ts';
import { lockedRecord } from '../store/lockfile-format.ts';
import { createTextPack, type PackText, type TextPack } from '../store/packs.ts';
import type { Credit, IconRecord, IconRequest, Log } from '../types.ts';
import type { IconNotes } from './build-state.ts';
import type { IconLock } from './lock.ts';
import { join } from 'node:path';

export interface CachedModule {
  /** Expression of the default export. */
  value: string;
  notes: IconNotes;
}

type CachedRecords = Pick<ModuleParts, 'credit' | 'icon'>;

/** Modules as an earlier build with the same options made them, so that a warm build neither renders nor credits again. */
export interface ModuleCache {
  /** Code of as much of a module as is wanted, and what the build reports about its icon. */
  find(
    request: IconRequest,
    part: ModulePart,
  ): Promise<{ code: string; notes: IconNotes } | undefined>;
  /** @param defaultId as `toDefaultId` makes it of a canonical id */
  get(defaultId: string): CachedModule | undefined;
  /** Hash of a whole module that `get` knows, the credit included. */
  digest(defaultId: string): string | undefined;
  /** The rest of a module that `get` knows; `undefined` if it was damaged. */
  records(defaultId: string): Promise<CachedRecords | undefined>;
  set(
    request: IconRequest,
    module: { parts: ModuleParts; credit: Credit; entryHash: string | undefined },
  ): void;
}

/** White space that JavaScript allows between tokens and no string literal holds: parts are cut apart without being read. */
const BETWEEN = '\t';
/** Length of what stands behind the value: two separators, a hash, one digit, which is the sum of what applies below. */
const TAIL = 67;
const VERSION_STATED = 1;
const KEEPS_COLORS = 2;
const CREDIT_REQUIRED = 4;

/**
 * Lines of two text packs, whose identity holds everything that a module depends on besides its variant: values, which
 * every build needs, and records, which few do. What every build has to report again (a licence that is not known
 * or asks something of the project, the project's own `svg.transform`) is not kept.
 *
 * @param packs.values is open
 */
export function createModuleCache(
  { attribution, framework, licenses, svg }: ResolvedOptions,
  {
    values,
    records,
    validity,
  }: { values: TextPack; records: TextPack; validity: Pick<ModuleValidity, 'accepts' | 'made'> },
): ModuleCache {
  /** No identity can hold what a function of the project will answer: builds without it have kept the same lines. */
  const isRedrawn = svg.transform !== undefined;
  const isKept = ({ filetype, as }: IconRequest): boolean =>
    filetype === 'svg' &&
    (as === 'svg' || as === 'data' || (as === 'component' && typeof framework === 'string')) &&
    !isRedrawn;

  function accepted(defaultId: string): string | undefined {
    const text = isRedrawn ? undefined : values.get(defaultId);
    return text !== undefined && validity.accepts(defaultId, text) ? text : undefined;
  }

  function digest(defaultId: string): string | undefined {
    const text = accepted(defaultId);
    return text && digestOfValue(text);
  }

  function get(defaultId: string): CachedModule | undefined {
    const text = accepted(defaultId);
    if (text === undefined) return undefined;
    const flags = Number(text.at(-1));
    const notes = {
      versionStated: (flags & VERSION_STATED) !== 0,
      keepsColors: (flags & KEEPS_COLORS) !== 0,
      creditMissing: attribution === false && (flags & CREDIT_REQUIRED) !== 0,
    };
    return { value: text.slice(0, -TAIL), notes };
  }

  async function recordsOf(defaultId: string): Promise<CachedRecords | undefined> {
    await records.open();
    const [credit = '', icon = '', said] = records.get(defaultId)?.split(BETWEEN) ?? [];
    // The two files may have been written by different builds.
    return said !== undefined && said === digest(defaultId) ? { credit, icon } : undefined;
  }

  return {
    async find({ canonical }, part) {
      const defaultId = toDefaultId(canonical);
      const cached = get(defaultId);
      if (cached === undefined) return undefined;
      const { value, notes } = cached;
      const rest = needsRecords(part) ? await recordsOf(defaultId) : { credit: '', icon: '' };
      return rest && { code: joinPart({ value, ...rest }, part), notes };
    },
    get,
    digest,
    records: recordsOf,
    set(request, { parts, credit: { credit: said, license }, entryHash }) {
      if (entryHash === undefined || !isKept(request) || license.status === 'unknown') return;
      if (unacceptedConditions(license, licenses.allow) !== undefined) return;
      const versionStated = license.status !== 'attribution' || license.version !== null;
      const keepsColors = request.color === 'currentColor' && filesInHash(entryHash) > 1;
      const flags =
        (versionStated ? VERSION_STATED : 0) +
        (keepsColors ? KEEPS_COLORS : 0) +
        (said.required ? CREDIT_REQUIRED : 0);
      const { value, credit, icon } = parts;
      const made = sha256Hex([value, credit, icon].join(BETWEEN));
      const id = toDefaultId(request.canonical);
      values.set(id, [value, made, flags].join(BETWEEN));
      records.set(id, [credit, icon, made, entryHash].join(BETWEEN));
      validity.made(id);
    },
  };
}

function digestOfValue(text: string): string {
  return text.slice(1 - TAIL, -2);
}

/** Digest and entry hash of a line of records. */
function recordsHashOf(text: string): { digest: string; entryHash: string } {
  const [, , digest = '', entryHash = ''] = text.split(BETWEEN);
  return { digest, entryHash };
}

/** The credit that a module exports. */
export function creditOfRecords({ credit }: CachedRecords): Credit {
  return JSON.parse(JSON.parse(credit) as string) as Credit;
}

/**
 * Line of the values pack that is no module: SHA-256 of the lock file against which every other line of the pack was
 * held. While the lock file is that one, thousands of modules are taken without a look into it.
 */
const LOCK_HASH = '!lock';

/** Whether what an earlier build finished is what the lock says now. */
export interface ModuleValidity {
  /** True if every line was compared with this very lock file before. */
  readonly matchesLock: boolean;
  /** To be called when a build begins and the lock is open. */
  begin(): Promise<void>;
  /**
   * False also for icons that the lock does not know: who builds them again asks for them, and pins them.
   * @param text line of the values pack
   * @throws IconCatalogError LOCK_INVALID
   */
  accepts(defaultId: string, text: string): boolean;
  /** The module was finished in this process. */
  made(defaultId: string): void;
  /** To be called before packs are written and after the lock was: notes the hash of the lock if the values match it. */
  end(): void;
  /** Drops the lines that do not match the lock, and notes the hash of the lock for the others. */
  keepValid(lines: Map<string, PackText>): void;
}

/** @param packs.values is open */
export function createModuleValidity({
  iconLock,
  values,
  records,
}: {
  iconLock: Pick<IconLock, 'find' | 'record' | 'hash'>;
  values: TextPack;
  records: TextPack;
}): ModuleValidity {
  const verdicts = new Map<string, boolean>();
  /** Modules that were finished in this process, while the lock may change: the noted hash does not cover these. */
  const fresh = new Set<string>();
  /** The hash is noted, and lines that do not match the lock are not dropped yet. */
  let isRevalidating = false;
  let matchesLock = false;
  let hash: string | undefined;

  return {
    get matchesLock() {
      return matchesLock;
    },
    async begin() {
      const isOther = hash !== iconLock.hash();
      hash = iconLock.hash();
      if (isOther) verdicts.clear();
      matchesLock = hash !== '' && !isRevalidating && values.get(LOCK_HASH) === hash;
      if (isOther && !matchesLock) await records.open();
    },
    accepts(defaultId, text) {
      if (matchesLock && !fresh.has(defaultId)) return true;
      const known = verdicts.get(defaultId);
      if (known !== undefined) return known;
      const verdict = isValid(defaultId, digestOfValue(text), { iconLock, records });
      verdicts.set(defaultId, verdict);
      return verdict;
    },
    made(defaultId) {
      verdicts.delete(defaultId);
      fresh.add(defaultId);
    },
    end() {
      const said = iconLock.hash();
      if (said === '' || values.get(LOCK_HASH) === said) return;
      isRevalidating = true;
      values.set(LOCK_HASH, said);
    },
    keepValid(lines) {
      isRevalidating = false;
      lines.delete(LOCK_HASH);
      // Who finished no module, as `sync`, need not read a lock of thousands for it.
      if (iconLock.hash() === '' || (lines.size > 0 && !isReadable(iconLock))) return;
      for (const [defaultId, text] of lines) {
        if (!isValid(defaultId, digestOfValue(text.toString()), { iconLock, records }))
          lines.delete(defaultId);
      }
      lines.set(LOCK_HASH, iconLock.hash());
    },
  };
}

/** Whether the lock says of the icon what it said when the module was finished. */
function isValid(
  defaultId: string,
  digest: string,
  { iconLock, records }: { iconLock: Pick<IconLock, 'find' | 'record'>; records: TextPack },
): boolean {
  const kept = records.get(defaultId);
  const said = kept === undefined ? undefined : recordsHashOf(kept);
  const id = Number(iconIdOf(defaultId));
  const record = iconLock.record(id);
  if (said?.digest !== digest || record === undefined) return false;
  const color = /[?&]color=(\w+)/.exec(toIconId(defaultId))?.[1] ?? 'currentColor';
  const keys = toSvgKeys(id, color).slice(0, filesInHash(said.entryHash));
  const integrities = keys.flatMap((key) => iconLock.find(key)?.integrity ?? []);
  return integrities.length === keys.length && entryHashOf(integrities, record) === said.entryHash;
}

/** Nothing matches a lock that cannot be read; the error is reported by the code that needs the lock. */
function isReadable(iconLock: Pick<IconLock, 'find'>): boolean {
  try {
    iconLock.find('');
    return true;
  } catch {
    return false;
  }
}

/**
 * What a finished module was made of: how many files (`1`, or `2` if the catalog painted one of several tones) and
 * the hash of their digests and of the record. It holds while the lock says the same.
 */
export function entryHashOf(
  integrities: readonly string[],
  record: Omit<IconRecord, 'id'>,
): string {
  const said = JSON.stringify([integrities, lockedRecord(record)]);
  return `${integrities.length}${shortHash(said)}`;
}

function filesInHash(entryHash: string): number {
  return Number(entryHash[0]);
}

/** The two files of finished modules, and what says which of them still match the lock. Neither file is open yet. */
export function createModulePacks(
  { cacheDir, root, framework, licenses }: ResolvedOptions,
  {
    identity,
    iconLock,
    ...common
  }: { identity: string; key: Uint8Array; log: Log; iconLock: IconLock },
): { values: TextPack; records: TextPack; validity: ModuleValidity } {
  // Finished modules hold credits, which depend on the licence options, and components of one framework.
  const finishing = shortHash(JSON.stringify([identity, JSON.stringify([licenses, framework])]));
  const file = join(cacheDir, 'packs', shortHash(JSON.stringify([root, finishing])));
  const shared = { ...common, identity: finishing };
  const records = createTextPack({ ...shared, file: `${file}.records` });
  // Values have a file of their own: a warm build reads nothing else.
  const values: TextPack = createTextPack({
    ...shared,
    file: `${file}.values`,
    keepValid: (lines) => validity.keepValid(lines),
  });
  const validity = createModuleValidity({ iconLock, values, records });
  return { values, records, validity };
}
