import type { XastElement } from 'svgo';
import { walkElements } from './walk.ts';

const GEOMETRY: ReadonlySet<string> = new Set(
  'points cx cy r rx ry x y x1 y1 x2 y2 width height'.split(' '),
);
const MOST_PATHS = 16;
const LONGEST = 64;

/**
 * What finds this drawing in the bytes of a bundle, without white space: the first sixteen different pieces of its path
 * data in the order of the drawing, `M1,2h3|M4,5z`; of one with more than 64 characters the first 64, `~` and how many
 * it has. A drawing without path data has its other geometry, `cx=12;cy=12;r=9`.
 */
export function fingerprint(svg: XastElement): string {
  const paths = new Set<string>();
  const geometry: string[] = [];
  walkElements(svg, (element) => {
    if (element === svg) return;
    for (const [name, written] of Object.entries(element.attributes)) {
      const value = written.replaceAll(/\s/g, '');
      if (name === 'd' && value !== '') paths.add(shorten(value));
      else if (GEOMETRY.has(name)) geometry.push(`${name}=${value}`);
    }
  });
  return paths.size > 0 ? [...paths].slice(0, MOST_PATHS).join('|') : geometry.join(';');
}

function shorten(path: string): string {
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}~${path.length}` : path;
}
