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
 * Words with the same meaning, one meaning a line; two words that stand for one thing are written as one, as queries and
 * names are compared that way too. Sets use one of them; search, tags and suggestions know them all.
 */
const MEANINGS: readonly string[] = [
  'home house',
  'trash bin garbage delete trashcan dustbin rubbish waste',
  'cog gear settings preferences',
  'adjustments sliders settings options',
  'magnifier search find loupe',
  'mail email envelope',
  'user person account profile avatar',
  'users people group team',
  'login signin enter',
  'logout signout exit',
  'photo picture image',
  'car automobile',
  'bike bicycle',
  'plane airplane aircraft flight',
  'truck lorry delivery shipping',
  'phone telephone call',
  'mobile smartphone cellphone',
  'pencil edit pen',
  'lock padlock password',
  'key password',
  'eye view show visible',
  'cart basket shopping',
  'shop store',
  'creditcard payment',
  'cash money payment',
  'wallet payment',
  'tag label price',
  'warning alert caution',
  'help question',
  'info information about',
  'heart love like favorite',
  'thumbup thumbsup like',
  'thumbdown thumbsdown dislike',
  'star favorite favourite rating',
  'bookmark favorite favourite',
  'clock time watch',
  'calendar date',
  'bell notification',
  'chat message conversation comment',
  'close cross x xmark cancel',
  'check tick done checkmark',
  'add plus new',
  'remove minus subtract',
  'menu hamburger',
  'location pin place',
  'world globe earth',
  'language languages translate',
  'link chain url',
  'externallink opennew newtab',
  'paperclip attachment attach',
  'clipboard paste',
  'copy duplicate',
  'file document',
  'folder directory',
  'floppy save diskette',
  'print printer',
  'refresh reload update',
  'undo revert arrowback',
  'redo arrowforward',
  'loader loading spinner',
  'filter funnel',
  'chart graph analytics statistics',
  'dashboard gauge',
  'maximize expand fullscreen',
  'minimize collapse',
  'chevrondown dropdown',
  'sun day lightmode',
  'moon night darkmode',
  'bolt lightning flash',
  'bulb lightbulb idea',
  'flame fire hot',
  'gift present',
  'volume sound speaker',
  'mute silent',
  'music song audio',
  'microphone mic',
  'headphones headset',
  'film movie cinema video',
  'tv television',
  'computer desktop',
  'keyboard typing',
  'building office company',
  'school education',
  'medal award badge',
  'trophy cup winner',
  'flag report',
  'shield security protection',
  'bug insect',
  'robot bot',
  'wifi wireless',
  'doctor physician',
  'restaurant food dining',
  'cafe coffee',
  'sword blade',
  'ship boat vessel',
  'storm thunderstorm',
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
  for (const meaning of MEANINGS) {
    const all = meaning.split(' ');
    for (const word of all) {
      const more = all.filter((other) => other !== word);
      others.set(word, [...(others.get(word) ?? []), ...more]);
    }
  }
  return others;
}

/** `log out now` → `logout`, `outnow`: some write one word for what others write as two. */
export function joinedPairs(all: readonly string[]): string[] {
  return all.slice(1).map((word, at) => `${all[at]}${word}`);
}

/** Tags of an icon: words of its name, its other names and categories, and words of the same meaning; each once. */
export function tagsOf(icon: Icon): string[] {
  const own = words(icon.name);
  return [
    ...new Set([
      ...own.filter((word) => word.length > 1),
      ...otherTags(icon, own, joinedPairs(own)),
    ]),
  ];
}

/** Those of its tags that are no words of its name; some may be there twice. */
export function otherTags(
  { name, collection }: Icon,
  own: readonly string[],
  pairs: readonly string[],
): string[] {
  const tags: string[] = [];
  for (const synonym of collection.synonyms(name))
    if (synonym !== name) tags.push(fold(synonym).replaceAll('-', ' '));
  for (const word of own) tags.push(...sameMeaning(word));
  for (const word of pairs) tags.push(...sameMeaning(word));
  return tags;
}
