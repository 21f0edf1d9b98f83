/** Anything that one character may have been written as in JavaScript, CSS, HTML or an address. */
const ESCAPE = String.raw`%[\da-fA-F]{2}|\\+(?:[nrt]|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{2})|&#(?:x[\da-fA-F]{1,6}|\d{1,7});`;
const LETTERS = String.raw`MmZzLlHhVvCcSsQqTtAa\d.,+\seE-`;
/** Where a drawing begins or ends; or path data, which begins with a move to a number, as next to nothing else does. */
const PIECE = new RegExp(
  // After a quote of any kind (`%22`, `\\x27`, `&#34;`), since words of a title are no path. Unrolled, so that most of a path is one step.
  `svg|symbol|(?<=["'\`=]|22|27|(?:3[49]|quot|apos);)[Mm](?:[\\d.,+\\s-]|${ESCAPE})[${LETTERS}]*(?:(?:${ESCAPE})[${LETTERS}]*)*`,
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
export interface FoundDrawing {
  /** As fingerprints name them, in their order, each once. */
  paths: string[];
  /** `name=value` in their order, where there is no path. */
  geometry: string[];
}

/** Everything in a text that may be a drawing, in one pass over its characters. */
export function* drawingsIn(text: string): Generator<FoundDrawing> {
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
  const path = /\s/.test(plain) ? plain.replaceAll(/\s+/g, '') : plain;
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}~${path.length}` : path;
}

/** Without the escapes of JavaScript, HTML and addresses. */
export function withoutEscapes(text: string): string {
  if (!/[%\\&]/.test(text)) return text;
  return text
    .replaceAll(ESCAPES, decodeEscape)
    .replaceAll(/&(?:quot|apos|[lg]t);/g, (entity) => ENTITIES[entity] ?? '')
    .replaceAll(/\\+(?=["'`/])/g, '');
}

function geometryOf(text: string): string[] {
  return Array.from(
    withoutEscapes(text).matchAll(GEOMETRY),
    ([, name = '', , quoted, bare]) => `${name}=${(quoted ?? bare ?? '').replaceAll(/\s+/g, '')}`,
  );
}

function decodeEscape(escape: string): string {
  if (/^\\+[nrt]$/.test(escape)) return ' ';
  const digits = /[\da-fA-F]+(?=[;}]?$)/.exec(escape)?.[0] ?? '';
  const isDecimal = /^&#\d/.test(escape);
  const code = Number.parseInt(digits, isDecimal ? 10 : 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}
