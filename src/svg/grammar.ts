import { LIMITS } from './limits.ts';
import { parseColor } from './parse-color.ts';

/** A value as it may stand in the output, or undefined where it may not. Linear in its length. */
export type Grammar = (value: string) => string | undefined;

const NUMBER = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/iy;
const UNIT = /(?:px|pt|pc|mm|cm|in|em|ex|ch|rem|q|%)?/iy;
const SEPARATOR = /\s*,?\s*/y;

/** The numbers of a list, or undefined where the text is anything but numbers of a sane size. */
export function readNumbers(value: string, units = false): number[] | undefined {
  const numbers: number[] = [];
  let at = 0;
  while (at < value.length) {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(value);
    if (match === null) return undefined;
    const number = Number(match[0]);
    if (!(Math.abs(number) <= LIMITS.magnitude)) return undefined;
    numbers.push(number);
    at = NUMBER.lastIndex;
    if (units) {
      UNIT.lastIndex = at;
      UNIT.exec(value);
      at = UNIT.lastIndex;
    }
    SEPARATOR.lastIndex = at;
    SEPARATOR.exec(value);
    at = SEPARATOR.lastIndex;
  }
  return numbers.length === 0 ? undefined : numbers;
}

interface NumbersRule {
  min?: number;
  max?: number;
  units?: boolean;
  count?: number;
}

/** A list of numbers, each within the bounds, at most `count` of them. */
export function numbers({
  min = -Infinity,
  max = Infinity,
  units = false,
  count = Infinity,
}: NumbersRule = {}): Grammar {
  return (value) => {
    const list = readNumbers(value, units);
    if (list === undefined || list.length > count) return undefined;
    return list.every((number) => number >= min && number <= max) ? value : undefined;
  };
}

export const length: Grammar = numbers({ units: true, count: 1 });
export const lengths: Grammar = numbers({ units: true });
export const number: Grammar = numbers({ units: false, count: 1 });

export function either(...grammars: readonly Grammar[]): Grammar {
  return (value) => {
    for (const grammar of grammars) {
      const result = grammar(value);
      if (result !== undefined) return result;
    }
    return undefined;
  };
}

/** One of the words. */
export function words(list: string): Grammar {
  const allowed = new Set(list.split(' '));
  return (value) => (allowed.has(value) ? value : undefined);
}

/** One or more of the words. */
export function wordList(list: string): Grammar {
  const allowed = new Set(list.split(' '));
  return (value) =>
    value.length < 200 && value.split(/\s+/).every((word) => allowed.has(word)) ? value : undefined;
}

/** A name that only this file uses, such as the result of a filter primitive. */
export const identifier: Grammar = (value) =>
  /^[A-Za-z][\w-]{0,63}$/.test(value) ? value : undefined;

/** Language tags; an empty list is no language at all (SVG 2, 5.8.5). */
export const languages: Grammar = (value) =>
  /^(?:[a-z\d-]{1,35}(?: *, *[a-z\d-]{1,35}){0,63})?$/i.test(value) ? value : undefined;

export const fontFamily: Grammar = (value) =>
  /^[\w ,'"-]{1,200}$/.test(value) ? value : undefined;

const PATH = /^[MmZzLlHhVvCcSsQqTtAaEe\d+\-.,\s]*$/;

/** Path data: its letters and numbers, none of them beyond the largest coordinate. */
export const path: Grammar = (value) => {
  if (!PATH.test(value)) return undefined;
  if (!/[Ee]|\d{9}/.test(value)) return value;
  for (const [match] of value.matchAll(/(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][-+]?\d+)?/g))
    if (!(Number(match) <= LIMITS.magnitude)) return undefined;
  return value;
};

const TRANSFORM = /\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)\s*,?/y;

export const transform: Grammar = (value) => {
  if (value === 'none') return undefined;
  let at = 0;
  for (let count = 0; at < value.length; count += 1) {
    TRANSFORM.lastIndex = at;
    const match = TRANSFORM.exec(value);
    if (match === null || count >= LIMITS.transforms) return undefined;
    const list = readNumbers((match[2] ?? '').trim());
    if (list === undefined || list.length > 6) return undefined;
    at = TRANSFORM.lastIndex;
  }
  return value;
};

const REFERENCE =
  /^url\(\s*(?:"#([^"'()\\\s]{1,256})"|'#([^"'()\\\s]{1,256})'|#([^"'()\\\s]{1,256}))\s*\)/;

/** The id in `url(#id)`; undefined for anything else, addresses of other documents among it. */
export function readReference(value: string): { id: string; rest: string } | undefined {
  const match = REFERENCE.exec(value);
  if (match === null) return undefined;
  return { id: match[1] ?? match[2] ?? match[3] ?? '', rest: value.slice(match[0].length).trim() };
}

export const reference: Grammar = (value) => {
  if (value === 'none') return value;
  const found = readReference(value);
  return found === undefined || found.rest !== '' ? undefined : `url(#${found.id})`;
};

// Other colour spaces keep their notation; the renderer clips them to its own gamut.
const WIDE_COLOR = /^(?:hwb|lab|lch|oklab|oklch|color)\([a-z\d\s.,%/+-]{1,120}\)$/i;

/** A colour, made `#rrggbb` or `rgba()` in its shortest certain form; `currentColor` and `inherit` stay. */
export const color: Grammar = (value) => {
  if (value.length > 300) return undefined;
  const lower = value.toLowerCase();
  if (lower === 'currentcolor') return 'currentColor';
  if (lower === 'inherit') return lower;
  // SVG 1.1 lets a colour profile follow the sRGB colour; nobody draws it.
  const plain = lower.replace(/\s+icc-color\([^()]{0,200}\)$/, '');
  const parsed = parseColor(plain);
  if (parsed !== undefined)
    return parsed.alpha === 1 ? `#${parsed.hex}` : rgba(parsed.hex, parsed.alpha);
  return WIDE_COLOR.test(plain) ? plain : undefined;
};

export const paint: Grammar = (value) => {
  const lower = value.toLowerCase();
  if (lower === 'none' || lower === 'context-fill' || lower === 'context-stroke') return lower;
  const found = readReference(value);
  if (found === undefined) return color(value);
  const fallback =
    found.rest === '' ? undefined : found.rest === 'none' ? 'none' : color(found.rest);
  return fallback === undefined ? `url(#${found.id})` : `url(#${found.id}) ${fallback}`;
};

function rgba(hex: string, alpha: number): string {
  const channels = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgba(${channels.join(',')},${alpha})`;
}
