import { IconCatalogError } from '../errors.ts';
import { isObject, parseJson } from '../untrusted.ts';
import { textDigest } from './hash.ts';
import type { LockEntry } from '../types.ts';
import {
  checkOf,
  EMPTY_LOCKFILE,
  encodeEntry,
  lockedRecord,
  type Lockfile,
  LOCKFILE_VERSION,
  TEXT,
} from './lockfile-format.ts';
import { type IconKey, parseLockKey, toLockKey } from '../request/key.ts';

/** JSON may contain U+2028 and U+2029 unescaped, which are line ends for a pattern without `s`. */
const MEMBER = /^"((?:[^"\\]|\\.)*)"\s*:\s*(.*?)\s*,?$/s;
const VERSION = /^\s*"lockfileVersion"\s*:\s*(\d+)\s*,?\s*$/m;

/**
 * The lock that a file holds. Both sides of conflict markers are read: of two lines about one icon the one with the
 * higher `rev` counts. Two such lines without markers around them are an error. The order of lines, CRLF, a byte order
 * mark and white space around lines have no meaning.
 *
 * @param file as messages should name it
 * @param altered gets the lines whose words are not those that were written, by their keys
 * @throws IconCatalogError LOCK_INVALID, with file and line
 */
export function parseLockfile(
  bytes: Uint8Array,
  file: string,
  altered: Map<string, number> = new Map(),
): Lockfile {
  const fail = failIn(file);
  const text = decode(bytes, fail);
  if (text.trim() === '') return EMPTY_LOCKFILE;
  refuseNewerVersion(text, fail);
  const entries = new Map<string, Line>();
  const texts = new Map<string, string>();
  let catalog: string | undefined;

  function addEntry(key: string, json: string, line: LockLine): void {
    const iconKey = parseLockKey(key);
    if (iconKey === undefined)
      return fail(line, `${JSON.stringify(key)} is not a key of a lock file`);
    const value = parseJson(json);
    const fault = faultOfEntry(value, iconKey);
    if (fault !== undefined) return fail(line, `the entry of ${key} ${fault}`);
    const { entry, check } = asEntry(value);
    const other = entries.get(key);
    if (other !== undefined && !line.inConflict && !other.line.inConflict)
      return fail(line, `line ${other.line.number} is about the same icon, ${key}`);
    // The key itself is a slice of the file's text, and would keep all of it in memory.
    if (other === undefined || entry.rev > other.entry.rev)
      entries.set(toLockKey(iconKey), { entry, line, check });
    else if (entry.rev === other.entry.rev) compare({ entry, line }, other, fail);
  }

  function addText(digest: string, json: string, line: LockLine): void {
    const text = parseJson(json);
    if (typeof text !== 'string' || textDigest(text) !== digest)
      return fail(line, 'the text of the licence is not the one that was written');
    texts.set(digest, text);
  }

  function withText(entry: LockEntry, line: LockLine): LockEntry {
    if (entry.license_text === undefined) return entry;
    const license_text = texts.get(entry.license_text);
    if (license_text === undefined)
      return fail(line, 'the file has no line with the text of the licence');
    return asEntry({ ...entry, license_text }).entry;
  }

  function addCatalog(json: string, line: LockLine): void {
    const digest = parseJson(json);
    if (typeof digest !== 'string' || !isIntegrity(digest)) {
      return fail(line, 'the digest of the catalog is malformed');
    }
    if (catalog !== undefined && catalog !== digest) {
      return fail(line, 'the file names two catalogs');
    }
    catalog = digest;
  }

  for (const line of linesOfLock(text, fail)) {
    const [, key, json = ''] = MEMBER.exec(line.text) ?? [];
    if (key === undefined) fail(line, 'this is not a line of a lock file');
    else if (key === 'catalog') addCatalog(json, line);
    else if (key.startsWith(TEXT)) addText(key.slice(TEXT.length), json, line);
    else if (key !== 'lockfileVersion') addEntry(key, json, line);
  }
  const found = new Map<string, LockEntry>();
  for (const [key, { entry: written, line, check }] of entries) {
    const entry = withText(written, line);
    if (check !== undefined && check !== checkOf(key, entry)) altered.set(key, line.number);
    found.set(key, entry);
  }
  return { catalog, entries: found };
}

interface Line {
  entry: LockEntry;
  line: LockLine;
  check: string | undefined;
}

/** Two sides of a conflict with the same `rev`: both branches wrote the same, or the user has to choose. */
function compare(
  { entry, line }: Pick<Line, 'entry' | 'line'>,
  other: Pick<Line, 'entry' | 'line'>,
  fail: Fail,
): void {
  if (encodeEntry(entry) === encodeEntry(other.entry)) return;
  fail(
    line,
    `line ${other.line.number} states something else about the same icon, with the same \`rev\``,
  );
}

/** This precedes every other check: what looks wrong may be right in a later format. */
function refuseNewerVersion(text: string, fail: Fail): void {
  const [found, version] = VERSION.exec(text) ?? [];
  if (version === undefined) fail(undefined, 'the line `"lockfileVersion":1` is missing');
  if (version === String(LOCKFILE_VERSION)) return;
  const number = text.slice(0, text.indexOf(found ?? '')).split('\n').length;
  const line = { number: number + (found?.match(/^\s*/)?.[0].split('\n').length ?? 1) - 1 };
  fail(
    line,
    `the file has format ${version}, and this version of unplugin-icon-catalog reads ${LOCKFILE_VERSION}`,
    'Use the version of unplugin-icon-catalog that wrote it, or a later one.',
  );
}

