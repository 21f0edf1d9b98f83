import { Buffer } from 'node:buffer';
import { basename } from 'node:path';
import type { Log } from '../types.ts';
import {
  createPackFlush,
  decodeText,
  encodeHeader,
  encodeLine,
  indexPack,
  isIntact,
  type PackIndex,
} from './packed-file.ts';
import { createSign, type Sign } from './machine-key.ts';
import { replacePackFile, readPackFile } from './files.ts';

/**
 * Optimised icons of one project in one file. Reading touches no file after `open`; an entry is checked and parsed on
 * first use. Returned entries are shared: do not change them.
 */
export interface RenderPack<Entry extends object> {
  /** Reads the file, once. A file that cannot be read is an empty pack. */
  open(): Promise<void>;
  get(key: string): Entry | undefined;
  /** Throws a `TypeError` for a key that is not printable ASCII without spaces. */
  set(key: string, entry: Entry): void;
  /**
   * Writes what was set, if it changes anything, beside what other processes have written meanwhile. If that is
   * impossible, one warning reports it; it never fails.
   */
  flush(): Promise<void>;
  /** The number of damaged lines so far. */
  readonly damaged: number;
}

export interface RenderPackOptions {
  file: string;
  /** Everything that the entries depend on besides their keys: hash of the pipeline's version and options. */
  identity: string;
  /** The key of this machine. */
  key: Uint8Array;
  log: Log;
  /** The size in bytes beyond which entries that were not used in this run are dropped. @default 64 MiB */
  maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

const EMPTY: readonly [Buffer, PackIndex] = [Buffer.alloc(0), { lines: new Map(), damaged: 0 }];

export function createRenderPack<Entry extends object>({
  file,
  identity,
  key: machineKey,
  log,
  maxBytes = MAX_BYTES,
}: RenderPackOptions): RenderPack<Entry> {
  const sign = createSign(machineKey, JSON.stringify([basename(file), identity]));
  let [pack, index] = EMPTY;
  let damaged = 0;
  let opened: Promise<void> | undefined;
  const entries = new Map<string, Entry>();
  /** Keys that were read or set. */
  const used = new Set<string>();
  const changes = new Map<string, Buffer>();
  /** What could not be written stays here. */
  let writing: ReadonlyMap<string, Buffer> = new Map();
  const broken = new Set<string>();

  function adopt(bytes: Buffer | undefined): void {
    const found = bytes && indexPack(bytes, identity);
    [pack, index] = found && bytes ? [bytes, found] : EMPTY;
  }

  function get(key: string): Entry | undefined {
    const unwritten = changes.get(key) ?? writing.get(key);
    const known = entries.get(key) ?? (unwritten && (decodeEntry(unwritten) as Entry));
    if (known !== undefined) return known;
    const line = index.lines.get(key);
    if (line === undefined || broken.has(key)) return undefined;
    if (!isIntact(pack, line, sign)) {
      damaged += 1;
      return void broken.add(key);
    }
    used.add(key);
    // The signature proves that this code wrote the entry, on this machine and into a pack of this identity.
    const entry = JSON.parse(decodeText(pack, line)) as Entry;
    entries.set(key, entry);
    return entry;
  }

  function set(key: string, entry: Entry): void {
    const encoded = encodeLine(key, JSON.stringify(entry), sign);
    used.add(key);
    // As text it takes a quarter of the memory, and a cold build of thousands of icons seldom reads it again.
    entries.delete(key);
    const line = index.lines.get(key);
    const written = line && pack.subarray(line.start, line.end + 1);
    if (written?.equals(encoded) !== true) changes.set(key, encoded);
    else changes.delete(key);
  }

  async function write(): Promise<void> {
    if (changes.size === 0) return;
    const changed = (writing = new Map(changes));
    changes.clear();
    adopt(
      await replacePackFile(file, (present) =>
        merge(present, changed, { identity, sign, maxBytes, used, broken }),
      ),
    );
    broken.clear();
    writing = new Map();
  }

  return {
    open: () =>
      (opened ??= readPackFile(file).then((bytes) => {
        adopt(bytes);
        damaged += index.damaged;
      })),
    get,
    set,
    flush: createPackFlush({ file, log, write }),
    get damaged() {
      return damaged;
    },
  };
}

function decodeEntry(line: Buffer): unknown {
  const text = line.toString();
  // The position after the second TAB.
  return JSON.parse(text.slice(text.indexOf('\t', text.indexOf('\t') + 1) + 1));
}

/**
 * The present lines byte for byte, except those that changed, are damaged, or are unused in a file that grew too
 * large.
 */
function merge(
  present: Buffer | undefined,
  changed: ReadonlyMap<string, Buffer>,
  {
    identity,
    sign,
    maxBytes,
    used,
    broken,
  }: {
    identity: string;
    sign: Sign;
    maxBytes: number;
    used: ReadonlySet<string>;
    broken: ReadonlySet<string>;
  },
): Buffer {
  const found = present && indexPack(present, identity);
  const kept = new Map<string, Buffer>();
  let size = 0;
  for (const [key, line] of found?.lines ?? []) {
    if (!present || changed.has(key) || (broken.has(key) && !isIntact(present, line, sign)))
      continue;
    const bytes = present.subarray(line.start, line.end + 1);
    kept.set(key, bytes);
    size += bytes.length;
  }
  for (const bytes of changed.values()) size += bytes.length;
  if (size > maxBytes) {
    for (const key of kept.keys()) if (!used.has(key)) kept.delete(key);
  }
  return Buffer.concat([encodeHeader(identity), ...kept.values(), ...changed.values()]);
}
