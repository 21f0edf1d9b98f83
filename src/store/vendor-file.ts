import { Buffer } from 'node:buffer';
import { IconCatalogError } from '../errors.ts';
import type { ByteSource } from './content-store.ts';
import { readProjectFile, reasonOf, replaceFile } from './files.ts';
import {
  decodeVendorLine,
  encodeVendorLine,
  indexVendor,
  type VendorIndex,
} from './vendor-format.ts';

/** Icons as the catalog sent them, in a file that is committed with the project. */
export interface VendorFile {
  /** As messages name it. */
  readonly name: string;
  /**
   * Reads the file, once; a file that is not there is an empty one.
   * @throws IconCatalogError LOCK_INVALID where it is there and cannot be read
   */
  open(): Promise<void>;
  /** The file may have changed: the next `open` reads it again. What was put stays. */
  refresh(): void;
  /** Whether a line of that digest is there, put ones included. Says nothing about its bytes. */
  has(integrity: string): boolean;
  /**
   * The bytes of that digest, or `undefined` where the file does not hold them.
   * @throws IconCatalogError LOCK_MISMATCH for a line with other bytes, LOCK_INVALID for one that cannot be read,
   *   with file and line; also for another line than the one asked for, as it may be the one that is missing
   */
  get(integrity: string): Uint8Array | undefined;
  /** Keeps the bytes for `flush`; returns their digest. */
  put(bytes: Uint8Array): string;
  /** Drops every other line at the next `flush`. */
  keepOnly(integrities: ReadonlySet<string>): void;
  /** Digests of all lines, put ones included, sorted. */
  integrities(): string[];
  /** Checks every line. */
  problems(): VendorProblem[];
  /**
   * Writes what was put or dropped, beside what others have written meanwhile, where it changes anything.
   * @param only of what was put, these digests alone
   * @throws IconCatalogError LOCK_INVALID or LOCK_MISMATCH if the present file has a line that would be lost; as the
   *   file system does where it cannot be written
   */
  flush(only?: ReadonlySet<string>): Promise<VendorChange>;
}

export interface VendorChange {
  /** Digests of lines that were not in the file before. */
  added: string[];
  removed: string[];
}

const EMPTY = Buffer.alloc(0);
const LF = 10;

/** @param ports.warn called with a message if another process does not release the lock of the file */
export function createVendorFile({
  file,
  name,
  warn,
}: {
  file: string;
  name: string;
  warn?: (message: string) => void;
}): VendorFile {
  let present: Buffer = EMPTY;
  let index: VendorIndex = indexVendor(EMPTY);
  let opened: Promise<void> | undefined;
  let checked = false;
  let kept: ReadonlySet<string> | undefined;
  const added = new Map<string, { line: Buffer; bytes: Uint8Array }>();

  function adopt(bytes: Buffer): void {
    present = bytes;
    index = indexVendor(bytes);
    checked = false;
  }

  function get(integrity: string): Uint8Array | undefined {
    if (added.has(integrity)) return added.get(integrity)?.bytes;
    const lines = index.lines.get(integrity) ?? [];
    for (const line of lines) {
      const decoded = decodeVendorLine(present, line);
      if (decoded.ok) return decoded.bytes;
    }
    if (checked && lines.length === 0) return undefined;
    // What is asked for may stand in a line that lost its digest. One look at all of them is enough.
    const asked = lines.length > 0 ? { broken: [], lines: new Map([[integrity, lines]]) } : index;
    const [problem] = problemsOf(present, asked);
    if (problem !== undefined) throw describeVendorProblem(problem, name);
    checked = true;
    return undefined;
  }

  return {
    name,
    open: () => (opened ??= readVendor(file, name).then(adopt)),
    refresh() {
      opened = undefined;
    },
    has: (integrity) => added.has(integrity) || index.lines.has(integrity),
    get,
    put(bytes) {
      const { integrity, line } = encodeVendorLine(bytes);
      if (!index.lines.has(integrity)) added.set(integrity, { line, bytes });
      return integrity;
    },
    keepOnly: (integrities) => void (kept = integrities),
    integrities: () => [...new Set([...index.lines.keys(), ...added.keys()])].toSorted(),
    problems: () => problemsOf(present, index),
    async flush(only) {
      if (only !== undefined)
        for (const integrity of added.keys()) if (!only.has(integrity)) added.delete(integrity);
      // Without the lock a first look shows whether there is anything to do: most builds write nothing.
      const before = await readVendor(file, name);
      const { merged, change: planned } = merge(before, { name, added, kept });
      if (merged === before) {
        settle(before);
        return planned;
      }
      let done: { merged: Buffer; change: VendorChange } | undefined;
      const change = (now?: Buffer): Buffer =>
        (done = merge(now ?? EMPTY, { name, added, kept })).merged;
      const held = (description: string): void => warn?.(`${name}.lock ${description}`);
      settle((await replaceFile(file, change, { held })) ?? EMPTY);
      return done?.change ?? planned;
    },
  };

  function settle(bytes: Buffer): void {
    adopt(bytes);
    added.clear();
    kept = undefined;
  }
}

