import { shapePaints } from './paint.ts';

const BLACK = '#000000';
const CURRENT = /\bcurrentcolor\b/gi;

/**
 * Paints an icon in one colour, as a catalog does it: `currentColor` becomes the colour; a file of one tone is
 * painted over; files of several tones keep their own.
 * @param color six hex digits with `#`; default: black for `currentColor`, everything else as drawn
 */
export function colorize(svg: string, color: string | undefined): string {
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
