import { type MarkupToken, readAttributes, readTokens } from '../markup/tokens.ts';
import { parseColor } from '../svg/grammar.ts';
import type { IconStyle } from '../types.ts';

/** How one shape of a document is painted, after inheritance. */
interface ShapePaint {
  /** The value as written; a shape without a value gets `black`. */
  fill: string;
  stroke: string;
  /** Stroke width in units of the view box. */
  strokeWidth: number;
  /** True if no fill is stated. */
  fillIsInherited: boolean;
}

interface Level {
  fill: string | undefined;
  stroke: string;
  width: string;
  scale: number;
  /** Inside `defs`, `clipPath` and the like: not drawn in place. */
  hidden: boolean;
}

const SHAPES = new Set([
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'text',
]);
const UNSEEN = new Set([
  'defs',
  'clipPath',
  'mask',
  'marker',
  'pattern',
  'symbol',
  'linearGradient',
  'radialGradient',
  'filter',
]);
const MAX_DEPTH = 128;

/** Attributes of a start tag, with its `style` attribute spread over them, as CSS does. */
function paintOf(svg: string, tag: MarkupToken): Map<string, string> {
  const attributes = new Map(
    readAttributes(svg, tag).map(({ name, written }) => [name, written] as const),
  );
  for (const declaration of attributes.get('style')?.split(';') ?? []) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      attributes.set(declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim());
  }
  return attributes;
}

/** The paint of every shape that is drawn. Documents deeper than 128 levels have none. */
function* shapePaints(svg: string): Generator<ShapePaint> {
  const stack: Level[] = [{ fill: undefined, stroke: 'none', width: '1', scale: 1, hidden: false }];
  for (const tag of readTokens(svg)) {
    if (tag.kind === 'close' && stack.length > 1) stack.pop();
    const parent = stack.at(-1);
    if (tag.kind !== 'open' || !parent) continue;
    const attributes = paintOf(svg, tag);
    const level: Level = {
      fill: inherit(attributes.get('fill'), parent.fill),
      stroke: inherit(attributes.get('stroke'), parent.stroke) ?? 'none',
      width: inherit(attributes.get('stroke-width'), parent.width) ?? '1',
      scale: parent.scale * scaleOf(attributes.get('transform')),
      hidden: parent.hidden || UNSEEN.has(tag.name),
    };
    if (!level.hidden && SHAPES.has(tag.name)) {
      const stroke = Number.parseFloat(level.width) > 0 ? level.stroke : 'none';
      yield {
        fill: level.fill ?? 'black',
        fillIsInherited: level.fill === undefined,
        stroke,
        strokeWidth: Number.parseFloat(level.width) * level.scale,
      };
    }
    if (!tag.empty && stack.push(level) > MAX_DEPTH) return;
  }
}

function inherit(own: string | undefined, inherited: string | undefined): string | undefined {
  return own === undefined || own === 'inherit' ? inherited : own;
}

/** Mean scale of a transform list: the square root of the area that it makes of one unit. */
function scaleOf(transform: string | undefined): number {
  let area = 1;
  for (const [, kind, list = ''] of transform?.matchAll(/(scale|matrix)\s*\(([^)]*)\)/g) ?? []) {
    const [a = 1, b = a, c = 0, d = 1] = list
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
    area *= kind === 'scale' ? a * b : a * d - b * c;
  }
  return Number.isFinite(area) ? Math.sqrt(Math.abs(area)) : 1;
}

/** Side in pixels at which the interface measures line weights. */
const SIDE = 512;
/** Largest standard deviation of the widths, as a share of their mean, that still counts as one line weight. */
const MAX_SPREAD = 0.2;
const MAX_WEIGHT = 60;

/**
 * Styles of an icon as its markup shows them: shapes that are stroked and not filled make it
 * `line`, shapes that are filled make it `solid`; both kinds in one icon, or neither, make it
 * neither. `line_weight` is the mean stroke width in pixels at 512 px a side, left out if widths
 * vary by more than 20 % or the mean is not within 1–60.
 */
