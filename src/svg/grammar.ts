import { colorKeywords } from '@iconify/utils/lib/colors/keywords';
import { LIMITS } from './refusals.ts';

/** A value as it may be in the output, or undefined if it is not allowed. The check is linear in its length. */
export type Grammar = (value: string) => string | undefined;

const NUMBER = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/iy;
const UNIT = /(?:px|pt|pc|mm|cm|in|em|ex|ch|rem|q|%)?/iy;
const SEPARATOR = /\s*,?\s*/y;

/** The numbers of a list, or undefined if the text is anything but numbers of a reasonable size. */
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

export function words(list: string): Grammar {
  const allowed = new Set(list.split(' '));
  return (value) => (allowed.has(value) ? value : undefined);
}

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

/** Path data: its letters, and numbers up to the largest coordinate. */
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

/** A colour as `#rrggbb` or the shortest unambiguous `rgba()`; `currentColor` and `inherit` stay. */
export const color: Grammar = (value) => {
  if (value.length > 300) return undefined;
  const lower = value.toLowerCase();
  if (lower === 'currentcolor') return 'currentColor';
  if (lower === 'inherit') return lower;
  // SVG 1.1 lets a colour profile follow the sRGB colour; no browser uses it.
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

/** A colour in sRGB; `hex` is six lower-case digits without `#`, `alpha` 0–1. */
export interface Color {
  hex: string;
  alpha: number;
}

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/;
const FUNCTION = /^(rgb|rgba|hsl|hsla)\(([^()]{1,200})\)$/;
const COMPONENT = /^([-+]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20}))(%|deg|rad|grad|turn)?$/;

/**
 * Any notation of an sRGB colour → its value, by CSS Color 4 (both comma and space syntax, clamping, alpha as number or
 * percentage). Undefined for `currentColor`, `none` and other colour spaces.
 */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  if (value.startsWith('#')) return HEX.test(value) ? fromHex(value.slice(1)) : undefined;
  const named = colorKeywords[value];
  if (named?.type === 'rgb') return { hex: toHex([named.r, named.g, named.b]), alpha: 1 };
  if (value === 'transparent') return { hex: '000000', alpha: 0 };
  const [, name, body = ''] = FUNCTION.exec(value) ?? [];
  return name === undefined ? undefined : fromFunction(name, body);
}

function fromHex(digits: string): Color {
  const long = digits.length <= 4 ? digits.replaceAll(/./g, '$&$&') : digits;
  return {
    hex: long.slice(0, 6),
    alpha: long.length === 8 ? round(Number.parseInt(long.slice(6), 16) / 255) : 1,
  };
}

function fromFunction(name: string, body: string): Color | undefined {
  const parts = body.trim().split(/[\s,/]+/);
  if (parts.length < 3 || parts.length > 4) return undefined;
  const components = parts.map((part) =>
    part === 'none' ? { number: 0, unit: '' } : parseComponent(part),
  );
  const [first, second, third, fourth] = components;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (parts.length === 4 && fourth === undefined) return undefined;
  const alpha =
    fourth === undefined ? 1 : clamp(fourth.unit === '%' ? fourth.number / 100 : fourth.number, 1);
  const channels = name.startsWith('rgb')
    ? [first, second, third].map(({ number, unit }) =>
        unit === '%' ? (number * 255) / 100 : number,
      )
    : fromHsl(toDegrees(first), clamp(second.number / 100, 1), clamp(third.number / 100, 1));
  return { hex: toHex(channels), alpha: round(alpha) };
}

interface Component {
  number: number;
  unit: string;
}

function parseComponent(part: string): Component | undefined {
  const match = COMPONENT.exec(part);
  return match === null ? undefined : { number: Number(match[1]), unit: match[2] ?? '' };
}

function toDegrees({ number, unit }: Component): number {
  if (unit === 'turn') return number * 360;
  if (unit === 'rad') return (number * 180) / Math.PI;
  return unit === 'grad' ? number * 0.9 : number;
}

/** CSS Color 4, section 7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): number[] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return [0, 8, 4].map((offset) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

function toHex(channels: readonly number[]): string {
  return channels
    .map((channel) => Math.round(clamp(channel, 255)).toString(16).padStart(2, '0'))
    .join('');
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}

export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Replaces one colour of a paint by another, if the paint is that colour or falls back to it. */
export function replaceColor(paint: string, { from, to }: { from: string; to: string }): string {
  if (paint === from) return to;
  return paint.startsWith('url(') && paint.endsWith(` ${from}`)
    ? paint.slice(0, -from.length) + to
    : paint;
}