function decode(bytes: Uint8Array, fail: Fail): string {
  try {
    // This removes the byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const readable = new TextDecoder().decode(bytes);
    const number = readable.slice(0, readable.indexOf('\uFFFD')).split('\n').length;
    return fail({ number }, 'this is not UTF-8');
  }
}

function failIn(file: string): Fail {
  return (line, what, remedy) => {
    const where = line === undefined ? file : `${file}:${line.number}`;
    throw new IconCatalogError('LOCK_INVALID', {
      message: `The lock file cannot be read: ${where}: ${what}.`,
      remedy:
        remedy ??
        'Restore it from version control (if two branches changed the same icon, keep one of the lines), then run `npx icon-catalog sync`.',
      path: where,
    });
  };
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const integer =
  (min: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min;
const list =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const digest: Check = (value) => typeof value === 'string' && isIntegrity(value);
const record =
  (fields: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value) =>
    isObject(value) && wrongField(value, fields, optional) === undefined;

const RECORD: Record<string, Check> = {
  term: text,
  creator: record({ name: text, permalink: text, username: text }),
  attribution: text,
  license_description: text,
  permalink: text,
  collections: list(record({ id: text, name: text, permalink: text })),
  styles: list(record({ style: text }, { line_weight: integer(0) })),
  tags: list(text),
};
const META = { rev: integer(1), ...RECORD };
const FILE = { rev: integer(1), integrity: digest, size: integer(0), ...RECORD };
/** The parser checks whether `check` is right. */
const OPTIONAL = {
  check: text,
  site_url: text,
  creator_url: text,
  license_url: text,
  license_text: text,
  own_color: text,
};

/** `sha512-` and the 88 characters of its Base64, whose last digit has two significant bits instead of six. */
function isIntegrity(value: string): boolean {
  return /^sha512-[A-Za-z0-9+/]{85}[AQgw]==$/.test(value);
}

/** The fault in the value of a line, as the end of a sentence; `undefined`: it is an entry. */
function faultOfEntry(value: unknown, { kind }: IconKey): string | undefined {
  if (!isObject(value)) return 'is no object';
  const wrong = wrongField(value, kind === 'meta' ? META : FILE, OPTIONAL);
  return wrong === undefined ? undefined : `has a field \`${wrong}\` that is missing or wrong`;
}

/** The entry of a value without fault, its fields in the order in which they are written. */
function asEntry(value: unknown): { entry: LockEntry; check: string | undefined } {
  const { check, ...found } = value as LockEntry & { check?: string };
  const { rev, integrity, size } = found;
  const file = integrity === undefined ? {} : { integrity, size };
  return { entry: { rev, ...file, ...lockedRecord(found) }, check };
}

function wrongField(
  value: Record<string, unknown>,
  fields: Record<string, Check>,
  optional: Record<string, Check>,
): string | undefined {
  for (const name in fields) if (fields[name]?.(value[name]) !== true) return name;
  for (const name in value) {
    if (Object.hasOwn(fields, name)) continue;
    if (!Object.hasOwn(optional, name) || optional[name]?.(value[name]) !== true) return name;
  }
  return undefined;
}

interface LockLine {
  /** Counted from 1. */
  number: number;
  text: string;
  /** True between conflict markers. */
  inConflict: boolean;
}

/** Throws LOCK_INVALID; `line` is missing if the whole file is at fault. */
type Fail = (line: Pick<LockLine, 'number'> | undefined, what: string, remedy?: string) => never;

type Side = 'none' | 'ours' | 'base' | 'theirs';

/** The beginning of each side of a conflict. Markers are longer in nested conflicts, which only a base has. */
const MARKERS: readonly [RegExp, Side, readonly Side[]][] = [
  [/^<{7}(?: |$)/, 'ours', ['none']],
  [/^\|{7}(?: |$)/, 'base', ['ours']],
  [/^={7}$/, 'theirs', ['ours', 'base']],
  [/^>{7}(?: |$)/, 'none', ['theirs']],
];

/** The lines between the braces, without conflict markers and the base section that `diff3` shows. */
function linesOfLock(text: string, fail: Fail): LockLine[] {
  const members: LockLine[] = [];
  let side: Side = 'none';
  let conflict: LockLine | undefined;
  let isOpen = false;
  let isClosed = false;
  let last: LockLine | undefined;

  for (const [index, raw] of text.split('\n').entries()) {
    const line: LockLine = { number: index + 1, text: raw.trim(), inConflict: side !== 'none' };
    if (line.text === '') continue;
    const marker = MARKERS.find(([pattern]) => pattern.test(line.text));
    if (marker !== undefined) {
      const [, next, from] = marker;
      if (side === 'base' && !from.includes(side)) continue;
      if (!from.includes(side)) fail(line, 'there is a conflict marker where none belongs');
      side = next;
      conflict = line;
      continue;
    }
    if (side === 'base') continue;
    last = line;
    if (line.text === '{') {
      // Both branches may have created the file: each side of the conflict is then a whole one.
      if (isOpen && !line.inConflict) fail(line, 'a second file begins here');
      [isOpen, isClosed] = [true, false];
    } else if (!isOpen) fail(line, 'this is not a lock file, which begins with `{`');
    else if (line.text === '}') isClosed = true;
    else if (isClosed && !line.inConflict) fail(line, 'there is something after the closing `}`');
    else members.push(line);
  }
  if (side !== 'none') fail(conflict, 'the conflict that begins here has no end');
  if (!isClosed) fail(last, 'the file is cut off here: the closing `}` is missing');
  return members;
}
