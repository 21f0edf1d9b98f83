import type { IconStyle } from '../types.ts';
import { type ShapePaint, shapePaints } from './paint.ts';

/** Side in pixels at which the interface measures line weights. */
const SIDE = 512;
/** Largest standard deviation of the widths, as a share of their mean, that still counts as one line weight. */
const MAX_SPREAD = 0.2;
const MAX_WEIGHT = 60;

/**
 * Styles of an icon as its markup shows them: shapes that are stroked and not filled make it `line`, shapes that
 * are filled make it `solid`; both kinds in one icon, or neither, make it neither.
 * `line_weight` is the mean stroke width in pixels at 512 px a side, left out when widths vary by more than 20 % or
 * the mean is not within 1–60.
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
