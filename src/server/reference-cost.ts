import { TAG } from './paint.ts';

const ID = /\sid\s*=\s*["']([^"']+)/;
const REFERENCE = /(?:href\s*=\s*["']\s*#|url\(\s*["']?#)([^"')\s]+)/g;
const ROOT = '';
const MAX_DEPTH = 64;

/**
 * How many elements a renderer draws once all references are followed: references to references multiply, so a small
 * file can ask for billions. Infinite for cycles and for chains deeper than 64.
 */
export function referenceCost(svg: string): number {
  const usesById = new Map<string, string[]>([[ROOT, []]]);
  const open: string[] = [];
  for (const [, closing, name, attributes = '', empty] of svg.matchAll(TAG)) {
    if (closing) open.pop();
    if (!name) continue;
    const id = ID.exec(attributes)?.[1] ?? '';
    if (id !== '' && !usesById.has(id)) usesById.set(id, []);
    const owners = [ROOT, ...open, id];
    for (const [, target = ''] of attributes.matchAll(REFERENCE)) {
      for (const owner of new Set(owners)) usesById.get(owner)?.push(target);
    }
    if (!empty) open.push(id);
  }

  const known = new Map<string, number>();
  function costOf(id: string, depth: number): number {
    const cost = known.get(id);
    if (cost !== undefined) return cost;
    // Until it is known, an id costs without end: that is what a cycle finds.
    known.set(id, Number.POSITIVE_INFINITY);
    const uses = usesById.get(id) ?? [];
    const sum =
      depth > MAX_DEPTH
        ? Number.POSITIVE_INFINITY
        : uses.reduce((total, use) => total + costOf(use, depth + 1), 1);
    known.set(id, sum);
    return sum;
  }
  return costOf(ROOT, 0);
}
