import { colorKeywords } from '@iconify/utils/lib/colors/keywords';

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
    alpha: long.length === 8 ? roundAlpha(Number.parseInt(long.slice(6), 16) / 255) : 1,
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
  return { hex: toHex(channels), alpha: roundAlpha(alpha) };
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

function roundAlpha(alpha: number): number {
  return Math.round(alpha * 10_000) / 10_000;
}

/** A paint with one colour instead of another, where it is that colour or falls back to it. */
export function replaceColor(paint: string, { from, to }: { from: string; to: string }): string {
  if (paint === from) return to;
  return paint.startsWith('url(') && paint.endsWith(` ${from}`)
    ? paint.slice(0, -from.length) + to
    : paint;
}
