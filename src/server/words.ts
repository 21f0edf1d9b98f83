import { basename, resolve } from 'node:path';
import type { EmbeddedFolder } from '../options/options.ts';
import type { Icon } from './library.ts';

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

/**
 * Words with the same meaning, one meaning a line. Sets use one of them; search, tags and
 * suggestions know them all.
 */
const MEANINGS: readonly (readonly string[])[] = [
  ['home', 'house'],
  ['trash', 'bin', 'garbage', 'delete'],
  ['cog', 'gear', 'settings', 'preferences'],
  ['magnifier', 'search', 'find', 'loupe'],
  ['mail', 'email', 'envelope'],
  ['user', 'person', 'account'],
  ['users', 'people', 'group'],
  ['photo', 'picture', 'image'],
  ['car', 'automobile'],
  ['bike', 'bicycle'],
  ['plane', 'airplane', 'aircraft'],
  ['phone', 'telephone'],
  ['mobile', 'smartphone'],
  ['pencil', 'edit', 'pen'],
  ['lock', 'padlock'],
  ['cart', 'basket', 'shopping'],
  ['warning', 'alert', 'caution'],
  ['help', 'question'],
  ['heart', 'love', 'like'],
  ['bookmark', 'favorite', 'favourite'],
  ['clock', 'time', 'watch'],
  ['calendar', 'date'],
  ['chat', 'message', 'conversation'],
  ['close', 'cross', 'x'],
  ['check', 'tick', 'done'],
  ['add', 'plus'],
  ['remove', 'minus', 'subtract'],
  ['menu', 'hamburger'],
  ['location', 'pin', 'place'],
  ['money', 'cash'],
  ['doctor', 'physician'],
  ['restaurant', 'food', 'dining'],
  ['cafe', 'coffee'],
  ['rubbish', 'waste'],
  ['film', 'movie', 'cinema'],
  ['tv', 'television'],
  ['sword', 'blade'],
  ['ship', 'boat', 'vessel'],
  ['storm', 'thunderstorm'],
  ['dustbin', 'trashcan'],
];

/** By word, made when the first icon asks for its tags. */
let othersByWord: Map<string, string[]> | undefined;

/** Other words with the meaning of a word. */
export function sameMeaning(word: string): readonly string[] {
  othersByWord ??= invert();
  return othersByWord.get(word) ?? [];
}

function invert(): Map<string, string[]> {
  const others = new Map<string, string[]>();
  for (const meaning of MEANINGS)
    for (const word of meaning) {
      const more = meaning.filter((other) => other !== word);
      others.set(word, [...(others.get(word) ?? []), ...more]);
    }
  return others;
}

/** Tags of an icon: words of its name, its other names and categories, and words of the same meaning; each once. */
export function tagsOf({ name, collection }: Icon): string[] {
  const own = words(name);
  const tags = new Set(own.filter((word) => word.length > 1));
  for (const synonym of collection.synonyms(name))
    if (synonym !== name) tags.add(fold(synonym).replaceAll('-', ' '));
  for (const word of own) for (const other of sameMeaning(word)) tags.add(other);
  return [...tags];
}
