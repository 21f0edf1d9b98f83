import { basename, resolve } from 'node:path';
import type { EmbeddedFolder } from '../options/options.ts';

/** `arrow-left` → `Arrow left`. */
export function humanize(name: string): string {
  const text = name.replace(/[-_\s]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `My Icons!` → `my-icons`; letters and digits of any script stay. */
export function slugify(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** The form in which texts are compared: compatibility-composed, lower case. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Words of a text, folded; letters, marks and digits of any script count. */
export function words(text: string): string[] {
  // Most names are written like this.
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)) return text.split('-');
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** `YYYY-MM-DD HH:MM:SS.ffffff`, UTC: `generated_at` of v2. The clock knows milliseconds; the rest is zero. */
export function stampMicroseconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 23).replace('T', ' ')}000`;
}

/** `YYYY-MM-DD HH:MM:SS`, UTC: dates of v1 collections. */
export function stampSeconds(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DD`, UTC: `date_uploaded` of v1 icons. */
export function stampDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The part of ids and permalinks that stands for a folder of SVG files. */
export function folderPrefix(folder: string | EmbeddedFolder, root: string): string {
  const { path, name }: EmbeddedFolder = typeof folder === 'string' ? { path: folder } : folder;
  return slugify(name ?? basename(resolve(root, path))) || 'icons';
}
