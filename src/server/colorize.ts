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
  const tones = new Set<string>();
  let inherits = false;
  for (const { fill, stroke, fillIsInherited } of shapePaints(svg)) {
    if (fillIsInherited) inherits = true;
    for (const paint of [fillIsInherited ? 'none' : fill, stroke]) if (paint !== 'none') tones.add(paint);
  }
  const [tone] = tones;
  if (tones.size > (inherits ? 0 : 1) || /<style|url\(/.test(svg)) return svg;
  const root = inherits ? svg.replace(/<svg\b/, `<svg fill="${color}"`) : svg;
  return tone === undefined ? root : paintOver(root, tone, color);
}

function paintOver(svg: string, tone: string, color: string): string {
  const escaped = tone.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return svg.replace(new RegExp(`((?:fill|stroke)\\s*(?:=\\s*["']|:\\s*))${escaped}(?=["';\\s])`, 'g'), `$1${color}`);
}
