import { createHash } from 'node:crypto';
import type { PlacedIcon } from '../placed-icons.ts';

/**
 * A style sheet that holds an icon emits an empty-handed file besides, its mark: bundlers keep emitted files with the
 * module that emitted them, in their persistent caches too, and hand them on from modules that only run during the
 * build. It says who is there, and is taken away before anything is written.
 *
 * `icon-catalog-mark/<id>/<hash>`, with the rest as JSON.
 */
const FOLDER = 'icon-catalog-mark/';

export function toMark(icon: PlacedIcon): { name: string; content: string } {
  const content = JSON.stringify(icon);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { name: `${FOLDER}${encodeURIComponent(icon.id)}/${hash}`, content };
}

/** The id of the icon, where this is the name of a mark. */
export function idOfMark(name: string): string | undefined {
  if (!name.startsWith(FOLDER)) return undefined;
  return decodeURIComponent(name.slice(FOLDER.length, name.lastIndexOf('/')));
}

export function readMark(content: string | Buffer): PlacedIcon {
  return JSON.parse(String(content)) as PlacedIcon;
}
