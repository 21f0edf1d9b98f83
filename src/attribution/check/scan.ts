import { Buffer } from 'node:buffer';
import { sha256Hex } from '../../store/hash.ts';

export interface ScannedIcon {
  /** What `scan` calls it. */
  key: string;
  /** As `fingerprint` in svg/to-template makes it, or `sha256:<hex>` of a picture's bytes. Icons without one are never found. */
  fingerprint: string;
  /** It should be there: next to no artwork is enough to find it among other drawings. @default false */
  isExpected?: boolean;
}

export interface IconScanner {
  /** Keys of the icons whose artwork is in these bytes; all those with the same artwork. Linear in their length. */
  scan(content: Uint8Array | string): Set<string>;
}

const SEARCHED =
  /(?:^|\/)[^./]+$|\.(?:x?html?|php\d?|phtml|aspx?|jsp|erb|ejs|hbs|twig|liquid|[cm]?js|css|svgz?|png|webmanifest|json|xml|rss|atom|txt|md)$/i;

/** Files that text of a site is in, pictures included, compressed or not: those that `checkSite` looks into. */
export function isSearched(path: string): boolean {
  return SEARCHED.test(path.replace(/\.(?:gz|br)$/, ''));
}

/** Data addresses within data addresses are unpacked this often. */
const DEEPEST = 3;
const DIGEST = 'sha256:';
/** As many pieces of path data as a fingerprint has. */
const MOST_PATHS = 16;
/** Less than this is found in drawings that happen to share it. */
const TELLING = 16;

/** Letters written as escapes, which no tool needs to do: `\u004d`. */
const ESCAPED_LETTERS = /\\(?:u00|x)[46]\w|&#(?:x[46]\w|7\d|10\d);|%[46][\dA-F]/i;

interface Drawing {
  key: string;
  paths: string[];
}

/**
 * Looks for the artwork of icons in emitted files, whatever language and escapes it is in: drawings by their path data
 * or geometry, pictures by their bytes. Artwork that was encoded again (another optimiser's paths) is not found.
 */
export function createIconScanner(icons: Iterable<ScannedIcon>): IconScanner {
  const keysByFingerprint = new Map<string, string[]>();
  const drawingsByPath = new Map<string, Drawing[]>();
  for (const { key, fingerprint, isExpected = false } of icons) {
    if (fingerprint === '') continue;
    add(keysByFingerprint, fingerprint, key);
    const isPaths = !fingerprint.startsWith(DIGEST) && !fingerprint.includes('=');
    const paths = isPaths ? fingerprint.split('|') : [];
    if (!isExpected && paths.join('').length < TELLING) continue;
    for (const path of paths) add(drawingsByPath, path, { key, paths });
  }
  const hasPictures = [...keysByFingerprint.keys()].some((each) => each.startsWith(DIGEST));

  function scan(content: Uint8Array | string, found: Set<string>, depth: number): void {
    if (hasPictures && typeof content !== 'string') {
      const digest = sha256Hex(content);
      for (const key of keysByFingerprint.get(DIGEST + digest) ?? []) found.add(key);
    }
    const text = textOf(content);
    if (text === undefined) return;
    for (const drawing of drawingsIn(text)) {
      const keys = wholeDrawing(drawing, keysByFingerprint) ?? partsOf(drawing, drawingsByPath);
      for (const key of keys) found.add(key);
    }
    if (depth < DEEPEST) for (const inner of base64In(text)) scan(inner, found, depth + 1);
    if (depth === 0) for (const plain of spelledOut(text)) scan(plain, found, 1);
  }

  return {
    scan(content) {
      const found = new Set<string>();
      scan(content, found, 0);
      return found;
    },
  };
}

/** The icons that are drawn so and in no other way. */
function wholeDrawing(
  { paths, geometry }: FoundDrawing,
  keysByFingerprint: ReadonlyMap<string, string[]>,
): string[] | undefined {
  if (paths.length > 0) return keysByFingerprint.get(paths.slice(0, MOST_PATHS).join('|'));
  // The root's own width and height come first.
  for (let from = 0; from < Math.min(geometry.length, MOST_PATHS); from += 1) {
    const keys = keysByFingerprint.get(geometry.slice(from).join(';'));
    if (keys !== undefined) return keys;
  }
  return undefined;
}

/** Drawings that lost their marks, or stand together with others: all that are there with all of their paths. */
function* partsOf(
  { paths }: FoundDrawing,
  drawingsByPath: ReadonlyMap<string, Drawing[]>,
): Generator<string> {
  const seen = new Set(paths);
  for (const path of paths) {
    for (const drawing of drawingsByPath.get(path) ?? [])
      if (drawing.paths[0] === path && drawing.paths.every((each) => seen.has(each)))
        yield drawing.key;
  }
}

const UTF_16: Readonly<Record<string, string>> = {
  fffe: 'utf-16le',
  '3c00': 'utf-16le',
  feff: 'utf-16be',
  '003c': 'utf-16be',
};

/**
 * `undefined` for pictures, fonts and other files that are no text.
 *
 * @param encoding of files that are not UTF-16. Latin letters take no decoding, and no byte of a longer character is one
 *   that artwork is written with.
 */
export function textOf(
  content: Uint8Array | string,
  encoding: 'latin1' | 'utf8' = 'latin1',
): string | undefined {
  if (typeof content === 'string') return content;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const utf16 = UTF_16[bytes.subarray(0, 2).toString('hex')];
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  return bytes.subarray(0, 1024).includes(0) ? undefined : bytes.toString(encoding);
}

/**
 * The names that javascript-obfuscator gives. Where a minifier has shortened them, the alphabet in which it writes
 * strings, and the loop that brings its list of strings into order.
 */
