export interface LockLine {
  /** From 1. */
  number: number;
  text: string;
  /** True between conflict markers. */
  inConflict: boolean;
}

/** Throws LOCK_INVALID; `line` is missing where the fault is of the whole file. */
export type Fail = (
  line: Pick<LockLine, 'number'> | undefined,
  what: string,
  remedy?: string,
) => never;

type Side = 'none' | 'ours' | 'base' | 'theirs';

/** What begins each side of a conflict. Markers are longer where conflicts are nested, which happens in the base only. */
const MARKERS: readonly [RegExp, Side, readonly Side[]][] = [
  [/^<{7}(?: |$)/, 'ours', ['none']],
  [/^\|{7}(?: |$)/, 'base', ['ours']],
  [/^={7}$/, 'theirs', ['ours', 'base']],
  [/^>{7}(?: |$)/, 'none', ['theirs']],
];

/** The lines between the braces, without conflict markers and the base section that `diff3` shows. */
export function linesOfLock(text: string, fail: Fail): LockLine[] {
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
      if (!from.includes(side)) fail(line, 'a conflict marker stands where none belongs');
      side = next;
      conflict = line;
      continue;
    }
    if (side === 'base') continue;
    last = line;
    if (line.text === '{') {
      // Both branches may have made the file: each side of the conflict is then a whole one.
      if (isOpen && !line.inConflict) fail(line, 'a second file begins here');
      [isOpen, isClosed] = [true, false];
    } else if (!isOpen) fail(line, 'this is no lock file, which begins with `{`');
    else if (line.text === '}') isClosed = true;
    else if (isClosed && !line.inConflict) fail(line, 'something stands behind the closing `}`');
    else members.push(line);
  }
  if (side !== 'none') fail(conflict, 'the conflict that begins here has no end');
  if (!isClosed) fail(last, 'the file is cut off here: the closing `}` is missing');
  return members;
}