export function measureStyles(svg: string): IconStyle[] {
  const shapes = [...shapePaints(svg)];
  const lines = shapes.filter((shape) => isPainted(shape.stroke) && !isPainted(shape.fill));
  const solids = shapes.filter((shape) => isPainted(shape.fill));
  if (solids.length > 0 && lines.length === 0) return [{ style: 'solid' }];
  if (lines.length === 0 || solids.length > 0) return [];
  const weight = lineWeight(lines, viewSide(svg));
  return [weight === undefined ? { style: 'line' } : { style: 'line', line_weight: weight }];
}

function lineWeight(lines: ShapePaint[], side: number): number | undefined {
  const widths = lines.map(({ strokeWidth }) => (strokeWidth / side) * SIDE);
  const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  const deviation = Math.sqrt(
    widths.reduce((sum, width) => sum + (width - mean) ** 2, 0) / widths.length,
  );
  const weight = Math.round(mean);
  return deviation <= mean * MAX_SPREAD && weight >= 1 && weight <= MAX_WEIGHT ? weight : undefined;
}

function viewSide(svg: string): number {
  const [, , width, height] = (/\bviewBox\s*=\s*["']([^"']*)/.exec(svg)?.[1] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const root = /<(?:[^\s<>/:]+:)?svg[^>]*/.exec(svg)?.[0] ?? '';
  const own = ['width', 'height'].map((name) =>
    Number.parseFloat(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)`).exec(root)?.[1] ?? ''),
  );
  const side = Math.max(...[width, height].map((value, axis) => value ?? own[axis] ?? Number.NaN));
  return side > 0 ? side : SIDE;
}

function isPainted(paint: string): boolean {
  return paint !== 'none' && paint !== 'transparent' && paint !== '';
}

/**
 * The colour of a drawing that a catalog sends without a colour: six hex digits, `several`, or `undefined` for black, in
 * which `currentColor` is painted then.
 */
export function ownColor(svg: string): string | undefined {
  if (/currentcolor/i.test(svg)) return OWN.test(svg) ? 'several' : undefined;
  const tones = tonesOf(svg);
  if (tones.size > 1 || /<style|url\(/.test(svg)) return 'several';
  const [tone = BLACK] = tones;
  const hex = parseColor(tone)?.hex;
  return hex === '000000' ? undefined : hex;
}

function tonesOf(svg: string): Set<string> {
  const paints = [...shapePaints(svg)].flatMap(({ fill, stroke }) => [fill, stroke]);
  return new Set(paints.filter(isPainted).map(normalize));
}

const BLACK = '#000000';
const CURRENT = /\bcurrentcolor\b/gi;
/** The property `color`: the drawing itself says what `currentColor` is. */
const OWN = /[\s"';{]color\s*[=:]/i;

/**
 * Paints an icon in one colour, as a catalog does it: `currentColor` becomes the colour; a file of
 * one tone is repainted; files of several tones keep their own.
 * @param color six hex digits with `#`; default: black for `currentColor`, everything else as drawn
 */
export function colorize(svg: string, color: string | undefined): string {
  if (color === undefined && OWN.test(svg)) return svg;
  if (/currentcolor/i.test(svg)) return svg.replace(CURRENT, color ?? BLACK);
  if (color === undefined) return svg;
  const paints = new Set<string>();
  let inherits = false;
  for (const { fill, stroke, fillIsInherited } of shapePaints(svg)) {
    inherits ||= fillIsInherited;
    for (const paint of [fill, stroke])
      if (paint !== 'none' && paint !== 'transparent') paints.add(paint);
  }
  const tones = new Set([...paints].map(normalize));
  if (tones.size > 1 || /<style|url\(/.test(svg)) return svg;
  const root = inherits ? svg.replace(/<svg\b/, `<svg fill="${color}"`) : svg;
  return [...paints].reduce((painted, paint) => paintOver(painted, paint, color), root);
}

/** Spellings of one colour that files mix: case, short hex, and black by name. */
function normalize(paint: string): string {
  const lower = paint.toLowerCase().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, '#$1$1$2$2$3$3');
  return lower === 'black' || lower === 'rgb(0,0,0)' ? BLACK : lower;
}

function paintOver(svg: string, paint: string, color: string): string {
  const escaped = paint.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return svg.replace(
    new RegExp(`((?:fill|stroke)\\s*(?:=\\s*["']|:\\s*))${escaped}(?=["';\\s])`, 'g'),
    `$1${color}`,
  );
}
