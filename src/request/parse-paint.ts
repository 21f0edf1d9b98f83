import type { Filetype, IconForm, IconRequest } from '../types.ts';
import { parseColor } from './parse-color.ts';
import type { Query } from './parse-query.ts';
import type { RequestDefaults } from './request-context.ts';
import { isPngSize, parseSize } from './parse-size.ts';
import { parseClass, parseTitle } from './parse-text.ts';
import { Refusal, refuse } from './refusal.ts';

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
  // The record of an icon is the same however it is painted: one request, after the same checks.
  return as === 'meta' ? PLAIN : paint;
}

function parseSvg(query: Query, defaults: Readonly<RequestDefaults>): Paint {
  return {
    filetype: 'svg',
    color: read(query.color, parseColor) ?? defaultColor(defaults) ?? PLAIN.color,
    size: read(query.size, (text) => parseSize(text, 'svg')) ?? defaultSize(defaults) ?? PLAIN.size,
    title: read(query.title, parseTitle) ?? null,
    class: read(query.class, parseClass) ?? defaultClass(defaults) ?? null,
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
        '`color=currentColor` is the colour of the text around an icon, which a png cannot take over',
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
      read(query.size, (text) => parseSize(text, 'png')) ??
      (sizeByDefault !== undefined && isPngSize(sizeByDefault) ? sizeByDefault : null),
    title: null,
    class: null,
  };
}

function defaultColor({ color }: RequestDefaults): string | undefined {
  return readDefault('color', color, parseColor);
}

function defaultSize({ size }: RequestDefaults): string | undefined {
  return readDefault('size', size === undefined ? undefined : String(size), (text) =>
    parseSize(text, 'svg'),
  );
}

function defaultClass({ class: classes }: RequestDefaults): string | undefined {
  return readDefault('class', classes, parseClass);
}

function read<Value>(
  written: string | undefined,
  parse: (text: string) => Value,
): Value | undefined {
  return written === undefined ? undefined : parse(written);
}

/** A default is an option: what is wrong with it is mended there, not in the import. */
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
