import type { XastElement } from 'svgo';
import { walkElements } from './walk.ts';

const GEOMETRY = [
  'width',
  'height',
  'x',
  'y',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'x1',
  'y1',
  'x2',
  'y2',
  'transform',
];

/** What finds this drawing in the bytes of a bundle: its longest path data, points or other geometry, without white space. */
export function fingerprint(svg: XastElement): string {
  const longest = new Map<string, string>();
  walkElements(svg, ({ attributes }) => {
    for (const name of ['d', 'points', ...GEOMETRY]) {
      const value = (attributes[name] ?? '').replaceAll(/\s/g, '');
      const kind = name === 'd' || name === 'points' ? name : 'other';
      if (value.length > (longest.get(kind) ?? '').length) longest.set(kind, value);
    }
  });
  return longest.get('d') ?? longest.get('points') ?? longest.get('other') ?? '';
}
