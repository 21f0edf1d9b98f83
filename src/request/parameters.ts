import type { Filetype, IconForm, IconRequest } from '../types.ts';
import { type Query, quote, Refusal, refuse, type RequestDefaults } from './query.ts';
import { suggest } from './suggest.ts';

type Paint = Pick<IconRequest, 'filetype' | 'color' | 'size' | 'title' | 'class'>;

const PLAIN: Paint = {
  filetype: 'svg',
  color: 'currentColor',
  size: '1em',
  title: null,
  class: null,
};

/** How the icon looks: `color`, `size`, `title`, `class`, from the import or else from the defaults. */
export function parsePaint(
  query: Query,
  { filetype, as }: { filetype: Filetype; as: IconForm },
  defaults: Readonly<RequestDefaults>,
): Paint {
  const paint = filetype === 'png' ? parsePng(query, defaults) : parseSvg(query, defaults);
  // The record of an icon does not depend on how it is painted, so this is the same request after the same checks.
  return as === 'meta' ? PLAIN : paint;
}

function parseSvg(query: Query, defaults: Readonly<RequestDefaults>): Paint {
  return {
    filetype: 'svg',
    color: read(query.color, parseColor) ?? defaultColor(defaults) ?? PLAIN.color,
    size: read(query.size, parseLength) ?? defaultSize(defaults) ?? PLAIN.size,
    title: read(query.title, parseTitle) ?? null,
    class:
      read(query.class, parseClass) ?? readDefault('class', defaults.class, parseClass) ?? null,
  };
}

function parsePng(query: Query, defaults: Readonly<RequestDefaults>): Paint {
  for (const name of ['title', 'class'] as const) {
    if (query[name] === undefined) continue;
    return refuse({
      reason: `\`${name}\` is written into markup, and a png has none`,
      allowed: 'color and size with `filetype=png`',
      remedy: `Put the ${name === 'title' ? '`alt` text' : 'class'} on the element that shows the file.`,
    });
  }
  const color = read(query.color, parseColor);
  if (color === 'currentColor') {
    return refuse({
      reason:
        '`color=currentColor` is the colour of the text around an icon, which a png cannot have',
      allowed: '3 or 6 hex digits, or `original`, with `filetype=png`',
    });
  }
  const asked = color ?? defaultColor(defaults);
  const sizeByDefault = defaultSize(defaults);
  return {
    filetype: 'png',
    // The service's own colours are those of the drawing.
    color: asked === 'currentColor' || asked === 'original' ? null : (asked ?? null),
    size:
      read(query.size, parsePixels) ??
      (sizeByDefault !== undefined && isPngSize(sizeByDefault) ? sizeByDefault : null),
    title: null,
    class: null,
  };
}

function defaultColor({ color }: RequestDefaults): string | undefined {
  return readDefault('color', color, parseColor);
}

function defaultSize({ size }: RequestDefaults): string | undefined {
  return readDefault('size', size === undefined ? undefined : String(size), parseLength);
}

function read<Value>(
  written: string | undefined,
  parse: (text: string) => Value,
): Value | undefined {
  return written === undefined ? undefined : parse(written);
}

/** A default is an option, so a fault in it is corrected there, not in the import. */
function readDefault(
  name: keyof RequestDefaults,
  written: string | undefined,
  parse: (text: string) => string,
): string | undefined {
  try {
    return read(written, parse);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason, allowed, nearest } = error.fault;
    throw new Refusal({
      code: 'OPTIONS_INVALID',
      reason: `in the option \`defaults.${name}\`, ${reason}`,
      allowed,
      nearest,
      path: `defaults.${name}`,
    });
  }
}

const HEX_BY_NAME: ReadonlyMap<string, string> = new Map([
  ['black', '000000'],
  ['silver', 'c0c0c0'],
  ['gray', '808080'],
  ['grey', '808080'],
  ['white', 'ffffff'],
  ['maroon', '800000'],
  ['red', 'ff0000'],
  ['purple', '800080'],
  ['fuchsia', 'ff00ff'],
  ['magenta', 'ff00ff'],
  ['green', '008000'],
  ['lime', '00ff00'],
  ['olive', '808000'],
  ['yellow', 'ffff00'],
  ['orange', 'ffa500'],
  ['navy', '000080'],
  ['blue', '0000ff'],
  ['teal', '008080'],
  ['aqua', '00ffff'],
  ['cyan', '00ffff'],
]);

/** `currentColor`, `original`, or six lower-case hex digits; throws a refusal for everything else. */
function parseColor(written: string): string {
  const text = written.toLowerCase();
  if (text === 'currentcolor') return 'currentColor';
  if (text === 'original') return 'original';
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/.exec(text)?.[1];
  if (digits === undefined) return refuseColor(written, text);
  return digits.length === 6 ? digits : digits.replace(/./g, '$&$&');
}

function refuseColor(written: string, text: string): never {
  const withAlpha = /^#?([\da-f]{3})[\da-f]$|^#?([\da-f]{6})[\da-f]{2}$/.exec(text);
  return refuse({
    reason: withAlpha
      ? `the colour ${quote(written)} has an alpha channel, which an icon's colour cannot have`
      : `${quote(written)} is not a colour`,
    allowed:
      '3 or 6 hex digits, with or without `#` (or `%23`), `currentColor`, or `original` for the colours of the drawing',
    nearest:
      withAlpha?.[1] ??
      withAlpha?.[2] ??
      HEX_BY_NAME.get(text) ??
      suggest(text, ['currentColor', 'original']),
  });
}

/** Limits of the service for a raster icon. */
const PNG_SMALLEST = 20;
const PNG_LARGEST = 1200;

/**
 * This is far larger than any screen, and keeps numbers out of exponent notation, which CSS lengths would read as a
 * unit.
 */
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

/** True for a size that a png can have unchanged. */
function isPngSize(text: string): boolean {
  const size = Number(text);
  return /^\d+$/.test(text) && size >= PNG_SMALLEST && size <= PNG_LARGEST;
}

/** The size of a png in its only spelling: `64`. Throws a refusal. */
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

/** The size of an svg in its only spelling: `64` (px) or `1.5em`. Throws a refusal. */
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
      ? `the size ${quote(written)} is a percentage without anything to relate it to`
      : `${quote(written)} is not a size`,
    allowed: 'a positive number (px) or a CSS length such as `1em`, `2rem`, `24px`',
    nearest: near === undefined ? undefined : `size=${digits}${near}`,
  });
}

/** XML 1.0 does not allow these, escaped or not. A name must not have a tab or a line break. */
const FORBIDDEN = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/u;

/** The accessible name without white space around it; `null` if nothing is left: decorative. */
function parseTitle(written: string): string | null {
  const text = written.trim();
  if (FORBIDDEN.test(text)) {
    return refuse({
      reason: `the title ${quote(written)} holds a control character, a line break or half a character`,
      allowed: 'any text in one line',
    });
  }
  return text === '' ? null : text;
}

/** Class names in the order of their first occurrence, separated by one space. */
function parseClass(written: string): string {
  const names = written.split(/[\t\n\f\r ]+/).filter((name) => name !== '');
  if (names.length === 0) {
    return refuse({ reason: '`class` names no class', allowed: 'one or more class names' });
  }
  if (names.some((name) => FORBIDDEN.test(name))) {
    return refuse({
      reason: `the class ${quote(written)} holds a control character or half a character`,
      allowed: 'class names with spaces between',
    });
  }
  return [...new Set(names)].join(' ');
}
