import { optimize } from 'svgo/browser';
import { isPaintedAlike, isRoughly, isWithin, outlineIn, widen, type Outline } from './outline.ts';
import { base64In, withoutEscapes } from './scan.ts';

export interface KnownDrawing {
  /** What `find` calls it. Several drawings may have the same. */
  key: string;
  /** The whole drawing, as the catalog sent it or as this package ships it. */
  svg: string;
}

interface DrawingFinder {
  /**
   * One entry a drawing of the text that is known: the keys of all icons that are drawn like it. Where the drawing is
   * written as markup, escaped or not, in a `data:` address, or as calls that make its elements.
   */
  find(text: string): string[][];
}

/** `<svg`, `</symbol`, escaped or not; `"svg",` in a call. */
const MARK =
  /(?:<|%3C|\\x3c|\\u003c|&lt;|&#60;|&#x3c;)(\\*\/|%2F|\\+x2f|\\+u002f|&#47;|&#x2f;)?(svg|symbol)(?![\w-])|["'`](?:svg|symbol)["'`](?=\s*,)/gi;
/** Longer than any icon: whole sprites, whose symbols are looked at one by one, and illustrations. */
const LONGEST = 128 * 1024;
/** Where no end is written: templates that leave closing tags out, calls. */
const LONGEST_OPEN = 16 * 1024;
const DEEPEST = 16;
/** Where the start tag of a drawing has its view box or size. */
const START = 1024;
/** As many more cells than another one, in hundredths, may a drawing have that is the same. */
const LIKE = 15;
const LIKE_ROUNDED = 40;

interface Known {
  keys: string[];
  svg: string;
  outline: Outline;
  /** As svgo writes it with one decimal place, which moves lines by more than the width of a cell. */
  rounded?: { outline: Outline | undefined };
}

/**
 * Finds drawings by where their lines run, however they were optimised since. Drawings that look alike to a tenth of a
 * unit are one; size and place in the view box count, colours do not.
 */
export function createDrawingFinder(drawings: Iterable<KnownDrawing>): DrawingFinder {
  const keysBySvg = new Map<string, Set<string>>();
  for (const { key, svg } of drawings)
    keysBySvg.set(svg, (keysBySvg.get(svg) ?? new Set()).add(key));
  /** Made when the first drawing is found: most files have none that is not known by its text. */
  let known: Known[] | undefined;
  const foundByText = new Map<string, string[]>();

  function look(markup: string): string[] {
    const found = outlineIn(withoutEscapes(markup));
    if (found === undefined) return [];
    known ??= [...keysBySvg].flatMap(([svg, keys]) => {
      const outline = outlineIn(svg);
      return outline === undefined ? [] : [{ keys: [...keys], svg, outline }];
    });
    const wide = widen(found);
    const same = known.filter(
      ({ outline }) => isAsLong(outline, found, LIKE) && isSame(outline, found, wide),
    );
    const alike = same.length > 0 ? same : known.filter((each) => isRounded(each, found, wide));
    return [...new Set(alike.flatMap(({ keys }) => keys))];
  }

  function* search(text: string, depth: number): Generator<string[]> {
    for (const markup of drawingsIn(text)) {
      let keys = foundByText.get(markup);
      if (keys === undefined) foundByText.set(markup, (keys = look(markup)));
      if (keys.length > 0) yield keys;
    }
    if (depth >= 3) return;
    for (const inner of base64In(text))
      yield* search(Buffer.from(inner).toString('latin1'), depth + 1);
  }

  return { find: (text) => [...search(text, 0)] };
}

function isAsLong({ cells: a }: Outline, { cells: b }: Outline, share: number): boolean {
  return Math.abs(a.length - b.length) * 100 <= share * Math.max(a.length, b.length);
}

function isRounded(known: Known, found: Outline, wide: Uint8Array): boolean {
  const { outline } = known;
  if (!isAsLong(outline, found, LIKE_ROUNDED) || !isRoughly(outline, found)) return false;
  known.rounded ??= { outline: round(known.svg) };
  const rounded = known.rounded.outline;
  return rounded !== undefined && isSame(rounded, found, wide);
}

function isSame(known: Outline, found: Outline, wide: Uint8Array): boolean {
  return isWithin(known, wide) && isWithin(found, widen(known)) && isPaintedAlike(known, found);
}

function round(svg: string): Outline | undefined {
  try {
    return outlineIn(optimize(svg, { floatPrecision: 1 }).data);
  } catch {
    return undefined;
  }
}

/** What stands between the marks of drawings, those within others too. */
function* drawingsIn(text: string): Generator<string> {
  const open: number[] = [];
  /** The last start, as long as neither its end nor another start followed. */
  let last: number | undefined;
  const isDrawing = (start: number, end: number): boolean =>
    end - start <= LONGEST && /viewbox|width/i.test(text.slice(start, start + START));
  function* cutOpen(end: number): Generator<string> {
    if (last === undefined) return;
    const stop = Math.min(end, last + LONGEST_OPEN);
    if (isDrawing(last, stop)) yield text.slice(last, stop);
  }
  for (const { 1: slash, 2: tag, index } of text.matchAll(MARK)) {
    if (slash === undefined) {
      yield* cutOpen(index);
      last = index;
      if (tag !== undefined) open.push(index);
      if (open.length > DEEPEST) open.shift();
    } else {
      const start = open.pop();
      if (start === undefined) continue;
      last = undefined;
      if (isDrawing(start, index)) yield text.slice(start, index);
    }
  }
  yield* cutOpen(text.length);
}
