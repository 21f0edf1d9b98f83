import type { Filetype } from '../types.ts';
import { quote, refuse } from './refusal.ts';
import { suggest } from './suggest.ts';

/** Limits of the service for a raster icon. */
const PNG_SMALLEST = 20;
const PNG_LARGEST = 1200;

/** Far beyond any screen; keeps numbers out of exponent notation, which CSS lengths would read as a unit. */
const LENGTH_SMALLEST = 0.001;
const LENGTH_LARGEST = 100_000;

/** CSS Values and Units 4, CSS Containment 3 (container lengths). */
const UNITS = new Set(
  (
    'px cm mm q in pc pt em rem ex rex cap rcap ch rch ic ric lh rlh ' +
    'vw vh vi vb vmin vmax svw svh svi svb svmin svmax lvw lvh lvi lvb lvmin lvmax ' +
    'dvw dvh dvi dvb dvmin dvmax cqw cqh cqi cqb cqmin cqmax'
  ).split(' '),
);

/** A size in its one spelling: `64` (px) or `1.5em` for svg, `64` for png. Throws a refusal. */
export function parseSize(written: string, filetype: Filetype): string {
  return filetype === 'png' ? parsePixels(written) : parseLength(written);
}

/** True for a size that a png can have as it stands. */
export function isPngSize(text: string): boolean {
  const size = Number(text);
  return /^\d+$/.test(text) && size >= PNG_SMALLEST && size <= PNG_LARGEST;
}

function parsePixels(written: string): string {
  if (isPngSize(written)) return String(Number(written));
  const pixels = Math.round(Number(/^(\d+(?:\.\d+)?)(?:px)?$/i.exec(written)?.[1]));
  return refuse({
    reason: `${quote(written)} is not a size for \`filetype=png\``,
    allowed: `an integer from ${PNG_SMALLEST} to ${PNG_LARGEST} (pixels), without a unit`,
    nearest: Number.isNaN(pixels)
      ? undefined
      : `size=${Math.min(PNG_LARGEST, Math.max(PNG_SMALLEST, pixels))}`,
  });
}

function parseLength(written: string): string {
  const [, digits, letters = ''] = /^(\d+\.?\d*|\.\d+)([a-z]*)$/i.exec(written) ?? [];
  const unit = letters.toLowerCase();
  const value = Number(digits);
  if (digits === undefined || (unit !== '' && !UNITS.has(unit))) {
    return refuseLength(written, digits, unit);
  }
  if (!(value >= LENGTH_SMALLEST && value <= LENGTH_LARGEST)) {
    return refuse({
      reason: `the size ${quote(written)} is out of range`,
      allowed: `a positive number from ${LENGTH_SMALLEST} to ${LENGTH_LARGEST}, alone (px) or with a unit`,
    });
  }
  return `${value}${unit === 'px' ? '' : unit === 'q' ? 'Q' : unit}`;
}

function refuseLength(written: string, digits: string | undefined, unit: string): never {
  const near = digits === undefined || unit.length < 2 ? undefined : suggest(unit, UNITS);
  const percent = written.endsWith('%');
  return refuse({
    reason: percent
      ? `the size ${quote(written)} is a percentage, and nothing says of what`
      : `${quote(written)} is not a size`,
    allowed: 'a positive number (px) or a CSS length such as `1em`, `2rem`, `24px`',
    nearest: near === undefined ? undefined : `size=${digits}${near}`,
  });
}