const OBFUSCATED =
  /\b_0x[\da-f]{4,}\b|abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\+\/|catch(?:\(\w+\))?\{([\w$]+)\.push\(\1\.shift\(\)\)/;

/** True for a script whose strings are hidden: that it does not show an icon says nothing. */
export function isObfuscated(script: string): boolean {
  return OBFUSCATED.test(script);
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/**
 * Anything that one character may have been written as in JavaScript, CSS, HTML or an address. A row of backslashes counts
 * from its first one on: the engine would try a long row from each of them.
 */
const ESCAPE = String.raw`%[\da-fA-F]{2}|(?<!\\)\\+(?:[nrt]|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{2})|&#(?:x[\da-fA-F]{1,6}|\d{1,7});`;
const LETTERS = String.raw`MmZzLlHhVvCcSsQqTtAa\d.,+\seE-`;
/** Where a drawing begins or ends; or path data, which begins with a move to a number, as next to nothing else does. */
const PIECE = new RegExp(
  // After a quote of any kind (`%22`, `\\x27`, `&#34;`), since words of a title are no path. Unrolled, so that most of a path is one step;
  // counted, since each round takes a piece of the engine's stack.
  `svg|symbol|(?<=["'\`=]|22|27|(?:3[49]|quot|apos);)[Mm](?:[\\d.,+\\s-]|${ESCAPE})[${LETTERS}]*(?:(?:${ESCAPE})[${LETTERS}]*){0,99999}`,
  'g',
);
/** `M1,2` */
const SHORTEST = 4;
const ESCAPES = new RegExp(ESCAPE, 'g');
const PATH = new RegExp(`^[${LETTERS}]+`);
const LONGEST = 64;
/** A drawing without path data is not long. */
const LONGEST_SIMPLE = 4096;

/** `cx="12"`, `cx=12`, `cx:"12"`, `"cx":12`: attributes and properties, quoted or not. */
const GEOMETRY =
  /(?<![\w-])(points|c[xy]|r[xy]?|[xy][12]?|width|height)["']?\s*[=:]\s*(?:(["'`])([^"'`<>]*)\2|(-?[\d.][\d.e-]*))/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** What stands between two marks of a drawing. Code without them is one drawing. */
interface FoundDrawing {
  /** As fingerprints name them, in their order, each once. */
  paths: string[];
  /** `name=value` in their order, where there is no path. */
  geometry: string[];
}

/** Everything in a text that may be a drawing, in one pass over its characters. */
function* drawingsIn(text: string): Generator<FoundDrawing> {
  let paths = new Set<string>();
  let start = 0;
  function* close(end: number): Generator<FoundDrawing> {
    if (paths.size > 0) yield { paths: [...paths], geometry: [] };
    else if (end - start > 8 && end - start < LONGEST_SIMPLE) {
      const geometry = geometryOf(text.slice(start, end));
      if (geometry.length > 0) yield { paths: [], geometry };
    }
  }
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (piece !== 'svg' && piece !== 'symbol') {
      if (piece.length >= SHORTEST) paths.add(toPath(piece));
      continue;
    }
    yield* close(index);
    paths = new Set();
    start = index + piece.length;
  }
  yield* close(text.length);
}

function toPath(run: string): string {
  // An escaped quote ends the data.
  const plain = /[%\\&]/.test(run)
    ? (PATH.exec(run.replaceAll(ESCAPES, decodeEscape))?.[0] ?? '')
    : run;
  const path = /[\s,]/.test(plain) ? plain.replaceAll(/[\s,]+/g, '') : plain;
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}~${path.length}` : path;
}

/** The text without escapes, if it escapes letters: path data begins with one. */
export function spelledOut(text: string): string[] {
  return ESCAPED_LETTERS.test(text) ? [withoutEscapes(text)] : [];
}

/** Without the escapes of JavaScript, HTML and addresses. */
export function withoutEscapes(text: string): string {
  if (!/[%\\&]/.test(text)) return text;
  return text
    .replaceAll(ESCAPES, decodeEscape)
    .replaceAll(/&(?:quot|apos|[lg]t);/g, (entity) => ENTITIES[entity] ?? '')
    .replaceAll(/(?<!\\)\\+(?=["'`/])/g, '');
}

function geometryOf(text: string): string[] {
  return Array.from(
    withoutEscapes(text).matchAll(GEOMETRY),
    ([, name = '', , quoted, bare]) =>
      `${name}=${(quoted ?? bare ?? '').replaceAll(/[\s,]+/g, '')}`,
  );
}

function decodeEscape(escape: string): string {
  if (/^\\+[nrt]$/.test(escape)) return ' ';
  const digits = /[\da-fA-F]+(?=[;}]?$)/.exec(escape)?.[0] ?? '';
  const isDecimal = /^&#\d/.test(escape);
  const code = Number.parseInt(digits, isDecimal ? 10 : 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

/** Files within addresses, whatever their type is said to be. Padding may be percent-encoded, slashes escaped. */
const NO_BASE64 = /[^A-Za-z\d+/_\\%-]|$/g;

/** The bytes of every `data:` address with base64 in a text. */
export function* base64In(text: string): Generator<Uint8Array> {
  // One expression for the whole of an address overflows the stack of the engine at some megabytes.
  for (const { 0: start, index } of text.matchAll(/;base64,/g)) {
    NO_BASE64.lastIndex = index + start.length;
    const body = text.slice(NO_BASE64.lastIndex, NO_BASE64.exec(text)?.index);
    if (body.length < 32) continue;
    const plain = body.replaceAll('\\/', '/').replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/');
    yield Buffer.from(plain.replace(/[\\%].*/, ''), 'base64');
  }
}