async function readVendor(file: string, name: string): Promise<Buffer> {
  try {
    return (await readProjectFile(file)) ?? EMPTY;
  } catch (error) {
    throw new IconCatalogError('LOCK_INVALID', {
      message: `The vendor file ${name} is there but cannot be read (${reasonOf(error)}).`,
      remedy: 'Make it a file that can be read, or restore it from version control.',
    });
  }
}

/** The lines of the file and those that were added, sorted; of the former, those that are kept. */
function merge(
  bytes: Buffer,
  {
    name,
    added,
    kept,
  }: {
    name: string;
    added: ReadonlyMap<string, { line: Buffer }>;
    kept: ReadonlySet<string> | undefined;
  },
): { merged: Buffer; change: VendorChange } {
  const found = indexVendor(bytes);
  const lines = new Map<string, Buffer>();
  for (const [integrity, [first]] of found.lines) {
    if (first !== undefined && kept?.has(integrity) !== false)
      lines.set(integrity, bytes.subarray(first.start, first.end));
  }
  const change: VendorChange = {
    added: [...added.keys()].filter((integrity) => !found.lines.has(integrity)).toSorted(),
    removed: [...found.lines.keys()].filter((integrity) => !lines.has(integrity)).toSorted(),
  };
  if (change.added.length === 0 && change.removed.length === 0) return { merged: bytes, change };
  // An unreadable line may hold something that must not be lost, and the bad one of two duplicates must not stay.
  const [problem] = problemsOf(bytes, found);
  if (problem !== undefined) throw describeVendorProblem(problem, name);
  for (const [integrity, { line }] of added)
    lines.set(integrity, line.subarray(0, line.length - 1));
  const sorted = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const feed = Buffer.of(LF);
  return { merged: Buffer.concat(sorted.flatMap(([, line]) => [line, feed])), change };
}

/** In the order of the file. */
function problemsOf(bytes: Buffer, index: VendorIndex): VendorProblem[] {
  const lines = [...index.broken, ...[...index.lines.values()].flat()];
  const found = lines.flatMap(({ start, end }) => {
    const decoded = decodeVendorLine(bytes, { start, end });
    return decoded.ok ? [] : [{ start, decoded }];
  });
  let line = 1;
  let at = bytes.indexOf(LF);
  return found
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, decoded }) => {
      for (; at !== -1 && at < start; at = bytes.indexOf(LF, at + 1)) line += 1;
      return { line, why: decoded.why, kind: decoded.kind };
    });
}

interface VendorProblem {
  /** Counted from 1. */
  line: number;
  /** `broken`: no line of a vendor file; `mismatch`: other bytes than its digest says; `unknown`: of a newer version. */
  why: 'broken' | 'mismatch' | 'unknown';
  /** The member that is not known. */
  kind: string | undefined;
}

/** @param name of the vendor file, as messages show it */
export function describeVendorProblem(
  { line, why, kind = '' }: VendorProblem,
  name: string,
): IconCatalogError {
  const where = `Line ${line} of ${name}`;
  const restore = `Restore ${name} from version control, or delete the line and run \`npx icon-catalog sync\`.`;
  if (why === 'mismatch') {
    return new IconCatalogError('LOCK_MISMATCH', {
      message: `${where} holds other bytes than its digest says.`,
      remedy: restore,
      path: `${name}:${line}`,
    });
  }
  if (why === 'unknown') {
    return new IconCatalogError('LOCK_INVALID', {
      message: `${where} has \`${kind.slice(0, 40)}\`, which this version does not know.`,
      remedy: `Update unplugin-icon-catalog: ${name} was written by a newer version.`,
      path: `${name}:${line}`,
    });
  }
  return new IconCatalogError('LOCK_INVALID', {
    message: `${where} is no line of a vendor file.`,
    remedy: restore,
    path: `${name}:${line}`,
  });
}

/**
 * The vendor file among the places where bytes may be. It is read when the first icon is asked for, and what it is given
 * waits for its own `flush`.
 *
 * @param writable false: it is given nothing
 */
export function vendorSource(vendor: VendorFile, { writable }: { writable: boolean }): ByteSource {
  return {
    name: `vendor file ${vendor.name}`,
    committed: true,
    async get(integrity) {
      await vendor.open();
      return vendor.get(integrity);
    },
    async has(integrity) {
      await vendor.open();
      return vendor.has(integrity);
    },
    async put(_integrity, bytes) {
      if (writable) vendor.put(bytes);
    },
  };
}
